import { expect, it } from "vitest";
import { type DoneRow, edited } from "./row.ts";

const LINE_ENDINGS: readonly DoneRow[] = [
  { name: "LF finds CRLF", text: "a\r\nb\r\nc\r\n", old: "a\nb", new: "a\nx", want: "a\r\nx\r\nc\r\n" },
  { name: "more lines", text: "a\r\nb\r\nc\r\n", old: "a\nb\n", new: "1\n2\n3\n", want: "1\r\n2\r\n3\r\nc\r\n" },
  { name: "fewer lines", text: "a\r\nb\r\nc\r\n", old: "a\nb\n", new: "1\n", want: "1\r\nc\r\n" },
  { name: "from inside a line", text: "xa\r\nby\r\n", old: "a\nb", new: "1\n2", want: "x1\r\n2y\r\n" },
  { name: "CRLF finds LF", text: "a\nb\nc\n", old: "a\r\nb\r\n", new: "x\r\ny\r\n", want: "x\ny\nc\n" },
  {
    name: "mixed endings outside",
    text: "1\n2\r\na\r\nb\r\n3\n",
    old: "a\nb",
    new: "x\ny",
    want: "1\n2\r\nx\r\ny\r\n3\n",
  },
  {
    name: "mixed endings of kept lines",
    text: "a\r\nb\nc\r\nd",
    old: "a\nb\nc\nd",
    new: "a\nB\nc\nD",
    want: "a\r\nB\r\nc\r\nD",
  },
  {
    name: "a line feed at the start",
    text: "x\r\nfoo\r\n",
    old: "\nfoo",
    new: "\nbar\nfoo",
    want: "x\r\nbar\r\nfoo\r\n",
  },
  { name: "joined lines leave no half break", text: "x\r\nfoo\r\n", old: "\nfoo", new: " foo", want: "x foo\r\n" },
  { name: "a line feed alone", text: "a\r\nb", old: "\n", new: "; ", want: "a; b" },
  {
    name: "replaceAll",
    text: "a\r\nb\r\na\r\nb",
    old: "a\nb",
    new: "x",
    options: { replaceAll: true },
    want: "x\r\nx",
  },
  { name: "an old Macintosh", text: "a\rb\rc", old: "a\nb", new: "1\n2\n3", want: "1\r2\r3\rc" },
  { name: "a last line without its break", text: "a\nb", old: "b\n", new: "c\n", want: "a\nc" },
  { name: "the same, two lines", text: "a\nb", old: "a\nb\n", new: "a\nc\nd\n", want: "a\nc\nd" },
  { name: "the same in CRLF", text: "a\r\nb", old: "a\nb\n", new: "x\ny\n", want: "x\r\ny" },
  { name: "a last line without its break is no twin", text: "b\r\nb", old: "b\n", new: "c\n", want: "c\r\nb" },
  { name: "two lines become one", text: "a\r\nb", old: "a\nb", new: "ab", want: "ab" },
];

it.each(LINE_ENDINGS)("whatever the line endings: $name", (row) => {
  expect(edited(row)).toEqual({ text: row.want, tier: "line_endings" });
});

/** Exact matches, but the line breaks of the new text follow the file. */
const NEW_BREAKS: readonly DoneRow[] = [
  { name: "CRLF around a word", text: "a\r\nb\r\n", old: "a", new: "a\nx", want: "a\r\nx\r\nb\r\n" },
  { name: "CRLF on the last line", text: "a\r\nb", old: "b", new: "b\nc\n", want: "a\r\nb\r\nc\r\n" },
  { name: "LF on a line of a mixed file", text: "a\r\nb\nc\r\n", old: "b", new: "b\nx", want: "a\r\nb\nx\nc\r\n" },
  { name: "CRLF in the new text of an LF file", text: "a\nb\n", old: "a", new: "a\r\nx", want: "a\nx\nb\n" },
  { name: "a file of one line", text: "a", old: "a", new: "b\nc", want: "b\nc" },
  { name: "only the endings change", text: "a\nb\n", old: "a\nb\n", new: "a\r\nb\r\n", want: "a\r\nb\r\n" },
  { name: "only the endings change back", text: "a\r\nb\r\n", old: "a\r\nb\r\n", new: "a\nb\n", want: "a\nb\n" },
  { name: "CRLF quoted, LF written", text: "a\r\nb\r\n", old: "a\r\nb", new: "a\nx\nb", want: "a\r\nx\r\nb\r\n" },
  { name: "a return inside a line", text: "10%\r20%\nok\n", old: "20%", new: "30%", want: "10%\r30%\nok\n" },
  { name: "an old Macintosh", text: "a\rb\r", old: "b", new: "b\nc", want: "a\rb\rc\r" },
];

it.each(NEW_BREAKS)("new lines end like the file: $name", (row) => {
  expect(edited(row)).toEqual({ text: row.want, tier: "exact" });
});
