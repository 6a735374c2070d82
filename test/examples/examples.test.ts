import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { run as holdfast } from "../e2e/bin.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { anthropicWire } from "./anthropic-wire.ts";
import { type Asked, endpointOf, type ModelTurn } from "./endpoint.ts";
import { geminiWire } from "./gemini-wire.ts";
import { chatWire, responsesWire } from "./openai-wires.ts";

const run = promisify(execFile);
const EXAMPLES = resolve("examples");

const example = async (name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]> => {
  const { stdout } = await run(process.execPath, [join(EXAMPLES, name), ...args], { env: { ...process.env, ...env } });
  return stdout.trimEnd().split("\n");
};

const ALONE: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  "agent-loop.mjs": [
    'read: [{"type":"text","text":"one\\ntwo\\n"}]',
    /^edit: .*-two\\n\+three/,
    "read failed: List the parent directory to see what exists",
    'undone: 1 change; "one\\ntwo\\n"',
  ],
  "approvals.mjs": [
    "asked: delete, Would move to the trash: draft.txt -> once",
    "done: draft.txt",
    "asked: delete, Would move to the trash: report.txt -> deny",
    /^refused: .*deleting needs a yes/,
    "refused: denied",
    "still there: report.txt",
  ],
  "plugin.mjs": [
    "listed: ring archive__read",
    "asked: ring, the bell -> once",
    "answered: ding ding",
    "asked: archive__read, read of the server archive -> once",
    "answered: from the archive",
    "asked: archive__stat, stat of the server archive -> deny",
    /^refused: .*it reaches beyond the files; the user said no/,
  ],
  "dialect.mjs": ["answered: roses are red", "refused: cat: outside workspace"],
  "hooks.mjs": [
    "told: read ok",
    "answered: one",
    "told: delete denied",
    /^refused: .*nothing is deleted on Fridays/,
    'warned: The hook hooks[0] failed before "stat" and refused the call: the calendar does not answer',
    "told: stat denied",
    /^refused: .*a hook that is asked before every call failed/,
  ],
  "notices.mjs": ["told: read, read notes.txt (the diary)"],
  "changing-tool.mjs": [
    'answered: Nothing was changed; this is a dry run: "pears\\napples\\nplums\\n"',
    "asked: Changed list.txt",
    'answered: Changed list.txt "apples\\npears\\nplums\\n"',
    /^refused: .*it is not inside/,
    "asked: Would bring back list.txt",
    'undone: "pears\\napples\\nplums\\n"',
  ],
  "memory-storage.mjs": ['after: {"src/main.ts":"const one = 2;\\n"}', "undone: src/main.ts old.txt"],
  "own-storage.mjs": [
    '//table/notes/today.txt: "one\\ntwo\\n"',
    'notes/today.txt: "one\\nthree\\n"',
    'notes/today.txt: "one\\ntwo\\n"',
    /^\/\/table\/\.\.\/elsewhere: .*it is not inside/,
  ],
  "custom-tool.mjs": ["answered: 6 words", /^refused: .*it is not inside/, "listed: true"],
};

it.each(Object.entries(ALONE))("%s runs and says this", async (name, lines) => {
  const home = scratch();
  const said = await example(name, [], { HOLDFAST_STATE: stateBeside(home), TMPDIR: home });
  expect(said).toHaveLength(lines.length);
  for (const [nth, line] of lines.entries()) expect(said[nth]).toMatch(line);
});

it.each(["table-store.mjs", "own-storage.test.mjs"])("docs/storages.md shows %s as it is", (name) => {
  expect(readFileSync("docs/storages.md", "utf8")).toContain(readFileSync(join(EXAMPLES, name), "utf8").trimEnd());
});

