import { expect, it } from "vitest";
import { planEdits } from "../../../src/text/edit/edit.ts";
import { applySplices } from "../../../src/text/edit/splice.ts";
import { type DoneRow, edited } from "./row.ts";
import { runAtOnce } from "../run-at-once.ts";

const EXACT: readonly DoneRow[] = [
  { name: "one word", text: "a b c", old: "b", new: "x", want: "a x c" },
  { name: "the whole text", text: "a", old: "a", new: "b", want: "b" },
  { name: "removal", text: "a b c", old: " b", new: "", want: "a c" },
  { name: "several lines", text: "1\n2\n3\n", old: "1\n2\n", new: "x\n", want: "x\n3\n" },
  { name: "$& is no pattern", text: "cost", old: "cost", new: "$& $1 $$ $` $'", want: "$& $1 $$ $` $'" },
  { name: "a backslash is no escape", text: "a", old: "a", new: "\\t\\n\\\\", want: "\\t\\n\\\\" },
  { name: "a pattern is plain text", text: "a.c abc", old: "a.c", new: "x", want: "x abc" },
  { name: "brackets are plain text", text: "f(x)[0]*", old: "(x)[0]*", new: "()", want: "f()" },
  { name: "case counts", text: "Foo foo", old: "foo", new: "bar", want: "Foo bar" },
  { name: "no final newline is invented", text: "a\nb", old: "b", new: "c", want: "a\nc" },
  { name: "a final newline may go", text: "a\n", old: "a\n", new: "a", want: "a" },
  { name: "a final newline may come", text: "a", old: "a", new: "a\n", want: "a\n" },
  { name: "beside a byte-order mark", text: "\uFEFFa b", old: "a", new: "x", want: "\uFEFFx b" },
  { name: "the mark in the old text", text: "\uFEFFa b", old: "\uFEFFa", new: "\uFEFFx", want: "\uFEFFx b" },
  { name: "the mark in the old text alone", text: "\uFEFFa b", old: "\uFEFFa", new: "x", want: "\uFEFFx b" },
  { name: "a second mark inside", text: "\uFEFFa\n\uFEFFb", old: "\uFEFFb", new: "b", want: "\uFEFFa\nb" },
  { name: "emoji", text: "a 🎉 b", old: "🎉", new: "🎈", want: "a 🎈 b" },
  { name: "exact beats look-alikes", text: 'say “hi”\nsay "hi"', old: 'say "hi"', new: "x", want: "say “hi”\nx" },
  { name: "exact beats indentation", text: "\ta\n\tb\na\nb\n", old: "\na\nb\n", new: "\nx\n", want: "\ta\n\tb\nx\n" },
  { name: "exact beats trailing space", text: "a \nb\na\nb\n", old: "a\nb", new: "x", want: "a \nb\nx\n" },
  { name: "a mark the old text spells out", text: "cafe\u0301", old: "e\u0301", new: "e", want: "cafe" },
  { name: "a stem before an Indic vowel sign", text: "कमा", old: "कम", new: "गम", want: "गमा" },
  { name: "NUL and controls", text: "a\0b\x1bc", old: "\0b", new: "", want: "a\x1bc" },
  { name: "white space alone", text: "a  b", old: "  ", new: " ", want: "a b" },
  { name: "an empty line", text: "a\n\n\nb", old: "\n\n\n", new: "\n\n", want: "a\n\nb" },
  { name: "replaceAll", text: "a-a-a", old: "a", new: "b", options: { replaceAll: true }, want: "b-b-b" },
  { name: "replaceAll from the left", text: "aaaaa", old: "aa", new: "b", options: { replaceAll: true }, want: "bba" },
  { name: "replaceAll, growing", text: "a", old: "a", new: "aa", options: { replaceAll: true }, want: "aa" },
  { name: "count", text: "a a", old: "a", new: "b", count: 2, want: "b b" },
  { name: "count 1", text: "a b", old: "a", new: "c", count: 1, want: "c b" },
  {
    name: "count and replaceAll",
    text: "a a",
    old: "a",
    new: "b",
    count: 2,
    options: { replaceAll: true },
    want: "b b",
  },
];

it.each(EXACT)("exact: $name", (row) => {
  expect(edited(row)).toEqual({ text: row.want, tier: "exact" });
});

const SEVERAL = [
  {
    name: "in any order",
    text: "a b c",
    edits: [
      ["c", "3"],
      ["a", "1"],
    ],
    want: "1 b 3",
  },
  {
    name: "side by side",
    text: "ab",
    edits: [
      ["a", "1"],
      ["b", "2"],
    ],
    want: "12",
  },
  {
    name: "swapped, because all see the original",
    text: "a b",
    edits: [
      ["a", "b"],
      ["b", "a"],
    ],
    want: "b a",
  },
  {
    name: "one does not see what another wrote",
    text: "a b",
    edits: [
      ["a", "bb"],
      ["b", "c"],
    ],
    want: "bb c",
  },
  {
    name: "of different tiers",
    text: "a\r\nb\r\n“c”\r\n",
    edits: [
      ["a\nb", "x"],
      ['"c"', "y"],
    ],
    want: "x\r\ny\r\n",
  },
] as const;

it.each(SEVERAL)("several edits: $name", ({ text, edits, want }) => {
  const plan = runAtOnce(
    planEdits(
      text,
      edits.map(([oldText, newText]) => ({ oldText, newText })),
    ),
  );
  expect(applySplices(text, plan.splices)).toBe(want);
});

it("reports every splice, sorted, and the loosest tier", () => {
  const plan = runAtOnce(
    planEdits("a b\r\nc\r\n", [
      { oldText: "b\nc", newText: "x" },
      { oldText: "a", newText: "y" },
    ]),
  );
  expect(plan).toEqual({
    splices: [
      { start: 0, end: 1, text: "y", tier: "exact" },
      { start: 2, end: 6, text: "x", tier: "line_endings" },
    ],
    tier: "line_endings",
    warnings: [],
  });
});

const WARNED = [
  { name: "one escape", new: "a\\nb", want: 1 },
  { name: "several", new: "a\\nb\\nc", want: 1 },
  { name: "with a line break", new: "a\\nb\nc", want: 0 },
  { name: "no escape", new: "a", want: 0 },
  { name: "a tab escape", new: "a\\tb", want: 0 },
];

it.each(WARNED)("warns of a literal \\n: $name", ({ new: newText, want }) => {
  expect(runAtOnce(planEdits("x", [{ oldText: "x", newText }])).warnings).toHaveLength(want);
});

it("says in the warning which edit and how many", () => {
  const edits = [
    { oldText: "x", newText: "1" },
    { oldText: "y", newText: "a\\nb\\nc" },
  ];
  expect(runAtOnce(planEdits("x y", edits)).warnings).toEqual([
    'edit 2 of 2: newText has 2 literal "\\n" and no line break; it stays as it is, a backslash and an "n"',
  ]);
});
