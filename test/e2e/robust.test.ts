import { describe, expect, it, vi } from "vitest";
import { scratch, together } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { INITIALIZE, INITIALIZED, META, openGreeted, openWire, toolCall, type Wire } from "./wire.ts";

const TREE = { "a.txt": "a\n" };
const MIB = 1024 ** 2;

/** These tests repeat themselves on purpose. */
const QUIET = ["--loop-detection", "off"];

let asked = 0;

/** Expects a valid request to be answered, no matter what was sent before it. */
async function expectAlive(wire: Wire): Promise<void> {
  const id = `alive-${++asked}`;
  wire.say(toolCall(id, "read", { path: "a.txt" }));
  expect(await wire.answer(id)).toMatchObject({ result: { structuredContent: { content: "a\n" } } });
}

const refusal = (code: number, message: string) => ({ jsonrpc: "2.0", id: null, error: { code, message } });
const written = (bytes: number) => ({ name: "write", arguments: { path: "b.txt", content: "x".repeat(bytes) } });
const TOO_DEEP = "The message is nested deeper than 512 levels: send flatter arguments";
const NOT_JSON = refusal(-32700, "The message is not JSON");
const BAD_ID = refusal(-32600, "The id is neither text nor a number");
const NO_FRAME = refusal(-32600, "The message has neither method nor id");
/** Params that are no object make either the request or the params invalid. */
const BAD_PARAMS = expect.toBeOneOf([-32600, -32602]);
const NO_MESSAGE = refusal(-32600, "The line is not one JSON-RPC 2.0 message");

describe("a line that is no message is refused, and the next is heard", () => {
  const wire = together((atEnd) => openGreeted(scratch(TREE, atEnd), { atEnd, args: QUIET }));

  it.each([
    { name: "half a message", line: '{"jsonrpc":"2.0","id":1,', says: NOT_JSON },
    { name: "plain words", line: "hello", says: NOT_JSON },
    { name: "a binary line", line: "\0\x01\ufffd\x7f", says: NOT_JSON },
    { name: "two messages", line: '{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"}', says: NOT_JSON },
    { name: "a number", line: "5", says: NO_MESSAGE },
    { name: "null", line: "null", says: NO_MESSAGE },
    { name: "text", line: '"initialize"', says: NO_MESSAGE },
    { name: "an empty object", line: "{}", says: NO_MESSAGE },
    { name: "an empty batch", line: "[]", says: NO_MESSAGE },
    { name: "a batch", line: `[${JSON.stringify(toolCall(1, "ls", {}))}]`, says: NO_MESSAGE },
    { name: "another version", line: '{"jsonrpc":"1.0","id":1,"method":"ping"}', says: { ...NO_MESSAGE, id: 1 } },
    { name: "no version", line: '{"id":1,"method":"ping"}', says: { ...NO_MESSAGE, id: 1 } },
    { name: "the id null", line: '{"jsonrpc":"2.0","id":null,"method":"ping"}', says: BAD_ID },
    { name: "an object as id", line: '{"jsonrpc":"2.0","id":{},"method":"ping"}', says: BAD_ID },
    { name: "a switch as id", line: '{"jsonrpc":"2.0","id":true,"method":"ping"}', says: BAD_ID },
    { name: "a number as method", line: '{"jsonrpc":"2.0","id":1,"method":7}', says: { ...NO_FRAME, id: 1 } },
    { name: "neither id nor method", line: '{"jsonrpc":"2.0","params":{}}', says: NO_FRAME },
    { name: "brackets without end", line: "[".repeat(100_000), says: refusal(-32600, TOO_DEEP) },
  ])("$name", async ({ line, says }) => {
    const before = wire().lines.length;
    wire().say(line);
    await expectAlive(wire());
    expect(
      wire()
        .lines.slice(before, -1)
        .map((each) => JSON.parse(each)),
    ).toEqual([says]);
  });
});

