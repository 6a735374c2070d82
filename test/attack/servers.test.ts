import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { namesIn, NOTES, script, withServers } from "../processes/mounting.ts";

/** A server with these answers, each an expression, by method. */
const replying = (answers: Readonly<Record<string, string>>) =>
  script(`const answers = { initialize: () => ({ protocolVersion: "2025-11-25" }),
    ${Object.entries(answers)
      .map(([method, answer]) => `${JSON.stringify(method)}: () => (${answer})`)
      .join()} };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (answers[method]) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]() }));
  });`);

const TOOL = '{ name: "a", inputSchema: { type: "object" } }';

describe("a hostile server", () => {
  it("cannot tell of its tools for ever", async () => {
    const endless = replying({ "tools/list": '{ tools: [], nextCursor: "more" }' });
    const { holdfast } = withServers({ endless, notes: NOTES });
    await holdfast.ready();
    expect(namesIn(holdfast)).toContain("notes__add");
  });

  it.each(["{ properties: null }", '{ properties: { a: "text" } }', '{ required: "a" }', "{ required: [7] }"])(
    "cannot take the list from clients that check it, by the schema %s",
    async (schema) => {
      const odd = `{ name: "odd", inputSchema: { type: "object", ...${schema} } }`;
      const { holdfast, warnings: messages } = withServers({
        server: replying({ "tools/list": `{ tools: [${odd}, ${TOOL}] }` }),
      });
      await holdfast.ready();
      expect(namesIn(holdfast).filter((name) => name.startsWith("server__"))).toEqual(["server__a"]);
      expect(messages).toEqual(['Skipped the tool "odd" of the server "server": its schema is not as MCP has it']);
    },
  );

  it("fails in few words", async () => {
    const text = '{ type: "text", text: "no".repeat(1_000_000) }';
    const failing = replying({
      "tools/list": `{ tools: [${TOOL}] }`,
      "tools/call": `{ isError: true, content: [${text}] }`,
    });
    const { holdfast } = withServers({ failing });
    const result = await holdfast.call("failing__a", {});
    expect(result).toMatchObject({ isError: true, data: { error: { code: "tool_error" } } });
    expect(result.text.length).toBeLessThan(2 * LIMITS.mountedTextChars);
  });

  it("that asks and never reads is ended before it fills our memory", async () => {
    const flooding = script(`process.stdin.once("data", (line) => {
      process.stdin.pause();
      const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
      say({ id: JSON.parse(line).id, result: { protocolVersion: "2025-11-25" } });
      const id = "x".repeat(1_000_000);
      const ask = () => { while (say({ id, method: "ping" })); process.stdout.once("drain", ask); };
      ask();
    });`);
    const { holdfast, warnings: messages } = withServers({ flooding });
    await holdfast.ready();
    expect(messages.join("\n")).toContain('Cannot ask the server "flooding": it ended');
  });
});
