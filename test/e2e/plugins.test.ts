import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { type AtEnd, scratch, stateBeside, together, withTest } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { connect, ERAS, run, withElicitation } from "./bin.ts";
import { openGreeted, toolCall } from "./wire.ts";

const OFFICE = resolve("test/processes/fixtures/office.mjs");

/** A workspace, and a configuration beside it that names these plugins. */
function machine(more: object = {}, texts: Readonly<Record<string, string>> = {}, atEnd: AtEnd = withTest) {
  const root = scratch({ "a.txt": "one two\nthree\n" }, atEnd);
  const home = join(dirname(root), "config");
  mkdirSync(home);
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(home, name), text);
  const config = join(home, "config.jsonc");
  writeFileSync(config, JSON.stringify({ plugins: [OFFICE, ...Object.keys(texts)], ...more }));
  const args = ["--config", config];
  const at = (...words: readonly string[]) =>
    run([...words, "--root", root, ...args], { env: { HOLDFAST_STATE: stateBeside(root) } });
  return { root, args, at };
}

const FREE = { policy: { rules: [{ act: ["exec", "network"], tool: "office", decide: "autonomous" }] } };

describe.each(ERAS)("$era", ({ options }) => {
  const client = together((atEnd) => {
    const { root, args } = machine(FREE, {}, atEnd);
    return connect(root, options, atEnd, args);
  });

  it("lists tools of plugins and of their servers beside the native ones", async () => {
    const { tools } = await client().listTools();
    const others = tools.filter(({ name }) => name.includes("count") || name.startsWith("notes__"));
    expect(others.map(({ name }) => name)).toEqual([
      "word_count",
      "notes__add",
      "notes__environment",
      "notes__where",
      "notes__refuse",
      "notes__wait",
      "notes__die",
      "notes__picture",
      "notes__child",
      "notes__flattering",
      "notes__dotted_name",
    ]);
    expect(others[0]?.inputSchema).toMatchObject({
      properties: { path: { type: "string", description: "A text file" } },
      required: ["path"],
    });
    expect(others[1]).toMatchObject({
      description: "Notes: add",
      annotations: { readOnlyHint: false, openWorldHint: true },
      inputSchema: { required: ["title"] },
    });
    expect(tools.find(({ name }) => name === "read")?.description).not.toContain("words");
  });

  it.each([
    { name: "word_count", input: { path: "a.txt" }, text: "3 words", data: { words: 3 } },
    { name: "notes__add", input: { title: "x" }, text: "added x", data: { title: "x" } },
  ])("calls $name", async ({ name, input, text, data }) => {
    const result = await client().callTool({ name, arguments: input });
    expect(result).toMatchObject({ content: [{ type: "text", text }], structuredContent: data });
  });

  it.each([
    { name: "word_count", input: { path: "../x" }, says: "it is not inside" },
    { name: "word_count", input: { file: "x" }, says: 'there is no argument "file"' },
    { name: "notes__refuse", input: {}, says: "no such note" },
    { name: "rare_count", input: { path: "a.txt" }, says: 'add "rare_count" to tools.alsoAllow' },
  ])("refuses $name $input", async ({ name, input, says }) => {
    const result = await client().callTool({ name, arguments: input });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain(JSON.stringify(says).slice(1, -1));
  });

  it("asks the user before a call of a server", async () => {
    const { root, args } = machine();
    const { client: asking, messages } = await withElicitation(root, options, args, async () => ({
      action: "accept",
      content: { decision: "once" },
    }));
    const result = await asking.callTool({ name: "notes__add", arguments: { title: "x" } });
    expect(result.content).toEqual([{ type: "text", text: "added x" }]);
    expect(messages).toEqual([expect.stringContaining('call add of the server notes\n{\n  "title": "x"\n}')]);
  });
});

it("tells the operator of what is skipped; no plugin disturbs the protocol or ends the server", async () => {
  const { root, args } = machine({}, { "bad.mjs": "export default { id: 7 }", "boom.mjs": "throw new Error('boom')" });
  const wire = await openGreeted(root, { args });
  wire.say({ jsonrpc: "2.0", id: 1, method: "tools/list" }, toolCall(2, "word_count", { path: "a.txt" }));
  await Promise.all([wire.answer(1), wire.answer(2)]);
  expect(await wire.end()).toBe(0);
  const errors = wire.errors();
  for (const message of [
    "standard output belongs to the protocol",
    "holdfast: Uncaught error: Error: thrown by nobody's call",
    "holdfast: Uncaught error: Error: rejected for nobody",
    /holdfast: Skipped the plugin ".*bad\.mjs": its id must be text, not a number/,
    /holdfast: Skipped the plugin ".*boom\.mjs": it does not load: Error: boom/,
    'holdfast: Skipped the tool "read" of the plugin "office": there is one of that name',
  ])
    expect(errors).toMatch(message);
});

