import { expect, it } from "vitest";
import { createIgnoreRules } from "../../../src/text/glob/ignore.ts";

it.each([
  { name: "a plain name anywhere", rules: ["a.txt"], way: "deep/a.txt", ignored: true },
  { name: "a star", rules: ["*.log"], way: "x/y.log", ignored: true },
  { name: "a star stays in its directory", rules: ["a/*.log"], way: "a/b/c.log", ignored: false },
  { name: "two stars cross directories", rules: ["a/**/c.log"], way: "a/b/b/c.log", ignored: true },
  { name: "an anchor at the top", rules: ["/build/"], way: "build", directory: true, ignored: true },
  { name: "an anchor not below", rules: ["/build/"], way: "src/build", directory: true, ignored: false },
  { name: "a slash means directories only", rules: ["build/"], way: "build", ignored: false },
  { name: "a negation", rules: ["*.log", "!keep.log"], way: "keep.log", ignored: false },
  { name: "a negation undone", rules: ["!keep.log", "*.log"], way: "keep.log", ignored: true },
  { name: "a comment", rules: ["# a.txt"], way: "a.txt", ignored: false },
  { name: "an escaped hash", rules: ["\\#a"], way: "#a", ignored: true },
  { name: "an escaped bang", rules: ["\\!a"], way: "!a", ignored: true },
  { name: "a class", rules: ["[ab].txt"], way: "b.txt", ignored: true },
  { name: "a question mark", rules: ["?.txt"], way: "ab.txt", ignored: false },
  { name: "nothing", rules: [], way: "a.txt", ignored: false },
])("$name", ({ rules, way, directory = false, ignored }) => {
  expect(createIgnoreRules(rules, false).ignores(way, directory)).toBe(ignored);
});

it.each([
  ["node_modules", true, true],
  ["packages/app/node_modules", true, true],
  ["node_modules", false, false],
  [".git", true, true],
  ["target/debug", true, true],
  ["target", true, false],
  ["src", true, false],
  [".DS_Store", false, true],
])("the usual suspects: %s (directory: %s) is left out: %s", (way, directory, ignored) => {
  expect(createIgnoreRules([], true).ignores(way, directory)).toBe(ignored);
});

const NESTED = createIgnoreRules(["*.tmp"], false)
  .within("", "*.log\n/only-here\n")
  .within("sub", "!*.log\n*.md\n/only-here\n");

it.each([
  { way: "a.log", ignored: true },
  { way: "sub/a.log", ignored: false },
  { way: "sub/deep/a.log", ignored: false },
  { way: "sub/a.md", ignored: true },
  { way: "sub/deep/a.md", ignored: true },
  { way: "sub/a.tmp", ignored: true },
  { way: "sub/only-here", ignored: true },
  { way: "sub/deep/only-here", ignored: false },
])("a deeper file is stronger, and rules from above still hold: $way ($ignored)", ({ way, ignored }) => {
  expect(NESTED.ignores(way, false)).toBe(ignored);
});

it("does not choke on odd names and odd rules", () => {
  const rules = createIgnoreRules([], true).within("", "[\n***\n\\\n!\n/\n#\n  \n");
  const ways = [" ", "...", "a\nb", "\\", "-", "[", "!", "*"];
  expect(ways.map((way) => rules.ignores(way, true))).toEqual(ways.map(() => true));
});

it.each(["[", "a\\", "{a,b", "../a", "x".repeat(1001)])("what cannot be excluded is said: %s", (wrong) => {
  const fault = expect.objectContaining({ code: "invalid_input", message: expect.stringContaining("(character ") });
  expect(() => createIgnoreRules([wrong], false)).toThrow(fault);
});

it("what is wrong with an exception is quoted as it was given", () => {
  expect(() => createIgnoreRules(["!a["], false)).toThrow(/pattern "!a\[": .*\(character 3\)$/);
});

it("braces work in what a caller excludes, and not in a file", () => {
  expect(createIgnoreRules(["*.{a,b}"], false).ignores("x.b", false)).toBe(true);
  expect(createIgnoreRules([], false).within("", "*.{a,b}").ignores("x.b", false)).toBe(false);
});

it.each(["**/a/".repeat(12) + "c", "a/**/".repeat(12) + "c"])("a pattern full of stars is no danger: %s", (wild) => {
  const rules = createIgnoreRules([wild], false).within("", `${wild}\nb`);
  expect(rules.ignores("a/".repeat(400) + "b", false)).toBe(true);
  expect(rules.ignores("a/".repeat(400) + "x", false)).toBe(false);
});
