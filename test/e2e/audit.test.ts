import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { appOn, callerOf, scratch, stateBeside, together } from "../runtime/scratch.ts";
import { run } from "./bin.ts";
import { openGreeted, toolCall } from "./wire.ts";
import { jsonOf, TIME } from "./workplace.ts";

/** A workspace in which calls were made, and the command line there. */
async function place() {
  const root = scratch({ "a.txt": "one\ntwo\n" });
  const app = appOn(root);
  const caller = callerOf(app);
  const { data } = await caller("edit", { path: "a.txt", oldText: "two", newText: "2" });
  await caller("read", { path: "none" });
  await app.close();
  const holdfast = (...words: string[]) => run(["audit", ...words, "--root", root, "--state", stateBeside(root)]);
  return { root, holdfast, change: data["change_id"] as string, directory: app.stateDirectory };
}

it("shows calls, newest last, with what they came to", async () => {
  const { holdfast, change } = await place();
  const { code, out } = await holdfast("show");
  const [first, effect, second] = out.split("\n");
  expect([code, first, effect, second]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`^${TIME}  [0-9a-f]{8}  edit  ok +\\d+ ms  ${change}  notify \\(built-in\\) +\\{"path":"a\\.txt"`),
    ),
    expect.stringMatching(/^ {4}replace \S+a\.txt {2}\S+ → \S+$/),
    expect.stringMatching(/ read {2}not_found +\d+ ms /),
  ]);
  const [record] = jsonOf((await holdfast("show", "--json")).out)["records"] as readonly Record<string, unknown>[];
  expect(record?.["effects"]).toEqual([
    {
      action: "replace",
      path: expect.stringMatching(/a\.txt$/),
      before: expect.any(String),
      after: expect.any(String),
    },
  ]);
});

it.each(["5", "null", "{}", '{"time":5}', '{"time":5,"tool":5,"code":"ok","ms":0}'])(
  "shows the other calls where a line is damaged: %s",
  async (line) => {
    const { holdfast, directory } = await place();
    const log = readdirSync(directory).find((name) => name.startsWith("audit-")) ?? "";
    appendFileSync(join(directory, log), `${line}\n`);
    const { code, out } = await holdfast("show");
    expect([code, out.trimEnd().split("\n").length]).toEqual([0, 3]);
  },
);

it("shows records without arguments, such as those of the log itself", async () => {
  const { holdfast, directory, root } = await place();
  const log = readdirSync(directory).find((name) => name.startsWith("audit-")) ?? "";
  const lost = { roots: [root], time: 5, tool: "audit", code: "lost", records: 3, ms: 0 };
  appendFileSync(join(directory, log), `${JSON.stringify(lost)}\n`);
  expect((await holdfast("show", "--code", "lost")).out).toContain("lost");
});

