import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { scratch, together } from "../runtime/scratch.ts";
import { INITIALIZED, META, type Message, openGreeted, openWire, toolCall } from "./wire.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TREE = {
  "a.txt": "one\ntwo\nthree\n",
  "odd\nname.txt": "odd",
  "latin.txt": Buffer.from("caf\u00e9", "latin1"),
  "dot.png": Buffer.from(PNG, "base64"),
  "program.bin": Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 0]),
  "sub/b.txt": "b",
  empty: null,
  out: { link: "../.." },
};

/** Calls of all sorts: pages, media, several files, faults, wrong arguments, unknown tools. */
const CALLS: readonly (readonly [tool: string, input: unknown])[] = [
  ["read", { path: "a.txt" }],
  ["read", { path: "a.txt", limit: 1 }],
  ["read", { path: "a.txt", offset: -1, line_numbers: true }],
  ["read", { path: "a.txt", encoding: "base64", checksum: true }],
  ["read", { paths: ["a.txt", "none.txt", "latin.txt"] }],
  ["read", { path: "odd\nname.txt" }],
  ["read", { path: "dot.png" }],
  ["read", { path: "program.bin" }],
  ["read", { path: "none.txt" }],
  ["read", { path: "out/etc/passwd" }],
  ["read", { path: "\ud800" }],
  ["read", { path: 5 }],
  ["read", {}],
  ["read", undefined],
  ["ls", {}],
  ["ls", { sort_by: "-size", limit: 2 }],
  ["ls", { path: "empty" }],
  ["list", { path: "sub" }],
  ["tree", { depth: 1 }],
  ["tree", { limit: 2 }],
  ["stat", { paths: ["a.txt", "out", "none"] }],
  ["stat", { path: "a.txt", cheksum: true }],
  ["nope", {}],
  ["", {}],
];

describe("the fast path for tool calls answers exactly as the SDK does", () => {
  const root = together((atEnd) => scratch(TREE, atEnd));
  const legacy = together((atEnd) => openGreeted(root(), { atEnd }));
  const modern = together((atEnd) => openWire(root(), { atEnd }));

  it.each(CALLS)("%s %j", async (tool, input) => {
    const id = JSON.stringify([tool, input]);
    legacy().say(toolCall(`short ${id}`, tool, input), toolCall(`long ${id}`, tool, input, { unknown: true }));
    modern().say(toolCall(`new ${id}`, tool, input, { _meta: META }));
    const short = await legacy().answer(`short ${id}`);
    const long = await legacy().answer(`long ${id}`);
    const fresh = await modern().answer(`new ${id}`);
    expect(JSON.stringify(resultOf(short))).toBe(JSON.stringify(resultOf(long)));
    expect(JSON.stringify(resultOf(short))).toBe(JSON.stringify(withoutEra(resultOf(fresh))));
  });

  it("and tells progress in the same words", async () => {
    const home = scratch({ "long.txt": "x\n".repeat(1_000_000) });
    const input = { path: "long.txt", offset: 900_000, limit: 1 };
    const wire = await openGreeted(home);
    const progressOf = async (id: string, more: object) => {
      wire.say(toolCall(id, "read", input, { _meta: { progressToken: `for ${id}` }, ...more }));
      await wire.answer(id);
      const lines = wire.lines.filter((line) => line.includes(`for ${id}`)).map((line) => JSON.parse(line) as Message);
      return lines.map(({ method, params }) => ({ method, keys: Object.keys(params as object).toSorted() }));
    };
    const wanted = { method: "notifications/progress", keys: ["progress", "progressToken", "total"] };
    expect((await progressOf("short", {}))[0]).toEqual(wanted);
    const again = await openGreeted(home);
    again.say(toolCall("long", "read", input, { _meta: { progressToken: "for long" }, unknown: 1 }));
    await again.answer("long");
    const [first] = again.lines.filter((line) => line.includes("for long")).map((line) => JSON.parse(line) as Message);
    expect(Object.keys(first?.["params"] as object).toSorted()).toEqual(wanted.keys);
  });
});

it("an unexpected greeting does not take a new client for an old one", async () => {
  const wire = openWire(scratch({ "a.txt": "a" }));
  wire.say(toolCall(1, "read", { path: "a.txt" }, { _meta: META }));
  const first = await wire.answer(1);
  wire.say(INITIALIZED, toolCall(2, "read", { path: "a.txt" }, { _meta: META }));
  expect(resultOf(await wire.answer(2))).toEqual(resultOf(first));
});

const resultOf = ({ result }: Message): Message => result as Message;

/** The new revision adds to every result what kind it is and who made it. */
function withoutEra({ resultType, _meta, ...rest }: Message): Message {
  expect([resultType, _meta]).toEqual(["complete", expect.any(Object)]);
  const { "holdfast/error": error } = _meta as Message;
  return { ...(error !== undefined && { _meta: { "holdfast/error": error } }), ...rest };
}

it.each([...SUPPORTED_PROTOCOL_VERSIONS.map((asked) => ({ asked, answered: asked })), { asked: "1999-01-01" }])(
  "speaks $asked if the SDK does",
  async ({ asked, answered = LATEST_PROTOCOL_VERSION }: { asked: string; answered?: string }) => {
    const wire = openWire(scratch());
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: "test", version: "1" } };
    wire.say({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    expect(await wire.answer(1)).toMatchObject({ result: { protocolVersion: answered } });
  },
);
