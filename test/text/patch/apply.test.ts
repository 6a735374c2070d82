import { describe, expect, it } from "vitest";
import { applyFilePatch } from "../../../src/text/patch/apply.ts";
import { parsePatch } from "../../../src/text/patch/parse.ts";
import { CLASSES, diff, envelope, patched, TWINS } from "./patched.ts";
import { runAtOnce } from "../run-at-once.ts";

const TEN = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

const ENVELOPES = [
  { name: "one line", text: "a\nb\nc\n", patch: envelope("@@", " a", "-b", "+B", " c"), want: "a\nB\nc\n" },
  { name: "without @@", text: "a\nb\nc\n", patch: envelope(" a", "-b", "+B"), want: "a\nB\nc\n" },
  { name: "lines that are only added", text: "a\nb\n", patch: envelope("@@", "+x", "+y"), want: "a\nb\nx\ny\n" },
  { name: "lines only added behind an open end", text: "a\nb", patch: envelope("+x"), want: "a\nb\nx" },
  { name: "a lone CR", text: "a\rb\nc\n", patch: envelope("-b", "+B", " c"), want: "a\rB\nc\n" },
  {
    name: "a line that ends with a lone CR",
    text: "a\rb\nc\n",
    patch: envelope("-a", "+A", "+x", " b"),
    want: "A\rx\rb\nc\n",
  },
  { name: "a lone CR within a line", text: "a\rb\nc\n", patch: envelope("-a\rb", "+x", " c"), want: "x\nc\n" },
  {
    name: "an indented end",
    text: "a\n",
    patch: `${envelope("-a", "+b").replace("*** End", " *** End")}\n\n`,
    want: "b\n",
  },
  {
    name: "an indented end in a fence",
    text: "a\n",
    patch: `\`\`\`\n${envelope("-a", "+b").replace("*** End", "  *** End")}\n\`\`\``,
    want: "b\n",
  },
  { name: "an indented header", text: "a\n", patch: envelope("-a", "+b").replace("*** Upd", "  *** Upd"), want: "b\n" },
  {
    name: "a context line that looks like the end",
    text: "a\n*** End Patch\n",
    patch: envelope("-a", "+b", " *** End Patch"),
    want: "b\n*** End Patch\n",
  },
  { name: "removal", text: "a\nb\nc\n", patch: envelope("-b"), want: "a\nc\n" },
  {
    name: "two hunks",
    text: TEN,
    patch: envelope("@@", "-2", "+two", "@@", "-9", "+nine"),
    want: TEN.replace("2", "two").replace("9", "nine"),
  },
  {
    name: "an anchor",
    text: TWINS,
    patch: envelope("@@ def b():", "-    x = 1", "+    x = 2"),
    want: "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 2\n    return x\n",
  },
  {
    name: "an anchor before its twin",
    text: TWINS,
    patch: envelope("@@ def a():", "-    x = 1", "+    x = 2"),
    want: TWINS.replace("1", "2"),
  },
  {
    name: "several anchors",
    text: CLASSES,
    patch: envelope("@@ class B:", "@@     def f(self):", "-        go()", "+        stop()"),
    want: CLASSES.replace(/go\(\)\n$/, "stop()\n"),
  },
  {
    name: "anchors trimmed",
    text: CLASSES,
    patch: envelope("@@ class A:", "@@ def f(self):", "-        go()", "+        stop()"),
    want: CLASSES.replace("go()", "stop()"),
  },
  {
    name: "an anchor that is repeated",
    text: TWINS,
    patch: envelope("@@ def b():", "-    x = 1", "+    x = 2", "@@ def b():", "-    return x", "+    return 0"),
    want: "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 2\n    return 0\n",
  },
  {
    name: "the start of an anchor",
    text: TWINS,
    patch: envelope("@@ def b", "-    x = 1", "+    x = 2"),
    want: "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 2\n    return x\n",
  },
  {
    name: "an anchor that is also context",
    text: TWINS,
    patch: envelope("@@ def b():", " def b():", "-    x = 1", "+    x = 2"),
    want: "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 2\n    return x\n",
  },
  {
    name: "a brace on the next line",
    text: "a()\n{\n  x;\n}\nb()\n{\n  x;\n}\n",
    patch: envelope("@@ a()", "-  x;", "+  y;"),
    want: "a()\n{\n  y;\n}\nb()\n{\n  x;\n}\n",
  },
  {
    name: "lines inserted behind an anchor",
    text: TWINS,
    patch: envelope("@@ def b():", "+    y = 0"),
    want: "def a():\n    x = 1\n    return x\n\ndef b():\n    y = 0\n    x = 1\n    return x\n",
  },
  {
    name: "lines inserted behind context",
    text: "a\nb\nc\n",
    patch: envelope(" a", "+x", "+y"),
    want: "a\nx\ny\nb\nc\n",
  },
  { name: "lines inserted before context", text: "a\nb\nc\n", patch: envelope("+x", " c"), want: "a\nb\nx\nc\n" },
  { name: "the end of the file", text: "x\ny\nx\n", patch: envelope("-x", "+z", "*** End of File"), want: "x\ny\nz\n" },
  { name: "lines added at the end", text: "a\n", patch: envelope("+b", "*** End of File"), want: "a\nb\n" },
  { name: "lines added to an empty file", text: "", patch: envelope("+a", "+b"), want: "a\nb\n" },
  { name: "lines added behind an open end", text: "a\nb", patch: envelope(" b", "+c"), want: "a\nb\nc" },
  { name: "the last line of an open end", text: "a\nb", patch: envelope("-b", "+c"), want: "a\nc" },
  { name: "an open end, elsewhere", text: "a\nb", patch: envelope("-a", "+x"), want: "x\nb" },
  { name: "an empty line as context", text: "a\n\nb\n", patch: envelope(" a", "", "-b", "+c"), want: "a\n\nc\n" },
  { name: "spacing before the end", text: "a\nb\n", patch: envelope("-a", "+x", "", ""), want: "x\nb\n" },
  { name: "trailing space in the file", text: "a  \nb\n", patch: envelope(" a", "-b", "+c"), want: "a  \nc\n" },
  { name: "trailing space in the patch", text: "a\nb\n", patch: envelope(" a  ", "-b ", "+c"), want: "a\nc\n" },
  {
    name: "indentation",
    text: "if x:\n    a\n    b\n",
    patch: envelope("-a", "-b", "+c", "+", "+  d"),
    want: "if x:\n    c\n\n      d\n",
  },
  {
    name: "indentation by tabs",
    text: "{\n\ta\n\tb\n}\n",
    patch: envelope(" a", "-b", "+c"),
    want: "{\n\ta\n\tc\n}\n",
  },
  {
    name: "look-alikes",
    text: "say “hi”\nnext\n",
    patch: envelope(' say "hi"', "-next", "+last"),
    want: "say “hi”\nlast\n",
  },
  {
    name: "CRLF",
    text: "a\r\nb\r\nc\r\n",
    patch: envelope(" a", "-b", "+x", "+y", " c"),
    want: "a\r\nx\r\ny\r\nc\r\n",
  },
  { name: "mixed endings", text: "a\nb\r\nc\n", patch: envelope("-a", "-b", "+A", "+B"), want: "A\nB\r\nc\n" },
  { name: "CRLF at an open end", text: "a\r\nb", patch: envelope(" b", "+c"), want: "a\r\nb\r\nc" },
  { name: "a byte-order mark", text: "\uFEFFa\nb\n", patch: envelope("-a", "+x"), want: "\uFEFFx\nb\n" },
  {
    name: "an insertion at the top behind a mark",
    text: "\uFEFFa\n",
    patch: envelope("+x", " a"),
    want: "\uFEFFx\na\n",
  },
  {
    name: "hunks out of order",
    text: TEN,
    patch: envelope("@@", "-9", "+nine", "@@", "-2", "+two"),
    want: TEN.replace("2", "two").replace("9", "nine"),
  },
  { name: "twins in order", text: "x\ny\nx\n", patch: envelope("@@", "-y", "+Y", "@@", "-x", "+X"), want: "x\nY\nX\n" },
  {
    name: "numbers in the envelope",
    text: "x\ny\nx\n",
    patch: envelope("@@ -3,1 +3,1 @@", "-x", "+X"),
    want: "x\ny\nX\n",
  },
  { name: "$& and backslashes", text: "a\n", patch: envelope("-a", "+$& \\n $1"), want: "$& \\n $1\n" },
  {
    name: "a line that looks like a header",
    text: "--- a\n",
    patch: envelope("---- a", "+*** End Patch"),
    want: "*** End Patch\n",
  },
];