describe("odd messages of all kinds", () => {
  const wire = together((atEnd) => openGreeted(scratch(TREE, atEnd), { atEnd, args: QUIET }));

  it.each([
    { name: "an unknown method", message: { method: "nope/nope" }, code: -32601 },
    { name: "a method of an object", message: { method: "constructor" }, code: -32601 },
    { name: "a tool call without params", message: { method: "tools/call" }, code: -32602 },
    { name: "a tool call with a list as params", message: { method: "tools/call", params: [] }, code: BAD_PARAMS },
    { name: "a tool call with text as params", message: { method: "tools/call", params: "ls" }, code: BAD_PARAMS },
    { name: "a list with a number as params", message: { method: "tools/list", params: 5 }, code: BAD_PARAMS },
    { name: "a ping with null as params", message: { method: "ping", params: null }, code: BAD_PARAMS },
    { name: "a tool call without a name", message: { method: "tools/call", params: {} }, code: -32602 },
    { name: "a number as tool", message: { method: "tools/call", params: { name: 5 } }, code: -32602 },
    { name: "a resource without address", message: { method: "resources/read", params: {} }, code: -32603 },
    { name: "a completion of nothing", message: { method: "completion/complete", params: {} }, code: -32603 },
  ])("$name is an error of the protocol", async ({ name, message, code }) => {
    wire().say({ jsonrpc: "2.0", id: name, ...message });
    expect(await wire().answer(name)).toEqual({
      jsonrpc: "2.0",
      id: name,
      error: expect.objectContaining({ code, message: expect.any(String) }),
    });
    await expectAlive(wire());
  });

  it.each([
    { name: "an answer nobody asked for", message: { id: 12345, result: {} } },
    { name: "an error nobody asked for", message: { id: 12345, error: { code: 1, message: "x" } } },
    { name: "a cancellation of nothing", message: { method: "notifications/cancelled", params: { requestId: 99 } } },
    { name: "a cancellation without id", message: { method: "notifications/cancelled", params: {} } },
    { name: "a cancellation without params", message: { method: "notifications/cancelled" } },
    { name: "a cancellation by an object", message: { method: "notifications/cancelled", params: { requestId: {} } } },
    { name: "an unknown notification", message: { method: "notifications/nope", params: { a: 7 } } },
    { name: "a second greeting", message: { method: "notifications/initialized" } },
    { name: "a tool call without id", message: { method: "tools/call", params: { name: "ls" } } },
  ])("$name gets no answer", async ({ message }) => {
    const before = wire().lines.length;
    wire().say({ jsonrpc: "2.0", ...message });
    await expectAlive(wire());
    expect(wire().lines.length).toBe(before + 1);
  });

  it.each(["", " ", "\r", "\t\t"])("an empty line is no message: %j", async (line) => {
    const before = wire().lines.length;
    wire().say(line);
    await expectAlive(wire());
    expect(wire().lines.length).toBe(before + 1);
  });

  it.each([0, -1, 1.5, "", "0", "💥", Number.MAX_SAFE_INTEGER])("the id %j comes back as it was", async (id) => {
    wire().say(toolCall(id, "read", { path: "a.txt" }));
    expect(await wire().answer(id)).toMatchObject({ id, result: { structuredContent: { content: "a\n" } } });
  });

  it("a message that ends in a carriage return is heard", async () => {
    wire().say(`${JSON.stringify(toolCall("dos", "read", { path: "a.txt" }))}\r`);
    expect(await wire().answer("dos")).toMatchObject({ result: { structuredContent: { content: "a\n" } } });
  });

  it("two requests of the same id both get an answer", async () => {
    const before = wire().lines.length;
    wire().say(toolCall("twin", "read", { path: "a.txt" }), toolCall("twin", "ls", {}));
    const twins = () =>
      wire()
        .lines.slice(before)
        .filter((line) => line.includes('"twin"'));
    await vi.waitFor(() => expect(twins()).toHaveLength(2), WHILE_BUSY);
    await expectAlive(wire());
  });

  it("a __proto__ in the params harms nobody", async () => {
    const params = '{"name":"read","arguments":{"path":"a.txt"},"__proto__":{"polluted":1}}';
    wire().say(`{"jsonrpc":"2.0","id":"proto","method":"tools/call","params":${params}}`);
    expect(await wire().answer("proto")).toMatchObject({ result: { structuredContent: { content: "a\n" } } });
    await expectAlive(wire());
  });
});

const TOO_LONG =
  "The message is longer than 16777216 bytes (16 MiB): " +
  "write a large file in parts that are shorter than that, with append";

