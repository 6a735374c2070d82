import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CODES, createHoldfast, Fault } from "../../src/index.ts";
import { layout } from "../layout.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";

const open = (root: string, options = {}) =>
  createHoldfast({ roots: [root], stateDirectory: stateBeside(root), ...options });

it("calls a tool and closes", async () => {
  const holdfast = open(scratch({ "a.txt": "a\n" }));
  expect(await holdfast.call("read", { path: "a.txt" })).toEqual({
    isError: false,
    text: "a\n",
    data: {
      path: "a.txt",
      content: "a\n",
      encoding: "utf-8",
      version: expect.stringMatching(/^c-/),
      size: 2,
      modified: expect.stringMatching(/Z$/),
      total_lines: 1,
      truncated: false,
    },
  });
  holdfast.close();
  holdfast.close();
});

it("never rejects for what a tool finds: a fault is an answer", async () => {
  const holdfast = open(scratch());
  const inputs = [undefined, null, 5, "x", [], {}, { path: 1 }, { path: "none" }, { path: "../x" }, { path: "\0" }];
  const answers = await Promise.all(inputs.map((input) => holdfast.call<string>("read", input)));
  const codes = answers.map(({ isError, data }) => [isError, (data["error"] as { code: string }).code]);
  expect(codes).toEqual([
    ...Array.from({ length: 7 }, () => [true, "invalid_input"]),
    [true, "not_found"],
    [true, "outside_workspace"],
    [true, "invalid_input"],
  ]);
  holdfast.close();
});

it("keeps what it answered once", async () => {
  const holdfast = open(scratch({ "a.txt": "" }));
  const { data } = await holdfast.call("session", {});
  const then = structuredClone(data);
  await holdfast.call("ls", {});
  expect(data).toEqual(then);
  holdfast.close();
});

it("tells what was changed, and takes it back", async () => {
  const root = scratch({ "a.txt": "one\n" });
  const holdfast = open(root);
  const { data: written } = await holdfast.call("write", { path: "a.txt", content: "two\n" });
  const changeId = String(written["change_id"]);
  const { data: history } = await holdfast.history({ path: "a.txt", limit: 1 });
  expect(history).toMatchObject({ changes: [{ change_id: changeId, tool: "write", files: [{ path: "a.txt" }] }] });
  expect((await holdfast.undo({ changeId, dryRun: true })).data).toMatchObject({ undone: [changeId] });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("two\n");
  expect((await holdfast.undo()).data).toMatchObject({ undone: [changeId] });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
  expect((await holdfast.history({ signal: AbortSignal.abort() })).data["error"]).toMatchObject({ code: "cancelled" });
  expect((await holdfast.undo()).data["error"]).toMatchObject({ code: "no_change" });
  holdfast.close();
});

it("changes nothing when it is read-only", async () => {
  const root = scratch({ "a.txt": "one\n" });
  const holdfast = open(root, { readOnly: true });
  const { isError } = await holdfast.call("write", { path: "a.txt", content: "two\n" });
  expect([isError, readFileSync(join(root, "a.txt"), "utf8")]).toEqual([true, "one\n"]);
  expect((await holdfast.undo()).isError).toBe(true);
  holdfast.close();
});

it.each([
  { name: "an agent", options: {}, hours: 24 },
  { name: "a person", options: { principal: "user" }, hours: 168 },
  { name: "as told", options: { trashHours: 2 }, hours: 2 },
  { name: "as told, through a power cut", options: { durability: "power", trashHours: 3 }, hours: 3 },
])("keeps what $name deletes for $hours hours", async ({ options, hours }) => {
  const holdfast = open(scratch({ "a.txt": "" }), options);
  const { data } = await holdfast.call("delete", { path: "a.txt" });
  const left = Date.parse(String(data["recoverable_until"])) - Date.now();
  expect(Math.round(left / 3_600_000)).toBe(hours);
  holdfast.close();
});

it("stops by a signal", async () => {
  const holdfast = open(scratch({ "a.txt": "" }));
  const { data } = await holdfast.call("ls", {}, { signal: AbortSignal.abort() });
  expect(data["error"]).toMatchObject({ code: "cancelled" });
  holdfast.close();
});

it.each([
  { name: "no root", roots: [] },
  { name: "a missing root", roots: ["none"] },
])("throws for $name", ({ roots }) => {
  const root = scratch();
  const given = roots.map((name) => join(root, name));
  expect(() => createHoldfast({ roots: given, stateDirectory: stateBeside(root) })).toThrow(Fault);
});