describe("envelopes", () => {
  it.each(ENVELOPES)("$name", ({ text, patch, want }) => {
    expect(patched(text, patch)).toBe(want);
  });
});

const DIFFS = [
  { name: "one line", text: "a\nb\nc\n", patch: diff("@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"), want: "a\nB\nc\n" },
  { name: "counts left out", text: "a\n", patch: diff("@@ -1 +1 @@", "-a", "+b"), want: "b\n" },
  { name: "numbers left out", text: "a\nb\n", patch: diff("@@", "-b", "+c"), want: "a\nc\n" },
  { name: "dots for numbers", text: "a\nb\n", patch: diff("@@ ... @@", "-b", "+c"), want: "a\nc\n" },
  { name: "a section heading", text: "a\n", patch: diff("@@ -1,1 +1,1 @@ function f() {", "-a", "+b"), want: "b\n" },
  {
    name: "the line number tells twins apart",
    text: "x\ny\nx\ny\n",
    patch: diff("@@ -3,1 +3,1 @@", "-x", "+X"),
    want: "x\ny\nX\ny\n",
  },
  {
    name: "moved down",
    text: `0\n0\n${TEN}`,
    patch: diff("@@ -4,3 +4,3 @@", " 4", "-5", "+five", " 6"),
    want: `0\n0\n${TEN.replace("5", "five")}`,
  },
  {
    name: "moved up",
    text: TEN.slice(4),
    patch: diff("@@ -4,3 +4,3 @@", " 4", "-5", "+five", " 6"),
    want: TEN.slice(4).replace("5", "five"),
  },
  { name: "the nearer of two", text: `x\n${TEN}x\n`, patch: diff("@@ -2,1 +2,1 @@", "-x", "+X"), want: `X\n${TEN}x\n` },
  {
    name: "the second hunk moves like the first",
    text: `x\ny\n0\n0\nx\ny\nA\n${"-\n".repeat(5)}x\ny\n`,
    patch: diff("@@ -5,1 +5,1 @@", "-A", "+B", "@@ -11,2 +11,2 @@", "-x", "+X", " y"),
    want: `x\ny\n0\n0\nx\ny\nB\n${"-\n".repeat(5)}X\ny\n`,
  },
  {
    name: "fuzz of one line before",
    text: "A\nb\nc\nd\n",
    patch: diff("@@ -1,4 +1,4 @@", " a", " b", "-c", "+C", " d"),
    want: "A\nb\nC\nd\n",
  },
  {
    name: "fuzz of one line behind",
    text: "a\nb\nc\nD\n",
    patch: diff("@@ -1,4 +1,4 @@", " a", " b", "-c", "+C", " d"),
    want: "a\nb\nC\nD\n",
  },
  {
    name: "fuzz of two lines at both ends",
    text: "A\nB\nc\nd\ne\nF\nG\n",
    patch: diff("@@ -1,7 +1,7 @@", " a", " b", " c", "-d", "+D", " e", " f", " g"),
    want: "A\nB\nc\nD\ne\nF\nG\n",
  },
  { name: "trailing space", text: "a \nb\n", patch: diff("@@ -1,2 +1,2 @@", " a", "-b", "+c"), want: "a \nc\n" },
  { name: "an insertion without context", text: "a\nb\n", patch: diff("@@ -1,0 +2,1 @@", "+x"), want: "a\nx\nb\n" },
  { name: "an insertion at the top", text: "a\n", patch: diff("@@ -0,0 +1 @@", "+x"), want: "x\na\n" },
  {
    name: "an insertion by context",
    text: "a\nb\n",
    patch: diff("@@ -1,2 +1,3 @@", " a", "+x", " b"),
    want: "a\nx\nb\n",
  },
  {
    name: "a final newline comes",
    text: "a",
    patch: diff("@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+a"),
    want: "a\n",
  },
  {
    name: "a final newline goes",
    text: "a\n",
    patch: diff("@@ -1 +1 @@", "-a", "+a", "\\ No newline at end of file"),
    want: "a",
  },
  {
    name: "no final newline, before and behind",
    text: "a",
    patch: diff("@@ -1 +1,2 @@", "-a", "\\ No newline at end of file", "+a", "+b", "\\ No newline at end of file"),
    want: "a\nb",
  },
  {
    name: "no final newline in the context",
    text: "a\nb",
    patch: diff("@@ -1,2 +1,2 @@", "-a", "+x", " b", "\\ No newline at end of file"),
    want: "x\nb",
  },
  {
    name: "a final newline that the patch does not mention",
    text: "a\nb",
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", "+c"),
    want: "a\nc",
  },
  {
    name: "CRLF in the file",
    text: "a\r\nb\r\n",
    patch: diff("@@ -1,2 +1,3 @@", " a", "-b", "+c", "+d"),
    want: "a\r\nc\r\nd\r\n",
  },
  {
    name: "CRLF in the patch",
    text: "a\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " a", "-b", "+c", "").replaceAll("\n", "\r\n"),
    want: "a\nc\n",
  },
  {
    name: "CRLF in both",
    text: "a\r\nb\r\n",
    patch: diff("@@ -1,2 +1,2 @@", " a\r", "-b\r", "+c\r"),
    want: "a\r\nc\r\n",
  },
  {
    name: "CRLF in the lines of the patch alone",
    text: "a\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " a\r", "-b\r", "+c\r"),
    want: "a\nc\n",
  },
  {
    name: "endings are what changes",
    text: "a\r\nb\r\n",
    patch: diff("@@ -1,2 +1,2 @@", "-a\r", "-b\r", "+a", "+b"),
    want: "a\nb\n",
  },
  {
    name: "a removed line like a header",
    text: "-- x\ny\n",
    patch: diff("@@ -1,2 +1,2 @@", "--- x", "+++ x", " y"),
    want: "++ x\ny\n",
  },
  {
    name: "an empty context line without its space",
    text: "a\n\nb\n",
    patch: diff("@@ -1,3 +1,3 @@", " a", "", "-b", "+c"),
    want: "a\n\nc\n",
  },
  {
    name: "a byte-order mark in the patch",
    text: "\uFEFFa\nb\n",
    patch: diff("@@ -1,2 +1,2 @@", " \uFEFFa", "-b", "+c"),
    want: "\uFEFFa\nc\n",
  },
  { name: "everything goes", text: "a\n", patch: diff("@@ -1 +0,0 @@", "-a"), want: "" },
];