describe("sizes", () => {
  it.each([
    { id: 7, where: "at the end", message: { method: "tools/call", params: written(20 * MIB), jsonrpc: "2.0", id: 7 } },
    {
      id: 8,
      where: "at the start",
      message: { jsonrpc: "2.0", id: 8, method: "tools/call", params: written(20 * MIB) },
    },
    { id: "large", where: "before 64 MB", message: toolCall("large", "write", written(64 * MIB).arguments) },
    {
      id: null,
      where: "nowhere",
      message: { jsonrpc: "2.0", method: "tools/call", params: { ...written(20 * MIB), id: 1 } },
    },
  ])("a line that is too long is answered by the id $where", async ({ id, message }) => {
    const wire = await openGreeted(scratch(TREE));
    wire.say(message);
    expect(await wire.answer(id)).toEqual({ ...refusal(-32600, TOO_LONG), id });
    await expectAlive(wire);
  });

  it.each([
    { id: "lists", deep: `${"[".repeat(1_500_000)}${"]".repeat(1_500_000)}` },
    { id: "objects", deep: `${'{"a":'.repeat(1_500_000)}1${"}".repeat(1_500_000)}` },
  ])("$id in each other, a million deep, hold up nobody", async ({ id, deep }) => {
    const wire = await openGreeted(scratch(TREE));
    const began = performance.now();
    wire.say(
      `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"read","arguments":{"path":${deep}}}}`,
    );
    expect(await wire.answer(id)).toEqual({ ...refusal(-32600, TOO_DEEP), id });
    expect(performance.now() - began).toBeLessThan(1000);
    await expectAlive(wire);
  });

  it("a line of 15 MB is heard, and its argument is refused by name", async () => {
    const wire = await openGreeted(scratch(TREE));
    wire.say(toolCall("large", "read", { path: "x".repeat(15 * MIB) }));
    expect(await wire.answer("large")).toMatchObject({
      result: { isError: true, _meta: { "holdfast/error": { code: "invalid_input", argument: "path" } } },
    });
    await expectAlive(wire);
  });

  it("a message in many pieces is one message", async () => {
    const wire = openWire(scratch(TREE));
    const text = [INITIALIZE, INITIALIZED].map((message) => `${JSON.stringify(message)}\n`).join("");
    for (const character of text) wire.sayRaw(character);
    expect(await wire.answer("initialize")).toHaveProperty("result.serverInfo.name", "holdfast");
    await expectAlive(wire);
  });

  it("5,000 requests at once all get their answers", async () => {
    const wire = await openGreeted(scratch(TREE), { args: QUIET });
    const ids = Array.from({ length: 5000 }, (_, n) => n);
    wire.say(...ids.map((id) => toolCall(id, "read", { path: "a.txt" })));
    const answers = await Promise.all(ids.map((id) => wire.answer(id)));
    expect(answers.every(({ result }) => (result as { isError?: boolean }).isError === undefined)).toBe(true);
    await expectAlive(wire);
  });

  it("a client that does not read for a while loses nothing", async () => {
    const root = scratch({ ...TREE, "big.txt": `${"x".repeat(99)}\n`.repeat(500) });
    const wire = await openGreeted(root, { args: QUIET });
    wire.pause();
    const ids = Array.from({ length: 200 }, (_, n) => n);
    wire.say(...ids.map((id) => toolCall(id, "read", { path: "big.txt" })));
    await new Promise((resolve) => setImmediate(resolve));
    wire.resume();
    for (const id of ids)
      expect(await wire.answer(id)).toMatchObject({ result: { structuredContent: { total_lines: 500 } } });
    await expectAlive(wire);
  });
});

describe("before any greeting", () => {
  it("a tool call is answered or refused, and a greeting still works", async () => {
    const wire = openWire(scratch(TREE));
    wire.say(toolCall(1, "read", { path: "a.txt" }));
    expect(Object.keys(await wire.answer(1)).toSorted()).toEqual(["id", "jsonrpc", "result"]);
    wire.say(INITIALIZE);
    expect(await wire.answer("initialize")).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
    wire.say(INITIALIZED);
    await expectAlive(wire);
  });

  it.each(["2025-06-18", "2025-03-26", "2024-11-05"])("speaks %s when asked", async (protocolVersion) => {
    const wire = openWire(scratch(TREE));
    wire.say({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } });
    expect(await wire.answer("initialize")).toMatchObject({ result: { protocolVersion } });
  });

  it("offers a version it knows when asked for one that nobody does", async () => {
    const wire = openWire(scratch(TREE));
    wire.say({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: "1999-01-01" } });
    expect(await wire.answer("initialize")).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  });

  it("the new revision needs no greeting", async () => {
    const wire = openWire(scratch(TREE));
    wire.say(toolCall(1, "read", { path: "a.txt" }, { _meta: META }));
    expect(await wire.answer(1)).toMatchObject({
      result: { resultType: "complete", structuredContent: { content: "a\n" } },
    });
  });
});

it("stopping a call that runs, by its id", async () => {
  const root = scratch({ ...TREE, "long.txt": "x\n".repeat(3_000_000) });
  const wire = await openGreeted(root);
  wire.say(toolCall("long", "read", { path: "long.txt", offset: 2_999_999 }), {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: "long", reason: "enough" },
  });
  await expectAlive(wire);
  expect(await wire.end()).toBe(0);
  expect(wire.lines.filter((line) => line.includes('"long"'))).toEqual([]);
});
