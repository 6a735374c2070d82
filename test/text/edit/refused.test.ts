import { expect, it } from "vitest";
import { planEdits } from "../../../src/text/edit/edit.ts";
import { edited } from "./row.ts";
import { faultOf } from "../fault-of.ts";
import { runAtOnce } from "../run-at-once.ts";

const MANY_LINES = Array.from({ length: 30 }, (_, index) => `x = ${index};\n`).join("");

const REFUSED = [
  { name: "nothing to find", text: "a", old: "", new: "b", code: "invalid_input", says: "oldText is empty" },
  { name: "a mark alone", text: "\uFEFFa", old: "\uFEFF", new: "b", code: "invalid_input", says: "oldText is empty" },
  { name: "count 0", text: "a", old: "a", new: "b", count: 0, code: "invalid_input", says: "count must be" },
  { name: "half a count", text: "a", old: "a", new: "b", count: 1.5, code: "invalid_input", says: "count must be" },
  { name: "the same text", text: "a", old: "a", new: "a", code: "no_change", says: "are the same" },
  {
    name: "the same but for blanks the file has not",
    text: "a\n",
    old: "a ",
    new: "a",
    code: "no_change",
    says: "already has this text",
  },
  {
    name: "the same but for the mark",
    text: "\uFEFFa",
    old: "\uFEFFa",
    new: "a",
    code: "no_change",
    says: "already has this text",
  },
  {
    name: "endings the file has already",
    text: "a\r\nb",
    old: "a\nb",
    new: "a\r\nb",
    code: "no_change",
    says: "already has this text",
  },
  { name: "an empty file", text: "", old: "a", new: "b", code: "no_match", says: "it is empty" },
  { name: "nothing alike", text: "a\n", old: "zebra", new: "b", code: "no_match", says: "nothing in it is similar" },
  {
    name: "two places",
    text: "a\nb\na\n",
    old: "a",
    new: "c",
    code: "many_matches",
    says: "2 times, not once\nline 1: a\nline 3: a",
  },
  { name: "overlapping places", text: "aaa", old: "aa", new: "b", code: "many_matches", says: "2 times, not once" },
  { name: "fewer than count", text: "a a", old: "a", new: "b", count: 3, code: "many_matches", says: "2 times, not 3" },
  { name: "one, but count says 2", text: "a", old: "a", new: "b", count: 2, code: "many_matches", says: "once, not 2" },
  {
    name: "more than count",
    text: "a a a",
    old: "a",
    new: "b",
    count: 2,
    code: "many_matches",
    says: "3 times, not 2",
  },
  {
    name: "thirty places",
    text: MANY_LINES,
    old: "x = ",
    new: "y",
    code: "many_matches",
    says: "line 10: x = 9;\n[20 more places]",
  },
  {
    name: "two places in CRLF",
    text: "a\r\nb\r\na\r\nb",
    old: "a\nb",
    new: "c",
    code: "many_matches",
    says: "line 1: a\nline 3: a",
  },
  {
    name: "two depths",
    text: "  a\n  b\n    a\n    b\n",
    old: "a\nb\n",
    new: "c\n",
    code: "many_matches",
    says: "line 1:   a\nline 3:     a",
  },
  { name: "two look-alikes", text: "‘a’ ’a’", old: "'a'", new: "b", code: "many_matches", says: "2 times" },
  {
    name: "half a letter",
    text: "cafe\u0301",
    old: "cafe",
    new: "tea",
    code: "no_match",
    says: "oldText is not in the file",
  },
  {
    name: "half a surrogate pair",
    text: "🎉",
    old: "\uD83C",
    new: "x",
    code: "no_match",
    says: "oldText is not in the file",
  },
  {
    name: "half a family",
    text: "’👩\u200D👧’",
    old: "'👩",
    new: "x",
    code: "no_match",
    says: "oldText is not in the file",
  },
  {
    name: "half a line break",
    text: "a\r\nb",
    old: "a\r",
    new: "x",
    code: "no_match",
    says: "oldText is not in the file",
  },
  {
    name: "a blank for a line break",
    text: "a\nb",
    old: "a b",
    new: "x",
    code: "no_match",
    says: "oldText is not in the file",
  },
  {
    name: "more blank lines than there are",
    text: "a\n\nb",
    old: "a\n\n\nb",
    new: "x",
    code: "no_match",
    says: "not in the file",
  },
  {
    name: "fewer blanks inside a line",
    text: "a  b",
    old: "a b",
    new: "x",
    code: "no_match",
    says: 'the file has "a  b"',
  },
  {
    name: "a blank that a word would lose",
    text: "foobar",
    old: "foo ",
    new: "x",
    code: "no_match",
    says: "not in the file",
  },
  {
    name: "a tab for spaces and a word moved",
    text: "if a:\n\tb\n  c\n",
    old: "if a:\n    b\n    c\n",
    new: "x",
    code: "no_match",
    says: "line 2: you wrote 4 spaces, the file has a tab",
  },
  {
    name: "lines shifted unevenly",
    text: "  a\n    b\n",
    old: "a\nb\n",
    new: "c\n",
    code: "no_match",
    says: "line 2: you wrote no white space, the file has 4 spaces",
  },
  {
    name: "tabs that would meet spaces",
    text: "\ta\n\tb\n",
    old: "a\nb\n",
    new: "a\n    c\n",
    code: "no_match",
    says: "the file has a tab",
  },
  {
    name: "a dedent beyond the margin",
    text: "a\nb\n",
    old: "  a\n  b\n",
    new: "  a\nb2\n",
    code: "no_match",
    says: "you wrote 2 spaces",
  },
  {
    name: "a typing error",
    text: "one\nfunction total(a) {\n",
    old: "function totl(a) {",
    new: "x",
    code: "no_match",
    says: 'line 2: you wrote "function totl(a) {", the file has "function total(a) {"',
  },
  {
    name: "another case",
    text: "const Name = 1;\n",
    old: "const name = 1;",
    new: "x",
    code: "no_match",
    says: "line 1 comes closest",
  },
  {
    name: "a line left out",
    text: "a = 1\nb = 2\nc = 3\n",
    old: "a = 1\nc = 3\n",
    new: "x",
    code: "no_match",
    says: 'line 2: the file has "b = 2", which you left out',
  },
  {
    name: "a line too many",
    text: "a = 1\nc = 3\n",
    old: "a = 1\nb = 2\nc = 3\n",
    new: "x",
    code: "no_match",
    says: 'line 2: you wrote "b = 2", which is not there',
  },
  {
    name: "beyond the end",
    text: "a = 1\nb = 2\n",
    old: "a = 1\nb = 2\nc = 3\n",
    new: "x",
    code: "no_match",
    says: 'the file ends at line 2; you wrote "c = 3"',
  },
  {
    name: "what is done already",
    text: "a\nnew line\n",
    old: "old line",
    new: "new line",
    code: "no_match",
    says: "newText is in the file already, at line 2",
  },
  {
    name: "a long line",
    text: `${"x".repeat(5000)}const a=1;const b=2;`,
    old: "const a=1;const c",
    new: "y",
    code: "no_match",
    says: 'column 5001: the first 16 characters fit; then you wrote "c", the file has "b=2;"',
  },
] as const;

