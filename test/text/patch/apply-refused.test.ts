import { expect, it } from "vitest";
import { applyFilePatch } from "../../../src/text/patch/apply.ts";
import { parsePatch } from "../../../src/text/patch/parse.ts";
import { faultOf } from "../fault-of.ts";
import { CLASSES, diff, envelope, patched, TWINS } from "./patched.ts";
import { runAtOnce } from "../run-at-once.ts";

const REFUSED = [
  {
    name: "lines that are not there",
    text: "a\nb\n",
    patch: envelope("-zzz", "+y"),
    code: "no_match",
    says: "Cannot patch f: hunk 1 (line 3 of the patch) is not in the file",
  },
  {
    name: "the closest lines",
    text: "alpha\nbeta\n",
    patch: envelope(" alpha", "-betta", "+x"),
    code: "no_match",
    says: 'line 2: you wrote "betta", the file has "beta"',
  },
  {
    name: "a second hunk",
    text: "a\nb\n",
    patch: envelope("-a", "+x", "@@", "-q", "+y"),
    code: "no_match",
    says: "hunk 2 (line 5 of the patch)",
  },
  {
    name: "twins",
    text: TWINS,
    patch: envelope("-    x = 1", "+    x = 2"),
    code: "many_matches",
    says: "fits 2 places equally well\nline 2:     x = 1\nline 6:     x = 1",
  },
  {
    name: "twins inside an anchor",
    text: "class A:\n  x\n  x\n",
    patch: envelope("@@ class A:", "-  x", "+  y"),
    code: "many_matches",
    says: "line 2:   x\nline 3:   x",
  },
  {
    name: "twins of the anchor",
    text: CLASSES,
    patch: envelope("@@     def f(self):", "-        go()", "+        stop()"),
    code: "many_matches",
    says: "line 3:         go()\nline 7:         go()",
  },
  {
    name: "an insertion behind twins",
    text: CLASSES,
    patch: envelope("@@     def f(self):", "+        x"),
    code: "many_matches",
    says: "fits 2 places",
  },
  {
    name: "twins at other depths",
    text: "  a\n  b\n    a\n    b\n",
    patch: envelope(" a", "-b", "+c"),
    code: "many_matches",
    says: "line 1:   a\nline 3:     a",
  },
  {
    name: "an anchor that is not there",
    text: TWINS,
    patch: envelope("@@ def c():", "-    x = 1", "+    x = 2"),
    code: "no_match",
    says: 'has the context "def c():", which is not in the file',
  },
  {
    name: "not at the end",
    text: "a\nb\n",
    patch: envelope("-a", "+x", "*** End of File"),
    code: "no_match",
    says: "is not at the end of the file",
  },
  {
    name: "an insertion beyond the end",
    text: "a\n",
    patch: diff("@@ -9,0 +10,1 @@", "+x"),
    code: "no_match",
    says: "at a line that the file does not have",
  },
  {
    name: "tabs that would meet spaces",
    text: "\ta\n\tb\n",
    patch: envelope("-a", "-b", "+    c"),
    code: "no_match",
    says: "the file has a tab",
  },
  {
    name: "a patch applied before",
    text: "a\nnew\nc\n",
    patch: diff("@@ -1,3 +1,3 @@", " a", "-old", "+new", " c"),
    code: "no_match",
    says: "its result is in the file already, at line 1",
  },
  { name: "no change", text: "a\n", patch: envelope("-a", "+a"), code: "no_change", says: "already has this text" },
  {
    name: "as far above as below",
    text: `x\n1\n2\n3\nx\n`,
    patch: diff("@@ -3,1 +3,1 @@", "-x", "+y"),
    code: "many_matches",
    says: "line 1: x\nline 5: x",
  },
  {
    name: "nearly as far above as below",
    text: `x\n1\n2\n3\n4\nx\n`,
    patch: diff("@@ -3,1 +3,1 @@", "-x", "+y"),
    code: "many_matches",
    says: "fits 2 places",
  },
  {
    name: "fuzz of three lines",
    text: "A\nB\nC\nd\n",
    patch: diff("@@ -1,4 +1,4 @@", " a", " b", " c", "-d", "+D"),
    code: "no_match",
    says: "is not in the file",
  },
  {
    name: "fuzz on a removed line",
    text: "A\nb\n",
    patch: diff("@@ -1,2 +1,1 @@", "-a", " b"),
    code: "no_match",
    says: "is not in the file",
  },
  {
    name: "hunks that overlap",
    text: "a\nb\nc\n",
    patch: envelope("-b", "-c", "+x", "@@", "-a", "-b", "+y"),
    code: "overlap",
    says: "two hunks change the same text",
  },
  {
    name: "more than the deletion knows",
    text: "a\nb\n",
    patch: "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    code: "no_match",
    says: "holds more than the patch deletes",
  },
];

it.each(REFUSED)("refuses $name", ({ text, patch, code, says }) => {
  const fault = faultOf(() => patched(text, patch));
  expect(fault.message).toContain(says);
  expect(fault.code).toBe(code);
});

it("names hunk and places in the details", () => {
  const [file] = runAtOnce(parsePatch(envelope("@@", "-x", "+y")));
  if (file?.kind !== "update") throw new Error("No update");
  expect(() => runAtOnce(applyFilePatch("x\nx\n", file))).toThrow(
    expect.objectContaining({
      details: { path: "f", hunk: 1, line: 3, matches: 2, lines: [1, 2], tier: "exact" },
    }),
  );
});