it("own-storage.test.mjs passes the suites with node:test", async () => {
  const { stdout } = await run(process.execPath, ["--test", join(EXAMPLES, "own-storage.test.mjs")]);
  expect(stdout).toMatch(/^(?:#|ℹ) fail 0$/m);
  expect(Number(/^(?:#|ℹ) pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThan(0);
});

/** A read, an edit, an approval, an undo, and something that goes wrong. */
const TURNS: readonly ModelTurn[] = [
  { tool: "read", input: { path: "notes.txt" } },
  { tool: "edit", input: { path: "notes.txt", edits: [{ oldText: "two", newText: "zwei ✓" }] } },
  { tool: "delete", input: { path: "old.txt" } },
  { tool: "undo", input: {} },
  { tool: "read", input: { path: "../outside.txt" } },
  { text: "Done." },
];

/** In strict mode a model names everything. */
const STRICT_TURNS: readonly ModelTurn[] = [
  { tool: "read", input: { path: "notes.txt", paths: null, offset: null, limit: null, cursor: null } },
  {
    tool: "edit",
    input: { path: "notes.txt", edits: [{ oldText: "two", newText: "zwei ✓", count: null }], replaceAll: null },
  },
  { tool: "delete", input: { path: "old.txt", recursive: null } },
  { tool: "undo", input: { change_id: null, session: null, since: null, path: null } },
  { tool: "read", input: { path: "../outside.txt", limit: null } },
  { text: "Done." },
];

const results = {
  anthropic: ({ body }: Asked) =>
    (body["messages"] as { content: { type: string; content: unknown; is_error?: boolean }[] }[])
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => JSON.stringify(content)),
  chat: ({ body }: Asked) =>
    (body["messages"] as { role: string; content: string }[])
      .filter(({ role }) => role === "tool")
      .map(({ content }) => content),
  responses: ({ body }: Asked) =>
    (body["input"] as { type?: string; output?: string }[]).flatMap(({ output }) => (output ? [output] : [])),
  gemini: ({ body }: Asked) =>
    (body["contents"] as { parts: { functionResponse?: { response: object } }[] }[])
      .flatMap(({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse ?? []))
      .map(({ response }) => JSON.stringify(response)),
};

/** Each with the wire of its provider, where that is, and how it tells what tools answered. */
const LOOPS = [
  { name: "anthropic-messages.mjs", wire: anthropicWire, turns: TURNS, base: "", resultsIn: results.anthropic },
  { name: "gemini.mjs", wire: geminiWire, turns: TURNS, base: "", resultsIn: results.gemini },
  { name: "langchain.mjs", wire: anthropicWire, turns: TURNS, base: "", resultsIn: results.anthropic },
  { name: "openai-chat.mjs", wire: chatWire, turns: TURNS, base: "/v1", resultsIn: results.chat },
  { name: "openai-responses.mjs", wire: responsesWire, turns: STRICT_TURNS, base: "/v1", resultsIn: results.responses },
  { name: "vercel-ai-sdk.mjs", wire: chatWire, turns: TURNS, base: "/v1", resultsIn: results.chat },
];

const KEYS = { ANTHROPIC_API_KEY: "key", GEMINI_API_KEY: "key", OPENAI_API_KEY: "key" };

it.each(LOOPS)(
  "$name reads, edits, asks, undoes and learns what went wrong",
  async ({ name, wire, turns, base, resultsIn }) => {
    const root = scratch({ "notes.txt": "one\ntwo\n", "old.txt": "old\n" });
    const { url, asked } = await endpointOf(wire, turns);
    const bases = { ANTHROPIC_BASE_URL: url, GEMINI_BASE_URL: url, OPENAI_BASE_URL: url + base };
    const said = await example(name, [root, "Tidy up"], { ...KEYS, ...bases, HOLDFAST_STATE: stateBeside(root) });
    expect(said).toContain("asked: Would move to the trash: old.txt");
    expect(said.at(-1)).toBe("Done.");
    expect(readFileSync(join(root, "notes.txt"), "utf8")).toBe("one\nzwei ✓\n");
    expect(readdirSync(root).toSorted()).toEqual(["notes.txt", "old.txt"]);
    expect(asked).toHaveLength(turns.length);
    expect(resultsIn(asked.at(-1) as Asked)).toEqual([
      expect.stringContaining("one"),
      expect.stringContaining("+zwei ✓"),
      expect.stringContaining("Moved to the trash"),
      expect.stringContaining("old.txt"),
      expect.stringContaining("is not inside"),
    ]);
  },
);

it.each(LOOPS)("$name says in one line what to set where there is no key", async ({ name }) => {
  const keyless = Object.fromEntries(Object.keys(KEYS).map((key) => [key, ""]));
  const failed = await example(name, [], keyless).catch((error: { code: number; stderr: string }) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Set \w+_API_KEY .*\n$/) });
});

/** Those that a configuration file names, with a call that they have a say in. */
const NAMED = {
  "hook-program.mjs": {
    config: (file: string) => ({ hooks: { beforeCall: [{ command: [process.execPath, file] }] } }),
    call: ["write", { path: "generated/a.js", content: "x" }],
    says: 'Cannot call "write": write would be lost: generated/ is made by the build',
  },
  "plugin-module.mjs": {
    config: (file: string) => ({ plugins: [file] }),
    call: ["word_count", { path: "poem.txt" }],
    says: "3 words",
  },
} as const;

it.each(Object.entries(NAMED))(
  "%s works from a configuration file",
  async (name, { config, call: [tool, input], says }) => {
    const root = scratch({ "poem.txt": "roses are red\n" });
    const file = `${root}.jsonc`;
    writeFileSync(file, JSON.stringify(config(join(EXAMPLES, name))));
    const words = ["call", tool, JSON.stringify(input), "--root", root, "--state", stateBeside(root), "--config", file];
    const { out } = await holdfast(words);
    expect(out.split("\n")[0]).toBe(says);
    expect((await holdfast(words.with(2, "{}"))).out).not.toContain(says);
  },
);

it("every example is run", () => {
  const programs = readdirSync(EXAMPLES).filter((name) => !PARTS.includes(name));
  expect(programs.toSorted()).toEqual(
    [...Object.keys(ALONE), ...Object.keys(NAMED), ...LOOPS.map(({ name }) => name)].toSorted(),
  );
});

/** Modules that the examples share, tests of examples, and what test/engines runs. */
const PARTS: readonly string[] = ["container.mjs", "events.mjs", "key.mjs", "own-storage.test.mjs", "table-store.mjs"];
