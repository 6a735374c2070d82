import { describe, expect, it } from "vitest";
import { Fault } from "../../src/base/errors.ts";
import { applyFilePatch } from "../../src/text/patch/apply.ts";
import { parsePatch } from "../../src/text/patch/parse.ts";
import type { UpdateFile } from "../../src/text/patch/file-patch.ts";
import { workFromNow } from "../work.ts";
import { runAtOnce } from "../text/run-at-once.ts";

const MIB = 1024 ** 2;
const BEGIN = "*** Begin Patch\n";
const END = "*** End Patch\n";
const UPDATE = "*** Update File: f\n";
const HUNK = "@@\n-a\n+b\n";

describe("others get their turn while a patch is read", () => {
  it.each([
    { name: "a diff of many hunks", input: `--- a/f\n+++ b/f\n${"@@ -1 +1 @@\n-a\n+b\n".repeat(80_000)}` },
    {
      name: "a diff of one large hunk",
      input: `--- a/f\n+++ b/f\n@@ -1,120000 +1,120000 @@\n${"-a\n+b\n".repeat(120_000)}`,
    },
    { name: "a diff of many files", input: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n".repeat(40_000) },
    { name: "an envelope of many hunks", input: `${BEGIN}${UPDATE}${"@@ x\n-a\n+b\n".repeat(80_000)}${END}` },
    { name: "an envelope of many files", input: `${BEGIN}${"*** Delete File: f\n".repeat(200_000)}${END}` },
    { name: "a large new file", input: `${BEGIN}*** Add File: f\n${"+a\n".repeat(240_000)}${END}` },
    { name: "much talk before the patch", input: `${"talk\n".repeat(200_000)}${BEGIN}${UPDATE}${HUNK}${END}` },
  ])("$name", ({ input }) => {
    expect([...parsePatch(input)].length).toBeGreaterThan(100);
  });
});

/** Linear work takes a fraction of a second; quadratic work would take minutes. */
const WORK_MS = 5000;

describe("the time to read a patch grows with its length only", () => {
  it.each([
    { name: "blanks in a header", input: `${BEGIN}${UPDATE}@@ ${" ".repeat(4 * MIB)}x\n-a\n+b\n${END}` },
    { name: "blanks behind the end", input: `${BEGIN}${UPDATE}${HUNK}${END}${" ".repeat(4 * MIB)}!` },
    { name: "anchors in a row", input: `${BEGIN}${UPDATE}${"@@ a\n".repeat(200_000)}-a\n+b\n${END}` },
    {
      name: "envelopes behind talk",
      input: `${"x\n".repeat(100_000)}${`${BEGIN}${UPDATE}${HUNK}${END}`.repeat(20_000)}`,
    },
    { name: "open quotes", input: `diff --git "${'\\"'.repeat(4 * MIB)}` },
    { name: "a quoted name", input: `diff --git "${"\\a".repeat(4 * MIB)}" "b"` },
    { name: "a quoted name in a header", input: `--- "${"\\a".repeat(4 * MIB)}"\n+++ b/f\n` },
  ])("$name", ({ input }) => {
    const spent = workFromNow();
    const read = attempt(() => runAtOnce(parsePatch(input)));
    expect(spent()).toBeLessThan(WORK_MS);
    expect(read instanceof Error ? read : undefined).toBeOneOf([undefined, expect.any(Fault)]);
  });
});

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

it("many hunks whose numbers are right are found among equal lines without a search", () => {
  const hunks = Array.from({ length: 20_000 }, (_, at) => `@@ -${10 * at + 1} +${10 * at + 1} @@\n-a\n+b\n`);
  const [file] = runAtOnce(parsePatch(`--- a/f\n+++ b/f\n${hunks.join("")}`));
  const { splices } = runAtOnce(applyFilePatch("a\n".repeat(200_000), file as UpdateFile));
  expect(splices.map(({ start }) => start)).toEqual(hunks.map((_, at) => 20 * at));
});