describe("filters", () => {
  /** A workspace with calls of two agents, and reads and an undo from the command line. */
  const busy = together(async (atEnd) => {
    const root = scratch({ "a.txt": "one\n", "b.txt": "two\n" }, atEnd);
    const sessions = [];
    for (const path of ["a.txt", "b.txt"]) {
      const app = createApp({ roots: [root], stateDirectory: stateBeside(root) });
      const caller = callerOf(app);
      await caller("read", { path });
      await caller("write", { path: `${path}.new`, content: "more\n" });
      await caller("read", { path: "none" });
      sessions.push(app.session.facts.id);
      await app.close();
    }
    const holdfast = (...words: string[]) => run([...words, "--root", root, "--state", stateBeside(root)]);
    await holdfast("history");
    await holdfast("call", "read", '{"path":"a.txt"}');
    await holdfast("undo");
    const shown = async (...words: string[]) => {
      const { records, hidden } = jsonOf((await holdfast("audit", "show", "--json", ...words)).out);
      const lines = (records as Record<string, string>[]).map(({ tool, code }) => `${tool} ${code}`);
      return { lines, hidden };
    };
    return { holdfast, shown, sessions };
  });
  const ONE = ["read ok", "write ok", "read not_found"];

  it("leaves the operator's own look-ups out, and says so", async () => {
    const { holdfast, shown } = busy();
    expect(await shown()).toEqual({ lines: [...ONE, ...ONE, "undo ok"], hidden: 2 });
    expect(await shown("--all")).toEqual({
      lines: [...ONE, ...ONE, "history ok", "read ok", "undo ok"],
      hidden: 0,
    });
    const { out, err } = await holdfast("audit", "show");
    expect(err).toBe("holdfast: 2 read-only calls of your own hidden; --all shows them\n");
    expect(out).toMatch(/ undo \(you\) +ok /);
  });

  it("by session, by the first characters of it", async () => {
    const { shown, sessions } = busy();
    for (const session of sessions) expect((await shown("--session", session.slice(0, 8))).lines).toEqual(ONE);
  });

  it.each([
    { words: ["--tool", "write"], lines: ["write ok", "write ok"] },
    { words: ["--tool", "read"], lines: ["read ok", "read not_found", "read ok", "read not_found"] },
    { words: ["--tool", "wr*"], lines: ["write ok", "write ok"] },
    { words: ["--code", "not_found"], lines: ["read not_found", "read not_found"] },
    { words: ["--tool", "read", "--code", "ok", "--limit", "1"], lines: ["read ok"] },
    { words: ["--tool", "delete"], lines: [] },
    { words: ["--since", "2099-01-01"], lines: [] },
  ])("$words", async ({ words, lines }) => {
    expect((await busy().shown(...words)).lines).toEqual(lines);
  });

  it("says so when nothing fits, and what was meant by a code that there is not", async () => {
    const { holdfast } = busy();
    expect((await holdfast("audit", "show", "--tool", "delete")).out).toBe("No matching calls\n");
    const { code, err } = await holdfast("audit", "show", "--code", "notfound");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('"notfound": there is no such code; did you mean "not_found"?'),
    ]);
  });
});

it("says that the log is whole, and where it is not", async () => {
  const { holdfast, directory } = await place();
  expect(await holdfast("verify")).toMatchObject({ code: 0, out: "2 records in 1 file: intact\n" });
  const [name = ""] = readdirSync(directory).filter((each) => each.startsWith("audit-"));
  const text = readFileSync(join(directory, name), "utf8");
  writeFileSync(join(directory, name), text.replace('"newText":"2"', '"newText":"3"'));
  const { code, err } = await holdfast("verify");
  expect([code, err]).toEqual([1, `holdfast: ${name}:2: the record before it in its chain, ${name}:1, was altered\n`]);
});

it("is whole while servers of several directories write it, and afterwards", async () => {
  const [servers, calls] = [4, 60];
  const root = scratch(Object.fromEntries(Array.from({ length: servers }, (_, server) => [`${server}`, null])));
  const state = stateBeside(root);
  const holdfast = () => run(["audit", "verify", "--state", state]);
  const serve = async (server: number) => {
    const wire = await openGreeted(join(root, `${server}`), { args: ["--loop-detection", "off", "--state", state] });
    for (let id = 0; id < calls; id++) {
      wire.say(toolCall(id, "read", { path: `${server}-${id}-${"long".repeat(800)}` }));
      await wire.answer(id);
    }
    return wire.end();
  };
  const all = Promise.all(Array.from({ length: servers }, (_, server) => serve(server)));
  for (let time = 0; time < 5; time++) expect(await holdfast()).toMatchObject({ code: 0, err: "" });
  await all;
  expect((await holdfast()).out).toBe(`${servers * calls} records in 1 file: intact\n`);
});

it("tells which change wrote which line", async () => {
  const { holdfast, change } = await place();
  const { code, out } = await holdfast("blame", "a.txt");
  const [first, second] = out.split("\n");
  expect([code, first, second]).toEqual([
    0,
    expect.stringMatching(/^- .* 1 {2}one$/),
    expect.stringMatching(new RegExp(`^${change}  ${TIME}  [0-9a-f]{8}  edit  2  2$`)),
  ]);
});

it.each([
  { words: [], says: "give show, verify or blame" },
  { words: ["blame"], says: "the usage is holdfast audit blame <path>" },
  { words: ["verify", "x"], says: "the usage is holdfast audit verify" },
])("says how it is used: $words", async ({ words, says }) => {
  const { holdfast } = await place();
  const { code, err } = await holdfast(...words);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
});
