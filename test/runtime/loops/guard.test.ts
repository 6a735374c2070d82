import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWN_PROCESS } from "../../../src/base/process-identity.ts";
import { createLoopGuard, type LoopDetection, type LoopGuard } from "../../../src/runtime/loops/guard.ts";
import { signatureOf } from "../../../src/runtime/loops/signatures.ts";
import type { Options } from "../../../src/app/options.ts";
import { loadDialect } from "../../../src/dialects/load.ts";
import { textOf } from "../../../src/tools/tool.ts";
import { appOn, type Caller, callerOf, scratch } from "../scratch.ts";

const READ = ["read", { path: "a.txt" }] as const;
type Made = readonly [tool: string, input?: unknown];

/** The codes of so many calls in a row. */
async function codesOf(caller: Caller, times: number, [tool, input]: Made = READ) {
  const codes: string[] = [];
  for (let time = 0; time < times; time++) codes.push((await caller(tool, input)).code);
  return codes;
}

const all = (code: string, times = 20) => Array.from({ length: times }, () => code);
const open = (options: Partial<Options> = {}) => {
  const root = scratch({ "a.txt": "a\n", "b.txt": "b\n" });
  const app = appOn(root, options);
  return { root, app, caller: callerOf(app) };
};

it("refuses the call after twenty of the same with the same answer, and says what to do instead", async () => {
  const { caller } = open();
  expect(await codesOf(caller, 22)).toEqual([...all("ok"), "loop", "loop"]);
  expect((await caller(...READ)).data).toEqual({
    error: {
      code: "loop",
      message:
        'Cannot call "read" again: the same call gave the same answer 22 times; use that answer, or ask for something else',
      hint: "The same call keeps giving the same answer: change the approach",
      level: "critical",
      detector: "genericRepeat",
      times: 22,
    },
  });
});

it("warns from the tenth time on, where the model reads", async () => {
  const { caller } = open();
  expect(await codesOf(caller, 8)).toEqual(all("ok", 8));
  expect((await caller(...READ)).text).toBe("a\n");
  const warning =
    "Note: the same call gave the same answer 10 times; after 20 the call is refused. " +
    "Better: use that answer, or ask for something else";
  const { text, data } = await caller(...READ);
  expect([text, data["loop_warning"], data["content"]]).toEqual([`a\n\n${warning}`, warning, "a\n"]);
});

it.each([
  { name: "at the top", one: { a: 1, b: 2 }, other: { b: 2, a: 1 } },
  { name: "in objects in objects", one: { x: { a: 1, b: { c: 1, d: 2 } } }, other: { x: { b: { d: 2, c: 1 }, a: 1 } } },
  { name: "in objects in lists", one: { x: [0, [{ a: 1, b: 2 }]] }, other: { x: [0, [{ b: 2, a: 1 }]] } },
])("keys $name in another order make the same call", ({ one, other }) => {
  const guard = createLoopGuard();
  const given = { code: "ok", blocks: [{ kind: "text", text: "same" }], data: {} } as const;
  const warnings = Array.from({ length: 10 }, (_, time) =>
    guard.begin({ tool: "notes__add", input: time % 2 === 0 ? one : other, isPoll: false })(given),
  );
  expect(warnings.at(-1)).toContain("the same call gave the same answer 10 times");
});

it.each([
  { name: "values in a list", one: { x: [1, 2] }, other: { x: [2, 1] } },
  { name: "values that trade keys", one: { a: 1, b: 2 }, other: { a: 2, b: 1 } },
  { name: "a key that objects have by themselves", one: JSON.parse('{"__proto__":1}'), other: {} },
])("$name in another order make another call", ({ one, other }) => {
  const signs = [one, other].map((input: unknown) => signatureOf({ tool: "notes__add", input, isPoll: false }));
  expect(new Set(signs).size).toBe(2);
});

