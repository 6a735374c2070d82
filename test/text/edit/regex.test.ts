import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { type DoneRow, type EditRow, edited } from "./row.ts";
import { faultOf } from "../fault-of.ts";
import { workFromNow } from "../../work.ts";

const ALL = { regex: true, replaceAll: true };

const REGEX: readonly DoneRow[] = [
  { name: "a class", text: "a1 b", old: "\\d", new: "2", want: "a2 b" },
  { name: "a group", text: "f(x, y)", old: "f\\((\\w), (\\w)\\)", new: "f($2, $1)", want: "f(y, x)" },
  { name: "a named group", text: "key=1", old: "(?<k>\\w+)=", new: "$<k>: ", want: "key: 1" },
  { name: "braces around a number", text: "a1", old: "(a)(1)", new: "${1}0${2}", want: "a01" },
  { name: "braces around a name", text: "ab", old: "(?<x>a)", new: "${x}${y}", want: "a${y}b" },
  { name: "the whole match", text: "ab", old: "a", new: "[$&]", want: "[a]b" },
  { name: "a dollar", text: "a", old: "a", new: "$$1", want: "$1" },
  { name: "a group that does not exist", text: "a", old: "(a)", new: "$2 $0 ${2} $<x>", want: "$2 $0 ${2} $<x>" },
  { name: "a digit behind a group", text: "a", old: "(a)", new: "$12", want: "a2" },
  { name: "a leading zero", text: "a", old: "(a)", new: "$01 $05", want: "a $05" },
  { name: "a group that took no part", text: "b", old: "(a)?b", new: "[$1]", want: "[]" },
  { name: "what a group holds is not read again", text: "$1x", old: "(\\$1)(x)", new: "$2$1", want: "x$1" },
  { name: "a literal \\n is not interpreted", text: "a", old: "a", new: "b\\nc", want: "b\\nc" },
  { name: "lines", text: "a\nb\n", old: "^b$", new: "c", want: "a\nc\n" },
  { name: "the start of every line", text: "a\nb", old: "^", new: "> ", options: ALL, want: "> a\n> b" },
  { name: "the start of every line in CRLF", text: "a\r\nb", old: "^", new: "> ", options: ALL, want: "> a\r\n> b" },
  { name: "the end of every line in CRLF", text: "a\r\nb", old: "$", new: ";", options: ALL, want: "a;\r\nb;" },
  { name: "a line feed finds CRLF", text: "a\r\nb\r\n", old: "a\\nb", new: "x\ny\nz", want: "x\r\ny\r\nz\r\n" },
  { name: "a group keeps its endings", text: "a\r\nb\nc", old: "(a\\nb\\n)c", new: "$1d", want: "a\r\nb\nd" },
  { name: "a return by name", text: "a\r\nb\r\n", old: "\\r\\n", new: "\n", options: ALL, want: "a\nb\n" },
  { name: "a return in disguise", text: "a\r\nb", old: "\\u000D", new: "", want: "a\nb" },
  { name: "behind a byte-order mark", text: "\uFEFFa", old: "^a", new: "b", want: "\uFEFFb" },
  { name: "a byte-order mark and CRLF", text: "\uFEFFa\r\nb", old: "^.", new: "c", options: ALL, want: "\uFEFFc\r\nc" },
  { name: "a whole emoji", text: "🎉", old: "^.$", new: "x", want: "x" },
  { name: "a property", text: "ä1", old: "\\p{L}", new: "x", want: "x1" },
  { name: "flags in front", text: "ABC", old: "(?i)b", new: "x", want: "AxC" },
  { name: "a dot for line breaks", text: "a\nb", old: "(?s)a.b", new: "x", want: "x" },
  { name: "needless escapes", text: `"a-b_c"`, old: `\\"a\\-b\\_c\\"`, new: "x", want: "x" },
  { name: "an escape a class needs", text: "a-c b", old: "[a\\-z]+c", new: "x", want: "x b" },
  { name: "a count", text: "1 2", old: "\\d", new: "x", count: 2, want: "x x" },
  { name: "the pattern as its own replacement", text: "abc", old: "a.c", new: "a.c", want: "a.c" },
  { name: "look-behind", text: "ab cb", old: "(?<=a)b", new: "x", want: "ax cb" },
];

it.each(REGEX)("regex: $name", (row) => {
  expect(edited({ options: { regex: true }, ...row })).toEqual({ text: row.want, tier: "exact" });
});

const REFUSED: readonly (EditRow & { code: string; says: string })[] = [
  { name: "no match", text: "a", old: "b", new: "c", code: "no_match", says: "matches nothing" },
  { name: "two matches", text: "a\na", old: "a", new: "c", code: "many_matches", says: "line 1: a\nline 2: a" },
  { name: "a broken pattern", text: "a", old: "(a", new: "c", code: "invalid_input", says: "Unterminated group" },
  { name: "no change", text: "a", old: "(a)", new: "$1", code: "no_change", says: "already has this text" },
  { name: "an empty pattern", text: "a", old: "", new: "c", code: "invalid_input", says: "oldText is empty" },
];

it.each(REFUSED)("regex: refuses $name", ({ code, says, ...row }) => {
  const fault = faultOf(() => edited({ options: { regex: true }, ...row }));
  expect(fault.message).toContain(says);
  expect(fault.code).toBe(code);
});

const CATASTROPHES = [
  { name: "nested quantifiers", old: "(a+)+b", text: "a".repeat(100) },
  { name: "an ambiguous choice", old: "(a|a)*b", text: "a".repeat(100) },
  { name: "dots in a row", old: ".*.*.*.*=.*x", text: "a".repeat(100_000) },
  { name: "a backreference", old: "(a*)*\\1b", text: "a".repeat(5000) },
];

it.each(CATASTROPHES)("regex: gives up on $name", ({ old, text }) => {
  const spent = workFromNow();
  const fault = faultOf(() => edited({ name: "", text, old, new: "x", options: { regex: true } }));
  expect(fault.message).toContain("the regular expression takes too long");
  expect(spent()).toBeLessThan(5 * LIMITS.regexMs);
});