it("waits once and briefly for a server that does not answer, and announces its tools when it does", async () => {
  const gate = join(dirname(scratch()), "gate");
  const server = { command: process.execPath, args: [resolve("test/processes/fixtures/late-server.mjs"), gate] };
  const plugin = `export default { id: "late", servers: { late: ${JSON.stringify(server)} } }`;
  const { root, args } = machine({}, { "late.mjs": plugin });
  const wire = await openGreeted(root, { args });
  const listed = async (id: number): Promise<{ readonly ms: number; readonly names: readonly string[] }> => {
    const began = performance.now();
    wire.say({ jsonrpc: "2.0", id, method: "tools/list" });
    const { result } = (await wire.answer(id)) as { result: { tools: { name: string }[] } };
    return { ms: performance.now() - began, names: result.tools.map(({ name }) => name) };
  };
  const [first, second] = [await listed(1), await listed(2)];
  expect([first.names.includes("read"), first.names.includes("late__hello")]).toEqual([true, false]);
  expect([first.ms < 10_000, second.ms < LIMITS.lazyToolsMs]).toEqual([true, true]);
  writeFileSync(gate, "");
  await vi.waitFor(() => expect(wire.lines.join()).toContain("notifications/tools/list_changed"), WHILE_BUSY);
  expect((await listed(3)).names).toContain("late__hello");
});

describe("on the command line", () => {
  it.each([
    { words: ["call", "word_count", '{"path":"a.txt"}'], code: 0, out: /^3 words\n$/ },
    { words: ["call", "notes__add", '{"title":"x"}'], code: 0, out: /^added x\n$/ },
    { words: ["call", "peek", '{"file":"a.txt"}', "--dialect", "short"], code: 0, out: /^one two\n\n$/ },
    { words: ["call", "peek", '{"file":"none"}', "--dialect", "short"], code: 1, out: /^no: not_found\n$/ },
    { words: ["tools"], code: 0, out: /^word_count +How many words[^]*^notes__add +Notes: add$/m },
    { words: ["tools", "--dialect", "short"], code: 0, out: /^peek +The first line\.\n$/ },
    { words: ["policy", "explain", "rare_count"], code: 1, out: /^rare_count is hidden\n {2}optional: .*alsoAllow\n$/ },
    { words: ["policy", "explain", "notes__add"], code: 0, out: /^notes__add is shown\n$/ },
    {
      words: ["policy", "explain", "exec", "notes__add"],
      code: 0,
      out: /^exec notes__add: autonomous [^]*exec, network office/,
    },
    {
      words: ["doctor"],
      code: 0,
      out: /^plugin +office, tools word_count rare_count read, dialect short, servers notes$/m,
    },
    { words: ["doctor"], code: 0, out: /^problem +Skipped the tool "read" of the plugin "office"/m },
    { words: ["config", "show"], code: 0, out: /^plugins +\[".*office\.mjs"\]/m },
  ])("$words", async ({ words, code, out }) => {
    const result = await machine(FREE).at(...words);
    expect(result.out).toMatch(out);
    expect(result.code).toBe(code);
  });

  it("a tool that stays where another would have come is explained with that", async () => {
    const { out, err } = await machine().at("policy", "explain", "read");
    expect([out, err]).toEqual(["read is shown\n", expect.stringContaining('Skipped the tool "read" of the plugin')]);
  });

  it("a dialect that nobody has is refused, with those that there are", async () => {
    const { code, err } = await machine().at("tools", "--dialect", "shrt");
    expect([code, err]).toEqual([2, expect.stringContaining('did you mean "short"?')]);
  });

  it("what is done is in the audit log", async () => {
    const { at } = machine(FREE);
    await at("call", "notes__add", '{"title":"x"}');
    expect((await at("audit", "show")).out).toMatch(/notes__add/);
  });
});

it("the plugin in the documentation works as it stands", async () => {
  const [, text] = /```js\n([^]*?)```/.exec(readFileSync("docs/plugins.md", "utf8")) ?? [];
  const { at } = machine({ plugins: ["words.mjs"] }, { "words.mjs": String(text) });
  expect(await at("call", "word_count", '{"path":"a.txt"}')).toEqual({ code: 0, out: "3 words\n", err: "" });
});

it("a workspace names no plugins", async () => {
  const root = scratch({ ".holdfast.jsonc": '{ "plugins": ["evil.mjs"] }', "evil.mjs": "throw 1" });
  const { code, err } = await run(["tools", "--root", root], { env: { HOLDFAST_STATE: stateBeside(root) } });
  const why = "nothing can be changed until .holdfast.jsonc is mended or removed";
  expect([code, err]).toEqual([0, expect.stringContaining(why)]);
  expect(err).toContain("a workspace may only tighten, and cannot set plugins");
});