it("stops the session after thirty, until another call is made", async () => {
  const { app, caller } = open();
  await codesOf(caller, 30);
  const stopped = {
    code: "loop",
    message:
      'Cannot call "read": this session only repeats itself and has stopped; make a different call, ' +
      `or ask the user to run: holdfast approvals reset ${app.session.facts.id.slice(0, 8)}`,
    hint: "The same call keeps giving the same answer: change the approach",
    level: "breaker",
  };
  expect((await caller(...READ)).data).toEqual({ error: stopped });
  expect(app.suspensions.list()).toMatchObject([
    { session: app.session.facts.id, tool: "read", roots: app.session.workspace.roots.map(({ real }) => real) },
  ]);
  expect((await caller("ls")).code).toBe("ok");
  expect(app.suspensions.list()).toEqual([]);
  expect(await codesOf(caller, 3)).toEqual(["ok", "loop", "loop"]);
});

it("removes the files of stopped sessions whose process has exited", async () => {
  const { app, caller } = open();
  const folder = join(app.stateDirectory, "stopped");
  mkdirSync(folder, { recursive: true });
  const stopped = { session: "dead", roots: [], tool: "read", timeMs: 1, process: `${OWN_PROCESS}1` };
  writeFileSync(join(folder, "dead"), JSON.stringify(stopped));
  await codesOf(caller, 31);
  expect(readdirSync(folder)).toEqual([app.session.facts.id]);
});

it.each(["5", "{}", "null", '{"session":"s","tool":"read","timeMs":1,"process":5}', "{"])(
  "leaves a stopped session out whose file is damaged: %s",
  (text) => {
    const { app } = open();
    mkdirSync(join(app.stateDirectory, "stopped"), { recursive: true });
    writeFileSync(join(app.stateDirectory, "stopped", "one"), text);
    expect(app.suspensions.list()).toEqual([]);
  },
);

it("a mark that is taken away lets the session go on, and no other", async () => {
  const { app, caller } = open();
  await codesOf(caller, 31);
  app.suspensions.of("another").remove();
  expect(await codesOf(caller, 1)).toEqual(["loop"]);
  app.suspensions.of(app.session.facts.id).remove();
  expect(await codesOf(caller, 21)).toEqual([...all("ok"), "loop"]);
});

it("a mark that cannot be made is no leave to go on", async () => {
  const { app, caller } = open();
  mkdirSync(join(app.stateDirectory, "stopped", app.session.facts.id, "x"), { recursive: true });
  await codesOf(caller, 31);
  rmSync(join(app.stateDirectory, "stopped"), { recursive: true });
  expect(await codesOf(caller, 2)).toEqual(["loop", "loop"]);
});

it("stops the session after thirty, until a person has looked", async () => {
  const { app, caller } = open();
  await codesOf(caller, 31);
  app.session.loop.reset();
  expect(await codesOf(caller, 21)).toEqual([...all("ok"), "loop"]);
});

it("whoever does something else may look once more", async () => {
  const { root, caller } = open();
  await codesOf(caller, 21);
  await caller("ls");
  expect(await codesOf(caller, 2)).toEqual(["ok", "loop"]);
  await caller("stat", { path: "a.txt" });
  appendFileSync(join(root, "a.txt"), "more\n");
  expect(await codesOf(caller, 21)).toEqual([...all("ok"), "loop"]);
});

it("another outcome is progress", async () => {
  const { root, caller } = open();
  await codesOf(caller, 19);
  appendFileSync(join(root, "a.txt"), "more\n");
  expect(await codesOf(caller, 21)).toEqual([...all("ok"), "loop"]);
});

it("the same arguments in another spelling are the same call", async () => {
  const { caller } = open();
  await codesOf(caller, 10);
  await codesOf(caller, 10, ["read", { unit: "lines", file_path: "a.txt" }]);
  expect((await caller(...READ)).code).toBe("loop");
});

it("can be switched off", async () => {
  const { caller } = open({ loopDetection: false });
  expect(await codesOf(caller, 50)).toEqual(all("ok", 50));
});

it("lets programs repeat on purpose", async () => {
  const { caller } = open();
  for (let time = 0; time < 40; time++) await caller(...READ, { repeats: true });
  expect((await caller(...READ)).data["loop_warning"]).toBe(undefined);
});

it("a session that stopped over a tool that does not exist goes on with what it did before", async () => {
  const { caller } = open();
  expect((await caller(...READ)).code).toBe("ok");
  expect(await codesOf(caller, 12, ["cat", {}])).toEqual([...all("unknown_tool", 7), ...all("loop", 5)]);
  expect((await caller(...READ)).code).toBe("ok");
});

