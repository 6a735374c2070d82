import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { type Caller, callerOn, scratch } from "./scratch.ts";

const READ = ["read", { path: "a.txt" }] as const;

/** The codes of so many calls in a row. */
async function codesOf(caller: Caller, times: number, [tool, input]: readonly [string, unknown] = READ) {
  const codes: string[] = [];
  for (let time = 0; time < times; time++) codes.push((await caller(tool, input)).code);
  return codes;
}

const all = (code: string, times: number = LIMITS.sameCallRepeats) => Array.from({ length: times }, () => code);
const open = (options = {}) => {
  const root = scratch({ "a.txt": "a\n", "b.txt": "b\n" });
  return { root, caller: callerOn(root, options) };
};

it("refuses the call after twenty of the same with the same answer, and says why", async () => {
  const { caller } = open();
  expect(await codesOf(caller, 22)).toEqual([...all("ok"), "loop", "loop"]);
  expect((await caller(...READ)).data).toEqual({
    error: {
      code: "loop",
      message: 'Cannot call "read" again: the same call gave the same answer 20 times',
      hint: "The same call keeps giving the same answer: change the approach",
    },
  });
});

it("refuses an endless row of the same failure too", async () => {
  const { caller } = open();
  expect(await codesOf(caller, 21, ["read", { path: "none.txt" }])).toEqual([...all("not_found"), "loop"]);
});

it("another call in between starts anew", async () => {
  const { caller } = open();
  await codesOf(caller, 20);
  expect((await caller("ls")).code).toBe("ok");
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
  await codesOf(caller, 10, ["read", { file_path: "a.txt", unit: "lines" }]);
  expect((await caller(...READ)).code).toBe("loop");
});

it("can be switched off", async () => {
  const { caller } = open({ loopDetection: false });
  expect(await codesOf(caller, 50)).toEqual(all("ok", 50));
});

it("does not take failures of other calls for repeats of this one", async () => {
  const { caller } = open();
  expect((await caller(...READ)).code).toBe("ok");
  await codesOf(caller, 20, ["no_such_tool", {}]);
  expect((await caller(...READ)).code).toBe("ok");
});

it("does not take calls with wrong arguments for repeats of the one before", async () => {
  const { caller } = open();
  expect((await caller(...READ)).code).toBe("ok");
  await codesOf(caller, 20, ["read", { path: 5 }]);
  expect((await caller(...READ)).code).toBe("ok");
});

it("alternating calls are no loop", async () => {
  const { caller } = open();
  const codes: string[] = [];
  for (let time = 0; time < 30; time++)
    codes.push((await caller(...READ)).code, (await caller("read", { path: "b.txt" })).code);
  expect(codes).toEqual(all("ok", 60));
});