it.each([
  { given: undefined, says: 'Cannot start: give the options as an object, such as { roots: ["/project"] }' },
  { given: "/project", says: 'Cannot start: give the options as an object, such as { roots: ["/project"] }' },
  {
    given: {},
    says: 'Cannot start: the option "roots" is missing: give a list of directories or named storages, such as ["/project"]',
  },
  { given: { root: "x" }, says: 'Cannot start: there is no option "root"; did you mean "roots"?' },
  {
    given: { roots: [], zzzz: 1 },
    says: expect.stringMatching(/"zzzz"; there are roots, storages, sources, /) as string,
  },
  {
    given: { roots: "/tmp" },
    says: 'Cannot start: the option "roots" is wrong: give a list of directories or named storages, such as ["/project"]',
  },
  {
    given: { roots: [1] },
    says: 'Cannot start: the option "roots" is wrong: give a list of directories or named storages, such as ["/project"]',
  },
  {
    given: { roots: ["."], readOnly: "yes" },
    says: 'Cannot start: the option "readOnly" is wrong: give true or false',
  },
  {
    given: { roots: ["."], dialect: "picoclaw" },
    says: 'Cannot start: the option "dialect" is wrong: give what loadDialect resolves to',
  },
])("says what is wrong with the options $given", ({ given, says: message }) => {
  expect(() => createHoldfast(given as never)).toThrow(expect.objectContaining({ name: "Fault", message }));
});

it("tells of roots that it had to skip", () => {
  const root = scratch();
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const none = join(root, "none");
  createHoldfast({ roots: [root, none], stateDirectory: stateBeside(root), warn }).close();
  expect(warnings).toEqual([expect.stringContaining(`${JSON.stringify(none)}: it does not exist`)]);
});

it.each(Object.entries(CODES))("the code %s has a hint and a kind", (code, { kind, hint }) => {
  expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(kind).toMatch(/^(input|denied|missing|conflict|stopped|internal)$/);
  expect(hint).toMatch(/^[A-Z].*[^.]$/);
});

it("goes on after a loop when a person has looked", async () => {
  const holdfast = open(scratch({ "a.txt": "a\n" }), { loopDetection: { warningThreshold: 1, criticalThreshold: 2 } });
  const read = async () => (await holdfast.call("read", { path: "a.txt" })).isError;
  expect([await read(), await read(), await read()]).toEqual([false, false, true]);
  holdfast.resetLoopGuard();
  expect(await read()).toBe(false);
  holdfast.close();
});

it("watches in a loop, from the moment it is ready, and ends with the loop", async () => {
  const root = scratch({ "a.txt": "1", "b.md": "1" });
  const holdfast = open(root);
  const events = await holdfast.watch(".", { pattern: "*.txt" });
  writeFileSync(join(root, "b.md"), "not asked for");
  writeFileSync(join(root, "a.txt"), "2");
  const seen: unknown[] = [];
  for await (const event of events) {
    seen.push(event);
    if (seen.length === 1) renameSync(join(root, "a.txt"), join(root, "c.txt"));
    if (seen.length === 2) break;
  }
  expect(seen).toEqual([
    { type: "modify", path: "a.txt" },
    { type: "rename", path: "c.txt", from: "a.txt" },
  ]);
  expect((await holdfast.call("watch", { watch_id: "w1" })).isError).toBe(true);
  holdfast.close();
});

it("a loop ends with its signal, and with the handle", async () => {
  const holdfast = open(scratch({ "a.txt": "1" }));
  const ending = new AbortController();
  const loops = [await holdfast.watch(".", { signal: ending.signal }), await holdfast.watch(".")];
  const ends = loops.map((events) => events.next());
  ending.abort();
  expect(await ends[0]).toEqual({ done: true, value: undefined });
  holdfast.close();
  expect(await ends[1]).toEqual({ done: true, value: undefined });
});

it("a watch that cannot be is a fault", async () => {
  const holdfast = open(scratch());
  await expect(holdfast.watch("none")).rejects.toMatchObject({ name: "Fault", code: "not_found" });
  await expect(holdfast.watch("../x")).rejects.toMatchObject({ code: "outside_workspace" });
  holdfast.close();
});

it("has rules by absolute paths hold where a link leads to the root", async () => {
  const home = layout(["real/a.txt = A", "link => real"]);
  const path = `${home}/link/a.txt`;
  const policy = { rules: [{ act: "read" as const, path, decide: "blocked" as const }] };
  const holdfast = createHoldfast({ roots: [`${home}/link`], stateDirectory: `${home}/state`, policy });
  const { isError, text } = await holdfast.call("read", { path: "a.txt" });
  expect([isError, text]).toEqual([true, expect.stringContaining("a rule of the user")]);
});