it.each([
  { dialect: undefined, tool: "watch", begin: { path: "." } },
  { dialect: "capabilities", tool: "filesystem__watch", begin: { path: "." } },
])("knows a poll by what it is, in $dialect too", async ({ dialect, tool, begin }) => {
  const { app } = open(dialect ? { dialect: await loadDialect(dialect) } : {});
  const ask = (input: object) => app.surface.call({ tool, input, signal: new AbortController().signal });
  await ask(begin);
  const polls = [];
  // How long each would wait makes no other call of it.
  for (let ms = 0; ms < 10; ms++) polls.push(await ask({ watch_id: "w1", wait_ms: ms }));
  expect(textOf(polls.at(-2)?.blocks ?? [])).not.toContain("Note:");
  expect(textOf(polls.at(-1)?.blocks ?? [])).toContain("Note: nothing has moved in 10 looks;");
});

it("knows waiting for a yes as a poll", async () => {
  const { caller } = open();
  const warnings = [];
  for (let time = 0; time < 10; time++) warnings.push((await caller("session", { approval_id: "none" })).text);
  expect(warnings.at(-1)).toContain("Note: nothing has moved in 10 looks;");
});

it("takes a hidden tool for a refusal", async () => {
  const { caller } = open({ readOnly: true });
  const codes = await codesOf(caller, 8, ["write", { path: "x", content: "" }]);
  expect(codes).toEqual([...all("denied", 7), "loop"]);
});

it("does not take calls with wrong arguments for repeats of the one before", async () => {
  const { caller } = open();
  expect((await caller(...READ)).code).toBe("ok");
  expect(await codesOf(caller, 21, ["read", { path: 5 }])).toEqual([...all("invalid_input"), "loop"]);
  expect((await caller(...READ)).code).toBe("ok");
});

it("survives arguments that have no JSON form", async () => {
  const { caller } = open();
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  expect(await codesOf(caller, 3, ["read", circular])).toEqual(all("invalid_input", 3));
});

it("notices a change in an answer too long to be remembered", async () => {
  const { root, caller } = open();
  appendFileSync(join(root, "a.txt"), "x".repeat(5000));
  for (let time = 0; time < 40; time++) {
    appendFileSync(join(root, "b.txt"), `${"y".repeat(100)}${time}\n`);
    expect((await caller("find", { pattern: "*", sort_by: "size" })).code).toBe("ok");
    expect((await caller("read", { path: "b.txt" })).code).toBe("ok");
  }
});

const given = (text: string, code = "ok") => ({ code, blocks: [{ kind: "text" as const, text }], data: {} });

/** After how many of the same calls the guard warns, refuses and stops. */
function levelsOf(guard: LoopGuard, code = "ok"): readonly number[] {
  const levels: number[] = [];
  const reach = (level: number, time: number) => void (levels[level] ??= time);
  for (let time = 1; time <= 60; time++) {
    try {
      if (guard.begin({ tool: "t", input: {}, isPoll: false })(given("same", code)) !== undefined) reach(0, time);
    } catch (error) {
      reach((error as { details: { level: string } }).details.level === "breaker" ? 2 : 1, time);
    }
  }
  return levels;
}

