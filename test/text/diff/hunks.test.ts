import { describe, expect, it } from "vitest";
import { runInSlices } from "../../../src/base/time-slicing.ts";
import { unifiedDiff } from "../../../src/text/diff/diff.ts";
import { hunksIn } from "../../../src/text/diff/hunks.ts";
import { wordMarksOf } from "../../../src/text/diff/word-marks.ts";

const ALL = { mostLines: Infinity, mostChars: Infinity };

const diffOf = async (before: string, after: string, contextLines = 1): Promise<string> => {
  const work = unifiedDiff(before, after, { path: "a", contextLines, mostLines: Infinity, mostBytes: Infinity });
  return (await runInSlices(work, () => {})).text;
};

const numbered = (count: number): string => Array.from({ length: count }, (_, nth) => `line ${nth + 1}\n`).join("");

describe("hunksIn", () => {
  it("reads lines, numbers and marks", async () => {
    const diff = await diffOf("a\nconst one = 1;\nc\n", "a\nconst one = 2;\nc\n");
    expect(hunksIn(diff, ALL)).toEqual({
      lines: 4,
      hunks: [
        {
          oldStart: 1,
          newStart: 1,
          lines: [
            { sign: " ", text: "a" },
            { sign: "-", text: "const one = 1;", marks: [[12, 13]] },
            { sign: "+", text: "const one = 2;", marks: [[12, 13]] },
            { sign: " ", text: "c" },
          ],
        },
      ],
    });
  });

  it.each([
    { name: "nothing", diff: "", gives: [] },
    { name: "a rename alone", diff: "diff --git a/x b/y\nrename from x\nrename to y\n", gives: [] },
    { name: "a new file", diff: "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n", gives: [[1, 1, "+a+b"]] },
    { name: "a file that is gone", diff: "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", gives: [[1, 1, "-a"]] },
    {
      name: "lines that look like headings",
      diff: "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a\n+++ b\n @@ -1 +1 @@\n",
      gives: [[1, 1, "--- a+++ b @@ -1 +1 @@"]],
    },
    {
      name: "no line feed at the end",
      diff: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
      gives: [[1, 1, "-a+b"]],
    },
  ])("$name", ({ diff, gives }) => {
    const shown = hunksIn(diff, ALL).hunks.map(({ oldStart, newStart, lines }) => [
      oldStart,
      newStart,
      lines.map(({ sign, text }) => sign + text).join(""),
    ]);
    expect(shown).toEqual(gives);
  });

  it("comes in pages that together are the whole", async () => {
    const before = numbered(60);
    const after = before.replaceAll(/line (\d*[37])\n/g, "changed $1\nand added\n");
    const diff = await diffOf(before, after);
    const whole = hunksIn(diff, ALL).hunks.flatMap(({ oldStart, newStart, lines }) =>
      placed(oldStart, newStart, lines),
    );
    const paged: string[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const page = hunksIn(diff, { ...ALL, from, mostLines: 7 });
      expect(page.lines).toBeLessThanOrEqual(7);
      paged.push(...page.hunks.flatMap(({ oldStart, newStart, lines }) => placed(oldStart, newStart, lines)));
      from = page.next;
    }
    expect(paged).toEqual(whole);
  });

  it("cuts a line that is too long, and says so", () => {
    const [hunk] = hunksIn(`@@ -0,0 +1 @@\n+${"x".repeat(20)}\n`, { mostLines: 10, mostChars: 5 }).hunks;
    expect(hunk?.lines).toEqual([{ sign: "+", text: "xxxxx [Cut: 15 more characters]" }]);
  });
});

/** Returns each line with its numbers on both sides. */
function placed(old: number, fresh: number, lines: readonly { sign: string; text: string }[]): readonly string[] {
  return lines.map(({ sign, text }) => `${sign === "+" ? "" : old++} ${sign === "-" ? "" : fresh++} ${sign}${text}`);
}

describe("wordMarksOf", () => {
  it.each([
    ["let a = 1", "let b = 1", [[4, 5]], [[4, 5]]],
    ["f(x)", "f(x, y)", [], [[3, 6]]],
    ["say hello there", "say there", [[4, 10]], []],
    ["über alles", "unter alles", [[0, 4]], [[0, 5]]],
  ])("%s → %s", (before, after, old, fresh) => {
    expect(wordMarksOf(before, after)).toEqual({ before: old, after: fresh });
  });

  it.each([
    ["nothing in common", "alpha beta", "x(1);"],
    ["only spaces in common", "a b c d", "e f g h"],
    ["very long lines", "x ".repeat(600), "x ".repeat(601)],
  ])("marks nothing: %s", (_, before, after) => {
    expect(wordMarksOf(before, after)).toBeUndefined();
  });
});