describe("unified diffs", () => {
  it.each(DIFFS)("$name", ({ text, patch, want }) => {
    expect(patched(text, patch)).toBe(want);
  });
});

it("reports where each hunk went", () => {
  const [file] = runAtOnce(parsePatch(diff("@@ -1,3 +1,3 @@", " x", " a", "-b", "+B", "@@ -5 +5 @@", "-e", "+E")));
  if (file?.kind !== "update") throw new Error("No update");
  expect(runAtOnce(applyFilePatch("0\ny\na\nb\nc\ne\n", file))).toEqual({
    splices: [
      { start: 6, end: 8, text: "B\n", tier: "exact" },
      { start: 10, end: 12, text: "E\n", tier: "exact" },
    ],
    tier: "exact",
    hunks: [
      { line: 3, tier: "exact", fuzz: 1, offset: 1 },
      { line: 6, tier: "exact", fuzz: 0, offset: 1 },
    ],
  });
});

it("deletes a file that holds what the patch says", () => {
  expect(patched("a\nb", "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n")).toBe("");
});

it("plans nothing for a mere rename", () => {
  const [file] = runAtOnce(parsePatch("*** Begin Patch\n*** Update File: f\n*** Move to: g\n*** End Patch"));
  if (file?.kind !== "update") throw new Error("No update");
  expect(runAtOnce(applyFilePatch("a\n", file))).toEqual({ splices: [], tier: "exact", hunks: [] });
});