describe("thresholds", () => {
  it.each<{ name: string; options: LoopDetection; code?: string; levels: readonly number[] }>([
    { name: "as documented", options: {}, levels: [10, 21, 31] },
    { name: "refusals", options: {}, code: "denied", levels: [4, 8, 11] },
    { name: "failures that are no refusals", options: {}, code: "not_found", levels: [10, 21, 31] },
    {
      name: "as said",
      options: { warningThreshold: 3, criticalThreshold: 5, globalCircuitBreakerThreshold: 7 },
      levels: [3, 6, 8],
    },
    { name: "a breaker beyond the history", options: { globalCircuitBreakerThreshold: 40 }, levels: [10, 21, 41] },
    { name: "a short history", options: { historySize: 5 }, levels: [10, 21, 31] },
    {
      name: "all the same",
      options: { warningThreshold: 5, criticalThreshold: 5, globalCircuitBreakerThreshold: 5 },
      levels: [5, 7, 8],
    },
    {
      name: "very low ones, and a refusal",
      options: { warningThreshold: 1, criticalThreshold: 1, globalCircuitBreakerThreshold: 1 },
      code: "denied",
      levels: [2, 4, 5],
    },
    { name: "switched off", options: { enabled: false }, levels: [] },
    { name: "without the detector", options: { detectors: { genericRepeat: false } }, levels: [] },
    { name: "without another detector", options: { detectors: { pingPong: false } }, levels: [10, 21, 31] },
    {
      name: "refusals without their detector",
      options: { detectors: { repeatedRefusals: false } },
      code: "denied",
      levels: [],
    },
  ])("$name", ({ options, code, levels }) => expect(levelsOf(createLoopGuard(options), code)).toEqual(levels));

  it.each([0, -1, 1.5, Number.NaN])("%s is refused", (warningThreshold) => {
    expect(() => createLoopGuard({ warningThreshold })).toThrow(
      `Cannot use tools.loopDetection.warningThreshold ${warningThreshold}: give a whole number above 0`,
    );
  });
});

describe("answers that differ only by", () => {
  const long = "a line of the answer\n".repeat(100);
  it.each([
    { name: "a time", one: "at 2026-03-01T10:00:00.123Z", other: "at 2026-03-01T11:12:13Z", isSame: true },
    { name: "a date", one: "on 2026-03-01", other: "on 2027-12-24", isSame: true },
    { name: "a clock", one: "[10:00:01]", other: "[9:59:59.5]", isSame: true },
    { name: "seconds since 1970", one: "t=1767225600", other: "t=1767225699", isSame: true },
    { name: "milliseconds since 1970", one: "t=1767225600123", other: "t=1767225699456", isSame: true },
    { name: "a process id", one: "pid 17", other: "pid 4242", isSame: true },
    { name: "a process id in other dress", one: "PID: 17", other: "PID: 18", isSame: true },
    { name: "milliseconds", one: "took 9 ms", other: "took 10ms", isSame: true },
    { name: "seconds with a fraction", one: "in 1.25s", other: "in 12.5 seconds", isSame: true },
    { name: "minutes and seconds", one: "for 59s", other: "for 1m30s", isSame: true },
    { name: "a time in a long answer", one: `${long}10:00:01`, other: `${long}10:00:02`, isSame: true },
    { name: "a percentage", one: "41 %", other: "42 %", isSame: false },
    { name: "a count", one: "12 of 60 done", other: "13 of 60 done", isSame: false },
    { name: "a size", one: "12 MB", other: "13 MB", isSame: false },
    { name: "a line number", one: "a.ts:10:4", other: "a.ts:11:4", isSame: false },
    { name: "a word", one: "waiting", other: "running", isSame: false },
    { name: "one letter of a long answer", one: `${long}x`, other: `${long}y`, isSame: false },
    { name: "length, in a long answer", one: long, other: `${long}\n`, isSame: false },
  ])("$name", ({ one, other, isSame }) => {
    const guard = createLoopGuard({ warningThreshold: 4 });
    const warnings = [one, other, one, other, one].map((text) =>
      guard.begin({ tool: "t", input: {}, isPoll: false })(given(text)),
    );
    expect(warnings.some((warning) => warning !== undefined)).toBe(isSame);
  });
});

it("knows a poll as one that a hook refuses, however long each would wait", async () => {
  const { caller } = open({ hooks: [{ beforeCall: () => ({ block: "not now" }) }] });
  const codes: string[] = [];
  for (let ms = 0; ms < 12; ms++) codes.push((await caller("watch", { watch_id: "w1", wait_ms: ms })).code);
  expect(codes.at(-1)).toBe("loop");
});

it("warns of and refuses a call of a dialect that fails again and again", async () => {
  const { root, app } = open({ dialect: await loadDialect("mcp-filesystem") });
  const request = { tool: "read_text_file", input: { path: join(root, "missing.txt") }, signal: { aborted: false } };
  const codes: string[] = [];
  for (let time = 0; time < 22; time++) codes.push((await app.surface.call(request)).code);
  expect(codes).toEqual([...all("not_found"), "loop", "loop"]);
});