it.each(REFUSED)("refuses $name", ({ code, says, ...row }) => {
  const fault = faultOf(() => edited(row));
  expect(fault.code).toBe(code);
  expect(fault.message).toContain(says);
  expect(fault.message).toMatch(/^Cannot apply the edit: /);
});

it("shows the closest lines with their numbers", () => {
  const text = "alpha = 1\nbeta = 2\ngamma = 3\ndelta = 4\n";
  const fault = faultOf(() => edited({ name: "", text, old: "beta = 2\ngama = 3\n", new: "x" }));
  expect(fault).toEqual({
    code: "no_match",
    message: [
      "Cannot apply the edit: oldText is not in the file; lines 2-3 come closest",
      'line 3: you wrote "gama = 3", the file has "gamma = 3"',
      "The file has:",
      "1\talpha = 1",
      "2\tbeta = 2",
      "3\tgamma = 3",
    ].join("\n"),
    details: { edit: 0, closest: { first: 2, last: 3 } },
  });
});

it("lists the places with details", () => {
  expect(faultOf(() => edited({ name: "", text: "a\nb a\n", old: "a", new: "x" }))).toEqual({
    code: "many_matches",
    message: "Cannot apply the edit: oldText is in the file 2 times, not once\nline 1: a\nline 2: b a",
    details: { edit: 0, matches: 2, lines: [1, 2], tier: "exact" },
  });
});

const OVERLAPS = [
  { name: "one inside the other", text: "a b c", edits: ["a b c", "b"] },
  { name: "one after the other's start", text: "a b c", edits: ["a b", "b c"] },
  { name: "the same twice", text: "a b c", edits: ["b", "b"] },
  { name: "found by different tiers", text: "a\r\nb\r\nc", edits: ["a\nb", "b\nc"] },
] as const;

it.each(OVERLAPS)("refuses overlapping edits: $name", ({ text, edits }) => {
  const fault = faultOf(() =>
    runAtOnce(
      planEdits(
        text,
        edits.map((oldText, index) => ({ oldText, newText: `new ${index}` })),
      ),
    ),
  );
  expect(fault.code).toBe("overlap");
  expect(fault.message).toMatch(/^Cannot apply the edits: edit 1 and edit 2 touch the same text in line \d$/);
});

it("names the edit that fails, and applies none", () => {
  const edits = [
    { oldText: "a", newText: "x" },
    { oldText: "q", newText: "y" },
  ];
  expect(faultOf(() => runAtOnce(planEdits("a b", edits))).message).toMatch(/^Cannot apply edit 2 of 2: /);
});

it("refuses an empty list", () => {
  expect(faultOf(() => runAtOnce(planEdits("a", []))).code).toBe("invalid_input");
});
