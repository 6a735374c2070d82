import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longestBlock, workFromNow } from "../work.ts";
import { callerOn, scratch } from "../runtime/scratch.ts";

const GIB = 1024 ** 3;

/** Promised are 100 ms. To finish these calls would take minutes of work. */
const PROMPT_MS = 1000;

const CANCELLED = {
  isError: true,
  code: "cancelled",
  text: "Cannot finish the call: it was cancelled\nThe caller cancelled this call",
  data: {
    error: {
      code: "cancelled",
      message: "Cannot finish the call: it was cancelled",
      hint: "The caller cancelled this call",
    },
  },
};

/** Mostly one line of NUL that the disk does not hold: to go through it takes longer than anybody waits. */
function plantEndless(root: string): void {
  const fd = openSync(join(root, "endless.txt"), "w");
  ftruncateSync(fd, 256 * GIB);
  writeSync(fd, "a few words\n".repeat(10_000), 0);
  closeSync(fd);
}

describe("a call that would take minutes stops at once", () => {
  it.each([
    { name: "finding a line far away", tool: "read", input: { path: "endless.txt", offset: 1e12 } },
    { name: "numbering the last line", tool: "read", input: { path: "endless.txt", offset: -1, line_numbers: true } },
    { name: "looking for the last line", tool: "read", input: { path: "endless.txt", offset: -1 } },
    { name: "a checksum by read", tool: "read", input: { path: "endless.txt", limit: 1, checksum: true } },
    { name: "a checksum by stat", tool: "stat", input: { path: "endless.txt", checksum: true } },
    { name: "several", tool: "stat", input: { paths: ["endless.txt", "endless.txt"], checksum: true } },
  ])("$name", async ({ tool, input }) => {
    const root = scratch();
    plantEndless(root);
    const caller = callerOn(root);
    const controller = new AbortController();
    const answered = caller(tool, input, { signal: controller.signal });
    await new Promise(setImmediate);
    controller.abort();
    const spent = workFromNow();
    expect(await answered).toEqual(CANCELLED);
    expect(spent()).toBeLessThan(PROMPT_MS);
    expect((await caller("read", { path: "endless.txt", limit: 1 })).data["content"]).toBe("a few words\n");
  });
});

it.each([
  ["tree", { limit: 1_000_000 }],
  ["find", { pattern: "f" }],
])("%s stops where it is", async (tool, input) => {
  const names = Array.from({ length: 300 }, (_, n) => [`d${n % 20}/e${n}/f`, null] as const);
  const caller = callerOn(scratch(Object.fromEntries(names)));
  const controller = new AbortController();
  let reports = 0;
  const progress = () => {
    reports++;
    controller.abort();
  };
  expect(await caller(tool, input, { signal: controller.signal, progress })).toEqual(CANCELLED);
  expect(reports).toBe(1);
});

it.each([
  ["read", { path: "a.txt" }],
  ["find", { pattern: "*" }],
  ["ls", {}],
  ["tree", {}],
  ["stat", { path: "a.txt" }],
  ["stat", { paths: ["a.txt"] }],
  ["read", { paths: ["a.txt"] }],
])("%s %o does nothing when it was cancelled before it began", async (tool, input) => {
  const caller = callerOn(scratch({ "a.txt": "a" }));
  expect(await caller(tool, input, { signal: AbortSignal.abort() })).toEqual(CANCELLED);
});

describe("a huge directory", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "crowded-")));
  beforeAll(() => {
    for (let n = 0; n < 25_000; n++) writeFileSync(join(home, `file-${n}`), "");
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each([
    ["ls", {}],
    ["ls", { sort_by: "size" }],
    ["ls", { sort_by: "-modified", limit: 1 }],
    ["ls", { limit: 100_000 }],
    ["tree", {}],
    ["find", { pattern: "*" }],
    ["find", { pattern: "*1*2*3*", sort_by: "-modified" }],
    ["find", { pattern: "*", group_by: "extension" }],
  ])("%s %o leaves room for a cancellation to arrive", async (tool, input) => {
    const caller = callerOn(home, { stateDirectory: join(scratch(), "state") });
    const call = async () => expect((await caller(tool, input)).isError).toBe(false);
    expect(await longestBlock(call)).toBeLessThan(PROMPT_MS / 4);
  });
});
