import { closeSync, ftruncateSync, openSync, readFileSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { sha256 } from "../../src/base/version.ts";
import { treeOf } from "../crash/home.ts";
import { callerOn, scratch } from "../runtime/scratch.ts";
import type { Call } from "../workspace/changes/random-changes.ts";

const MIDDLE = "line\n".repeat((LIMITS.hashedBytes * 2) / 5);
const append = (path: string): Call => ({ tool: "write", input: { path, content: "more\n", append: true } });
const copy = (source: string, destination: string): Call => ({ tool: "copy", input: { source, destination } });

/** Makes a sparse file that is too large to be edited. */
function layLarge(path: string): void {
  writeFileSync(path, "first\n");
  const fd = openSync(path, "r+");
  ftruncateSync(fd, LIMITS.editBytes + LIMITS.scanBytes);
  writeSync(fd, "last\n", LIMITS.editBytes + LIMITS.scanBytes - 5);
  closeSync(fd);
}

const SEQUENCES: Readonly<Record<string, readonly Call[]>> = {
  "create; append": [{ tool: "write", input: { path: "n", content: MIDDLE } }, append("n")],
  "create; append; append": [{ tool: "write", input: { path: "n", content: MIDDLE } }, append("n"), append("n")],
  "write; append": [
    { tool: "write", input: { path: "d/m", content: `new\n${MIDDLE}`, overwrite: true } },
    append("d/m"),
  ],
  "copy; append": [copy("d/m", "c"), append("c")],
  "copy a tree; append": [copy("d", "e"), append("e/m")],
  "copy; move; append": [copy("d/m", "c"), { tool: "move", input: { source: "c", destination: "c2" } }, append("c2")],
  "copy a large file; append": [copy("large", "c"), append("c")],
  "copy a large file; append; append": [copy("large", "c"), append("c"), append("c")],
  "copy a tree with a large file; append": [copy("d", "e"), append("e/large")],
};

function laidOut(sequence: string): string {
  const root = scratch({ "d/m": MIDDLE, "d/f": "f\n" });
  if (sequence.includes("large")) layLarge(join(root, sequence.includes("tree") ? "d/large" : "large"));
  return root;
}

/** Returns the tree with long contents as hashes. */
const stateOf = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(treeOf(root)).map(([path, state]) => [path, sha256(Buffer.from(state, "latin1"))]));

describe("files whose version is made of their times", () => {
  it.each(Object.entries(SEQUENCES))("%s: undone one by one, as each dry run says", async (sequence, calls) => {
    const root = laidOut(sequence);
    const call = callerOn(root, { loopDetection: false });
    const states: unknown[] = [];
    for (const { tool, input } of calls) {
      states.unshift(stateOf(root));
      expect((await call(tool, input)).code).toBe("ok");
    }
    for (const state of states) {
      expect((await call("undo", { dry_run: true })).text).toContain("Nothing was changed; this is a dry run");
      const { code, text } = await call("undo");
      expect([code, text]).toEqual(["ok", expect.any(String)]);
      expect(stateOf(root)).toEqual(state);
    }
  });

  it("differ when a byte differs, whatever their times", async () => {
    const root = laidOut("a large file");
    const call = callerOn(root);
    for (const { tool, input } of [copy("large", "c"), append("c")]) await call(tool, input);
    expect((await call("undo")).code).toBe("ok");
    const fd = openSync(join(root, "c"), "r+");
    writeSync(fd, "x", LIMITS.editBytes);
    closeSync(fd);
    utimesSync(join(root, "c"), new Date(), new Date());
    const before = sha256(readFileSync(join(root, "c")));
    expect((await call("undo")).text).toContain('"c": it was changed since');
    expect(sha256(readFileSync(join(root, "c")))).toBe(before);
  });

  it("are compared without blocking other calls", async () => {
    const root = laidOut("a large file");
    const call = callerOn(root);
    for (const { tool, input } of [copy("large", "c"), append("c")]) await call(tool, input);
    await call("undo");
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const began = performance.now();
    expect((await call("undo", { dry_run: true })).code).toBe("ok");
    clearInterval(timer);
    expect([turns > 1, performance.now() - began < 30_000]).toEqual([true, true]);
  });
});
