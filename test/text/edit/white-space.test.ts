import { expect, it } from "vitest";
import { type DoneRow, edited } from "./row.ts";

const TRAILING: readonly DoneRow[] = [
  { name: "in the file", text: "a  \nb\n", old: "a\nb", new: "a\nc", want: "a  \nc\n" },
  { name: "in the old text", text: "a\nb\n", old: "a  \nb", new: "a  \nc", want: "a\nc\n" },
  { name: "tabs", text: "a\t\nb\n", old: "a\nb", new: "x\ny", want: "x\ny\n" },
  { name: "behind the last line", text: "a \nb  \nc\n", old: "a\nb\n", new: "a\nb\nB\n", want: "a \nb  \nB\nc\n" },
  { name: "a last line that goes on", text: "a \nb  \nc\n", old: "a\nb", new: "a\nb\nB", want: "a \nb  \nB\nc\n" },
  { name: "at the end of the old text", text: "foo\nbar\n", old: "foo  ", new: "baz", want: "baz\nbar\n" },
  { name: "a blank line with blanks", text: "a\n   \nb\n", old: "a\n\nb", new: "a\n\nc", want: "a\n   \nc\n" },
  { name: "blanks for a blank line", text: "a\n\nb\n", old: "a\n   \nb", new: "a\n   \nc", want: "a\n\nc\n" },
  { name: "CRLF too", text: "a \r\nb\r\n", old: "a\nb", new: "x\ny", want: "x\r\ny\r\n" },
  { name: "blanks of the next line stay", text: "a \n   \nb", old: "a\n", new: "x\n", want: "x\n   \nb" },
  { name: "the start inside a line", text: "let a \nb\n", old: "a\nb", new: "c\nd", want: "let c\nd\n" },
  { name: "the indentation that follows", text: "a  \n    b", old: "a\n    ", new: "x\n    ", want: "x\n    b" },
  { name: "the last line of a file", text: "a \nb ", old: "a\nb\n", new: "a\nc\n", want: "a \nc" },
  { name: "two blank lines, as many as there are", text: "a \n\n\nb", old: "a\n\n\nb", new: "a\nb", want: "a \nb" },
];

it.each(TRAILING)("trailing space: $name", (row) => {
  expect(edited(row)).toEqual({ text: row.want, tier: "trailing_space" });
});

const INDENTATION: readonly DoneRow[] = [
  { name: "deeper in the file", text: "  a\n  b\n", old: "a\nb\n", new: "a\nc\n", want: "  a\n  c\n" },
  {
    name: "the block of a method",
    text: "class A:\n    def f(self):\n        return 1\n",
    old: "def f(self):\n    return 1\n",
    new: "def f(self):\n    if x:\n        return 2\n    return 1\n",
    want: "class A:\n    def f(self):\n        if x:\n            return 2\n        return 1\n",
  },
  {
    name: "tabs stay tabs",
    text: "\tif a {\n\t\tb()\n\t}\n",
    old: "if a {\n\tb()\n}\n",
    new: "if a {\n\tc()\n\td()\n}\n",
    want: "\tif a {\n\t\tc()\n\t\td()\n\t}\n",
  },
  {
    name: "a tab for spaces",
    text: "if a:\n\tb\n",
    old: "if a:\n    b\n",
    new: "if a:\n    c\n",
    want: "if a:\n\tc\n",
  },
  {
    name: "a tab for each level of spaces",
    text: "f() {\n\tif a {\n\t\tb()\n\t}\n}\n",
    old: "    if a {\n        b()\n    }\n",
    new: "    if a {\n        if c {\n            b()\n        }\n    }\n",
    want: "f() {\n\tif a {\n\t\tif c {\n\t\t\tb()\n\t\t}\n\t}\n}\n",
  },
  {
    name: "spaces for each tab, one level deeper",
    text: "  f:\n    a\n",
    old: "f:\n\ta\n",
    new: "f:\n\tb\n\t\tc\n",
    want: "  f:\n    b\n      c\n",
  },
  {
    name: "other widths",
    text: "if a:\n  b\n  if c:\n    d\n",
    old: "if a:\n    b\n    if c:\n        d\n",
    new: "if a:\n    b\n    if e:\n        d\n",
    want: "if a:\n  b\n  if e:\n    d\n",
  },
  {
    name: "new text that has the indentation of the file already",
    text: "f:\n    a\n    b\n",
    old: "a\nb\n",
    new: "    c\n        d\n",
    want: "f:\n    c\n        d\n",
  },
  {
    name: "new text that has less, as the file has",
    text: "    a\n    b\n",
    old: "        a\n        b\n",
    new: "    c\n      d\n",
    want: "    c\n      d\n",
  },
  {
    name: "new text that has tabs, as the file has",
    text: "\ta\n\tb\n",
    old: "    a\n    b\n",
    new: "\tc\n\t\td\n",
    want: "\tc\n\t\td\n",
  },
  {
    name: "less deep in the file",
    text: "a\n  b\n",
    old: "    a\n      b\n",
    new: "    a\n      c\n    d\n",
    want: "a\n  c\nd\n",
  },
  {
    name: "less deep, with tabs",
    text: "\ta\n\tb\n",
    old: "\t\ta\n\t\tb\n",
    new: "\t\tc\n\t\t\td\n",
    want: "\tc\n\t\td\n",
  },
  {
    name: "blank lines get no blanks",
    text: "  a\n\n  b\n",
    old: "a\n\nb\n",
    new: "a\n\nc\n\nb\n",
    want: "  a\n\n  c\n\n  b\n",
  },
  { name: "blank lines keep theirs", text: "  a\n  \n  b\n", old: "a\n\nb\n", new: "a\n\nc\n", want: "  a\n  \n  c\n" },
  { name: "without a final break", text: "  a\n  b\nc", old: "a\nb", new: "x\ny", want: "  x\n  y\nc" },
  {
    name: "a dedent in the new text",
    text: "    if a:\n        b\n        c\n",
    old: "if a:\n    b\n    c\n",
    new: "if a:\n    b\nc\n",
    want: "    if a:\n        b\n    c\n",
  },
  { name: "trailing space as well", text: "  a  \n  b\n", old: "a\nb\n", new: "a\nc\n", want: "  a  \n  c\n" },
  { name: "CRLF as well", text: "\ta\r\n\tb\r\n", old: "a\nb\n", new: "a\nc\nd\n", want: "\ta\r\n\tc\r\n\td\r\n" },
  {
    name: "one line, too deep in the old text",
    text: "a = 1\nb = 2\n",
    old: "    b = 2",
    new: "    b = 3",
    want: "a = 1\nb = 3\n",
  },
  { name: "the last line of an open file", text: "x\n  a\n  b", old: "a\nb\n", new: "c\nd\n", want: "x\n  c\n  d" },
  {
    name: "aligned with tabs and spaces",
    text: "\tf(a,\n\t  b)\n",
    old: "f(a,\n  b)\n",
    new: "f(a,\n  c)\n",
    want: "\tf(a,\n\t  c)\n",
  },
  {
    name: "behind a byte-order mark",
    text: "\uFEFF  a\n  b\n",
    old: "a\nb\n",
    new: "c\nd\n",
    want: "\uFEFF  c\n  d\n",
  },
  {
    name: "replaceAll, each at its own depth",
    text: " a\n b\n  a\n  b\n",
    old: "a\nb\n",
    new: "c\nb\n",
    options: { replaceAll: true },
    want: " c\n b\n  c\n  b\n",
  },
];

it.each(INDENTATION)("indentation: $name", (row) => {
  expect(edited(row)).toEqual({ text: row.want, tier: "indentation" });
});
