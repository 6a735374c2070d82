import type { PatternOptions } from "../../src/text/search/pattern.ts";
import type { Query } from "../../src/workspace/search/search.ts";

/** Holds the arguments that a test sets; the others have defaults. */
export interface SearchArguments
  extends Partial<Omit<Query, "patternOptions" | "pattern" | "globs">>, Partial<PatternOptions> {
  readonly globs?: readonly string[];
  readonly path?: string;
  /** Names the test. */
  readonly name?: string;
}

/** Maps paths to contents; a string with "→" in front is a link. */
export type Files = Readonly<Record<string, string | Buffer>>;

interface Row extends SearchArguments {
  readonly name: string;
  readonly files: Files;
  readonly gives: readonly string[];
}

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

/** Lists searches, their files, and the matches that every Searcher finds. */
export const SEARCHES: readonly Row[] = [
  {
    name: "every line once, its first match",
    files: { a: "x needle needle\nno\nneedle" },
    gives: ["a:1:3 x needle needle", "a:3:1 needle"],
  },
  { name: "an empty file", files: { a: "", b: "needle" }, gives: ["b:1:1 needle"] },
  {
    name: "last lines without an end, beside empty lines",
    pattern: "\\.",
    files: { a: "\n.", "b/c": "." },
    gives: ["a:2:1 .", "b/c:1:1 ."],
  },
  {
    name: "a regular expression",
    pattern: "fo+\\d",
    files: { a: "foo1\nf1\nfo\nfoooo9" },
    gives: ["a:1:1 foo1", "a:4:1 foooo9"],
  },
  { name: "anchors hold for lines", pattern: "^b$", files: { a: "a\nb\nb \nb" }, gives: ["a:2:1 b", "a:4:1 b"] },
  { name: "lines of Windows", pattern: "b$", files: { a: "ab\r\nb\r\nbx\r\n" }, gives: ["a:1:2 ab", "a:2:1 b"] },
  { name: "a class does not reach over the line", pattern: "a[^x]b", files: { a: "a\nb\na-b" }, gives: ["a:3:1 a-b"] },
  {
    name: "white space does not reach over the line",
    pattern: "a\\s+b",
    files: { a: "a\nb\na b" },
    gives: ["a:3:1 a b"],
  },
  { name: "literally", pattern: "a.b(", isLiteral: true, files: { a: "axb(\na.b(\n" }, gives: ["a:2:1 a.b("] },
  {
    name: "literally with a dash in front",
    pattern: "--files",
    isLiteral: true,
    files: { a: "--files" },
    gives: ["a:1:1 --files"],
  },
  {
    name: "literally what looks like an option with a value",
    pattern: "-e=x",
    isLiteral: true,
    files: { a: "-e=x" },
    gives: ["a:1:1 -e=x"],
  },
  { name: "whatever the case", pattern: "NeedLE", ignoresCase: true, files: { a: "nEEDle" }, gives: ["a:1:1 nEEDle"] },
  { name: "case counts", files: { a: "Needle" }, gives: [] },
  { name: "case of other letters", pattern: "ÉTÉ", ignoresCase: true, files: { a: "un été" }, gives: ["a:1:4 un été"] },
  {
    name: "whole words",
    pattern: "ab",
    isWord: true,
    files: { a: "abc\ncab\nab\n(ab)\nab_\nab ab\n" },
    gives: ["a:3:1 ab", "a:4:2 (ab)", "a:6:1 ab ab"],
  },
  {
    name: "whole words, the longer choice",
    pattern: "fo|foo",
    isWord: true,
    files: { a: "foo" },
    gives: ["a:1:1 foo"],
  },
  {
    name: "whole words beside other letters",
    pattern: "caf",
    isWord: true,
    files: { a: "café\ncaf!" },
    gives: ["a:2:1 caf!"],
  },
  {
    name: "letters of all languages",
    pattern: "^\\w+$",
    files: { a: "Привет\nno no\nüber" },
    gives: ["a:1:1 Привет", "a:3:1 über"],
  },
  { name: "digits of all languages", pattern: "\\d", files: { a: "٣" }, gives: ["a:1:1 ٣"] },
  { name: "columns count characters", files: { a: "é😀 needle" }, gives: ["a:1:4 é😀 needle"] },
  {
    name: "a class with a bracket and an ampersand",
    pattern: "[[&&x]y",
    files: { a: "[y\n&y\nzy" },
    gives: ["a:1:1 [y", "a:2:1 &y"],
  },
  { name: "escaped angle brackets are themselves", pattern: "\\<b\\>", files: { a: "<b>\nb" }, gives: ["a:1:1 <b>"] },
  { name: "quoted stretches", pattern: "\\Qa.b\\E+", files: { a: "a.bb\naxb" }, gives: ["a:1:1 a.bb"] },
  { name: "octal, which ripgrep does not know", pattern: "\\101", files: { a: "A" }, gives: ["a:1:1 A"] },
  { name: "flags in the pattern", pattern: "(?i)needle", files: { a: "NEEDLE" }, gives: ["a:1:1 NEEDLE"] },
  {
    name: "a very long line is cut around the match",
    lineChars: 20,
    files: { a: `${"x".repeat(9000)}needle${"y".repeat(9000)}` },
    gives: ["a:1:9001 …xxxxxneedleyyyyyyyyy…"],
  },
  {
    name: "a line that looks like ripgrep's own words",
    pattern: "Omitted",
    files: { a: "[Omitted long matching line]\n" },
    gives: ["a:1:2 [Omitted long matching line]"],
  },
  {
    name: "across lines",
    pattern: "a\\nb",
    isMultiline: true,
    files: { a: "x\na\nb\na\nb", b: "ab" },
    gives: ["a:2:1 a", "a:4:1 a"],
  },
  {
    name: "across lines with anchors",
    pattern: "^a$\\s^b$",
    isMultiline: true,
    files: { a: "a\nb\n" },
    gives: ["a:1:1 a"],
  },
  {
    name: "a mark at the start is no text",
    pattern: "^needle",
    files: { a: "\uFEFFneedle\nneedle" },
    gives: ["a:1:1 needle", "a:2:1 needle"],
  },
  { name: "UTF-16", files: { a: utf16("no\nä needle\r\n") }, gives: ["a:2:3 ä needle"] },
  {
    name: "Latin-1",
    pattern: "caf\u00e9",
    files: { a: Buffer.from("un caf\u00e9 noir\n", "latin1"), b: "un café" },
    gives: ["a:1:4 un café noir", "b:1:4 un café"],
  },
  {
    name: "Latin-1 around ASCII",
    files: { a: Buffer.from("\u00e9t\u00e9 needle\n", "latin1") },
    gives: ["a:1:5 été needle"],
  },
  {
    name: "Shift_JIS",
    pattern: "日本",
    files: { a: Buffer.from("93fa967b8cea82cc83658358836782c582b7814293fa967b8cea82cc95b68e9a97f10a", "hex") },
    gives: ["a:1:1 日本語のテストです。日本語の文字列"],
  },
  { name: "half a character is no character", pattern: "é", files: { a: "陸\n" }, gives: [] },
  {
    name: "binary files are counted, not shown",
    files: { a: Buffer.from("\0\0\x01needle\n\0needle\n\xff", "latin1") },
    gives: ["a binary 2"],
  },
  {
    name: "hidden files are left out",
    files: { ".a": "needle", ".d/b": "needle", c: "needle" },
    gives: ["c:1:1 needle"],
  },
  {
    name: "hidden files are searched when asked",
    includeHidden: true,
    files: { ".a": "needle", ".d/b": "needle" },
    gives: [".a:1:1 needle", ".d/b:1:1 needle"],
  },
  {
    name: "ignored files are left out",
    files: { ".gitignore": "*.gen\n/out\n", "a.gen": "needle", "out/b": "needle", "sub/out": "needle" },
    gives: ["sub/out:1:1 needle"],
  },
  {
    name: "nested rules and exceptions",
    files: { ".gitignore": "*.gen\n", "s/.gitignore": "!keep.gen\n", "s/keep.gen": "needle", "s/a.gen": "needle" },
    gives: ["s/keep.gen:1:1 needle"],
  },
  { name: ".ignore too", files: { ".ignore": "a\n", a: "needle", b: "needle" }, gives: ["b:1:1 needle"] },
  {
    name: "ignored files are searched when asked",
    includeIgnored: true,
    files: { ".gitignore": "a\n", a: "needle", "node_modules/x": "needle" },
    gives: ["a:1:1 needle", "node_modules/x:1:1 needle"],
  },
  {
    name: "the usual suspects are left out",
    files: { "node_modules/x": "needle", "a/node_modules/x": "needle", "a/x": "needle" },
    gives: ["a/x:1:1 needle"],
  },
  {
    name: "rules from above hold below",
    path: "s",
    files: { ".gitignore": "*.gen\n", "s/a.gen": "needle", "s/b": "needle" },
    gives: ["s/b:1:1 needle"],
  },
  {
    name: "exceptions below rules from above",
    path: "s",
    files: { ".gitignore": "*.gen\n", "s/d/.gitignore": "!a.gen", "s/d/a.gen": "needle", "s/b.gen": "needle" },
    gives: ["s/d/a.gen:1:1 needle"],
  },
  {
    name: "a glob for names",
    globs: ["*.ts"],
    files: { "a.ts": "needle", "s/b.ts": "needle", "s/c.js": "needle" },
    gives: ["a.ts:1:1 needle", "s/b.ts:1:1 needle"],
  },
  {
    name: "a glob with choices",
    globs: ["*.{ts,js}"],
    files: { "a.ts": "needle", "b.js": "needle", "c.md": "needle" },
    gives: ["a.ts:1:1 needle", "b.js:1:1 needle"],
  },
  {
    name: "a glob for paths",
    globs: ["s/**/*.ts"],
    files: { "a.ts": "needle", "s/b.ts": "needle", "s/d/c.ts": "needle" },
    gives: ["s/b.ts:1:1 needle", "s/d/c.ts:1:1 needle"],
  },
  {
    name: "a glob for a directory",
    globs: ["s/"],
    files: { "a.ts": "needle", "s/b.ts": "needle", "s/d/c.ts": "needle" },
    gives: ["s/b.ts:1:1 needle", "s/d/c.ts:1:1 needle"],
  },
  {
    name: "a glob does not bring back what is ignored or hidden",
    globs: ["*.ts"],
    files: { ".gitignore": "b.ts", "b.ts": "needle", ".c.ts": "needle", "d.ts": "needle" },
    gives: ["d.ts:1:1 needle"],
  },
  {
    name: "a glob that names something hidden finds it",
    globs: [".ci/**", "*.md"],
    files: { ".ci/a": "needle", ".d/b.md": "needle", "c.md": "needle" },
    gives: [".ci/a:1:1 needle", "c.md:1:1 needle"],
  },
  {
    name: "a glob that is a plain name, for a file and for a directory at any depth",
    globs: ["lib"],
    files: { lib: "needle", "s/lib/a/b": "needle", "s/libx": "needle", "s/.gitignore": "c", "s/lib/c": "needle" },
    gives: ["lib:1:1 needle", "s/lib/a/b:1:1 needle"],
  },
  {
    name: "a glob with a class that ripgrep reads otherwise",
    globs: ["[[:alpha:]]*.ts"],
    files: { "a.ts": "needle", "1.ts": "needle", ":.ts": "needle" },
    gives: ["a.ts:1:1 needle"],
  },
  {
    name: "an exception among what is excluded brings back what is ignored, too",
    exclude: ["*.ts", "!keep*"],
    files: { ".gitignore": "keep.gen", "keep.gen": "needle", "keep.ts": "needle", "a.ts": "needle", b: "needle" },
    gives: ["b:1:1 needle", "keep.gen:1:1 needle", "keep.ts:1:1 needle"],
  },
  {
    name: "excluded by a class and by choices",
    exclude: ["[ab].ts", "{c,d}.ts"],
    files: { "a.ts": "needle", "c.ts": "needle", "d.ts": "needle", "e.ts": "needle" },
    gives: ["e.ts:1:1 needle"],
  },
  { name: ".rgignore too", files: { ".rgignore": "a\n", a: "needle", b: "needle" }, gives: ["b:1:1 needle"] },
  {
    name: "excluded",
    exclude: ["*.js", "/top/"],
    files: { "a.js": "needle", "top/b": "needle", "s/top/c": "needle" },
    gives: ["s/top/c:1:1 needle"],
  },
  {
    name: "one file alone, also when it is ignored",
    path: "node_modules/x",
    files: { "node_modules/x": "needle", y: "needle" },
    gives: ["node_modules/x:1:1 needle"],
  },
  {
    name: "one file alone, whatever the glob",
    path: "a.js",
    globs: ["*.ts"],
    files: { "a.js": "needle" },
    gives: ["a.js:1:1 needle"],
  },
  {
    name: "names that look like options",
    files: { "-e": "needle", "--pre=sh": "needle" },
    gives: ["--pre=sh:1:1 needle", "-e:1:1 needle"],
  },
  { name: "a file named like an option, alone", path: "-e", files: { "-e": "needle" }, gives: ["-e:1:1 needle"] },
  {
    name: "names with line feeds and what looks like output",
    files: { "a\n1:1:0:needle": "needle", "1:2:3:x": "needle", "b\u001b[31m": "needle" },
    gives: ["1:2:3:x:1:1 needle", "a\n1:1:0:needle:1:1 needle", "b\u001b[31m:1:1 needle"],
  },
  {
    name: "names with characters of globs",
    path: "[a]*",
    files: { "[a]*/b": "needle", "a/b": "needle" },
    gives: ["[a]*/b:1:1 needle"],
  },
  { name: "links are not followed", files: { "d/a": "needle", link: "→d", file: "→d/a" }, gives: ["d/a:1:1 needle"] },
  { name: "a link that is named is", path: "link", files: { "d/a": "needle", link: "→d" }, gives: ["d/a:1:1 needle"] },
  {
    name: "links to the outside are not followed",
    files: { "../outside/a": "needle", link: "→../outside", file: "→../outside/a" },
    gives: [],
  },
  { name: "only the number", lineChars: 0, files: { a: "needle\nneedle" }, gives: ["a 2"] },
  ...[
    { name: "lines, not matches", text: "needle needle\nother\r\nneedle\r\n", gives: ["a 2"] },
    { name: "nothing", text: "other", gives: [] },
    { name: "an empty file", text: "", gives: [] },
    { name: "a mark at the start", text: "\uFEFFneedle\n", pattern: "^needle$", gives: ["a 1"] },
    { name: "two bytes for each character", text: Buffer.from("\uFEFFneedle\nneedle\n", "utf16le"), gives: ["a 2"] },
    {
      name: "letters of an older encoding",
      text: Buffer.from("n\u00E9\nn\u00E9\n", "latin1"),
      pattern: "n\u00E9",
      gives: ["a 2"],
    },
    { name: "what is no text", text: "needle\0\nneedle\n", gives: ["a binary 2"] },
    { name: "words", text: "needles\nneedle\n", isWord: true, gives: ["a 1"] },
    { name: "either case", text: "Needle\nneedle\n", ignoresCase: true, gives: ["a 2"] },
  ].map(({ name, text, ...asked }) => ({
    ...asked,
    name: `only the number in one file: ${name}`,
    path: "a",
    lineChars: 0,
    files: { a: text },
  })),
  { name: "only the first", onlyFirst: true, files: { a: "needle\nneedle" }, gives: ["a:1:1 needle"] },
];
