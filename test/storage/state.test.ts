import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { identityOf, OWN_PROCESS } from "../../src/base/process-identity.ts";
import { registerStore } from "../../src/storage/local/state/registered-stores.ts";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import { createState } from "../../src/storage/local/state/state.ts";
import type { ObjectName } from "../../src/storage/writer.ts";
import { createMemoryState } from "../../src/storage/memory/state.ts";
import { scratch } from "../runtime/scratch.ts";

const LONG = "é".repeat(LIMITS.stepBytes);

const STATES = [
  { kind: "on the disk", make: () => createState(scratch()) },
  { kind: "in memory", make: createMemoryState },
];

const fail = (): never => {
  throw new Error("mine");
};

describe.each(STATES)("state $kind", ({ make }) => {
  it.each([
    { name: "of no file", text: undefined, last: "" },
    { name: "of an empty file", text: "", last: "" },
    { name: "alone", text: "one\n", last: "one" },
    { name: "without its end", text: "tw", last: "" },
    { name: "before one without its end", text: "one\ntw", last: "one" },
    { name: "before a long one without its end", text: `one\ntwo\n${LONG}`, last: "two" },
    { name: "after others", text: "one\ntwo\n", last: "two" },
    { name: "that is longer than a step", text: `one\n${LONG}\n`, last: LONG },
    {
      name: "that begins with a step",
      text: `${"x".repeat(9)}\n${"y".repeat(LIMITS.stepBytes - 1)}\n`,
      last: "y".repeat(LIMITS.stepBytes - 1),
    },
    { name: "after a long one", text: `${LONG}\nend\n`, last: "end" },
  ])("returns the last line $name", ({ text, last }) => {
    const state = make();
    if (text !== undefined) state.write("lines", text);
    expect(state.lastLine("lines")).toBe(last);
  });

  it.each([
    { name: "of no file", text: undefined, first: "" },
    { name: "of an empty file", text: "", first: "" },
    { name: "before others", text: "é\ntwo\n", first: "é" },
  ])("returns the first line $name", ({ text, first }) => {
    const state = make();
    if (text !== undefined) state.write("lines", text);
    expect(state.firstLine("lines")).toBe(first);
  });

  it("writes, appends, moves and removes files", () => {
    const state = make();
    state.write("folder/a", "one\n");
    state.append("folder/a", "zwölf\n");
    state.append("folder/b", "two\n");
    expect([state.read("folder/a"), state.readBytes("folder/b")]).toEqual(["one\nzwölf\n", Buffer.from("two\n")]);
    state.move("folder/b", "other/c");
    state.move("folder/nothing", "other/d");
    state.remove("folder/nothing");
    expect([state.list("folder"), state.list("other"), state.list("none")]).toEqual([["a"], ["c"], []]);
    state.move("other/c", "folder/a");
    expect([state.read("folder/a"), state.list("other")]).toEqual(["two\n", []]);
    state.remove("folder/a");
    expect([state.read("folder/a"), state.readBytes("folder/a"), state.list("folder")]).toEqual([null, null, []]);
  });

  it("lists the files at the top", () => {
    const state = make();
    state.write("top", "");
    state.write("folder/a", "");
    expect(state.list(".")).toEqual(["top"]);
  });

  it("grows a log by whole lines, and truncates it by bytes", () => {
    const state = make();
    const log = state.open("pending/log");
    log.add("één");
    const added = log.addedBytes();
    log.add("twëe");
    log.truncate(added);
    log.add("drie");
    expect([added, log.addedBytes(), state.read("pending/log")]).toEqual([6, 11, "één\ndrie\n"]);
    log.close();
    const again = state.reopen("pending/log");
    again?.add("vier");
    again?.truncate(0);
    expect([state.read("pending/log"), state.reopen("pending/none")]).toEqual(["één\ndrie\n", undefined]);
    again?.close();
  });

  it("knows when a log was moved away or replaced", () => {
    const state = make();
    const log = state.open("pending/log");
    expect(log.isInPlace()).toBe(true);
    state.move("pending/log", "changes/log");
    expect(log.isInPlace()).toBe(false);
    state.write("pending/log", "another");
    expect(log.isInPlace()).toBe(false);
    log.close();
  });

  it("keeps writing to a log that was moved", () => {
    const state = make();
    const log = state.open("pending/log");
    log.add("one");
    state.move("pending/log", "changes/log");
    log.add("two");
    log.close();
    expect(state.read("changes/log")).toBe("one\ntwo\n");
  });

  it("overwrites one character at a byte", () => {
    const state = make();
    state.write("a", "é1\n");
    expect([state.overwrite("a", 2, "-"), state.read("a"), state.overwrite("b", 0, "-")]).toEqual([
      true,
      "é-\n",
      false,
    ]);
  });

  it("counts on, whatever is wanted", () => {
    const state = make();
    expect([state.nextNumber(5), state.nextNumber(3), state.nextNumber(9)]).toEqual([5, 6, 9]);
  });

  it("runs work under the lock, and passes on its error", async () => {
    const state = make();
    expect(await state.locked(() => 7)).toBe(7);
    await expect(state.locked(fail)).rejects.toThrow("mine");
    expect(await state.locked(() => 8)).toBe(8);
  });
});

it("removes what killed processes left before they renamed it, and nothing of live ones", async () => {
  const home = scratch();
  mkdirSync(join(home, "locks"));
  const alive = `fresh-${identityOf(process.ppid)}`;
  const left = [`fresh-${OWN_PROCESS}1`, alive, "locks/new-killed", "locks/new-empty"];
  for (const name of left) writeFileSync(join(home, name), name.endsWith("killed") ? `${OWN_PROCESS}1` : "");
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 2 * LIMITS.lockSilentMs);
  await createState(home).locked(() => {});
  clock.mockRestore();
  expect(readdirSync(home).toSorted()).toEqual(["format", alive, "locks"]);
  expect(readdirSync(join(home, "locks"))).toEqual([`owner-${OWN_PROCESS}`]);
});

it("creates no store in a directory of another workspace", () => {
  const [home, root, other] = [scratch(), scratch(), scratch()];
  registerStore(home, "0123456789ab", other);
  const { writer } = createLocalStorage([root], { writerOptions: { stateDirectory: home, durability: "process" } });
  if (writer?.kind !== "transactional") throw new Error("a local storage can be changed");
  expect(writer.writer.stat("0123456789ab/objects/a-0" as ObjectName)).toBeNull();
  expect(readdirSync(other)).toEqual([]);
});
