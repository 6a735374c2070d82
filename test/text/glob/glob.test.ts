import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { matchesGlob, globsOf, mayContainMatch } from "../../../src/text/glob/glob.ts";
import { createGlobSet } from "../../../src/text/glob/glob-set.ts";

const split = (path: string) => {
  const names = path.split("/");
  return { way: names.slice(0, -1).join("/"), name: names.at(-1) as string };
};

function fits(pattern: string, path: string): boolean {
  const { way, name } = split(path.replace(/\/$/, ""));
  return createGlobSet(globsOf(pattern, "pattern")).last(way, name, path.endsWith("/")) >= 0;
}

it.each([
  ["*.ts", ["a.ts", "src/a.ts", "src/deep/.ts"], ["a.tsx", "a.ts/b", "ts"]],
  ["a.ts", ["a.ts", "x/a.ts"], ["A.ts", "a.ts.bak"]],
  ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "x/src/a.ts", "a.ts"]],
  ["/a.ts", ["a.ts"], ["x/a.ts"]],
  ["./a.ts", ["a.ts"], ["x/a.ts"]],
  ["**", ["a", "a/b", "a/b/c"], []],
  ["**/a", ["a", "x/a", "x/y/a"], ["a/b", "xa"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "a/src/b"]],
  ["src/**/a", ["src/a", "src/x/a", "src/x/y/a"], ["src/x/b", "a"]],
  ["**/x/**/y", ["x/y", "a/x/b/c/y", "x/x/y/y"], ["x", "y", "y/x"]],
  ["a**b", ["ab", "axxb", "d/axb"], ["a/b"]],
  ["?.ts", ["a.ts", "\u{1F600}.ts"], [".ts", "ab.ts"]],
  ["[ab].ts", ["a.ts", "b.ts"], ["c.ts", "ab.ts"]],
  ["[!ab].ts", ["c.ts"], ["a.ts", "b.ts"]],
  ["[^ab].ts", ["c.ts"], ["a.ts"]],
  ["[a-c]x", ["ax", "bx", "cx"], ["dx", "-x"]],
  ["[a-]x", ["ax", "-x"], ["bx"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[[:digit:]]*", ["1", "1a"], ["a1"]],
  ["[\\]]", ["]"], ["\\"]],
  ["\\*.ts", ["*.ts"], ["a.ts"]],
  ["*.{ts,js}", ["a.ts", "a.js"], ["a.c", "a.{ts,js}"]],
  ["{a,b/c}", ["a", "x/a", "b/c"], ["x/b/c", "c"]],
  ["{a,{b,c}d}", ["a", "bd", "cd"], ["d", "ad"]],
  ["{a}", ["{a}"], ["a"]],
  ["{,x}a", ["a", "xa"], ["x"]],
  ["a,b", ["a,b"], ["a", "b"]],
  ["[{,]", ["{", ","], ["a"]],
  ["\\{a,b}", ["{a,b}"], ["a"]],
  ["lib/", ["lib/", "src/lib/"], ["lib", "lib/a"]],
  ["src/*/", ["src/a/"], ["src/a", "src/a/b/"]],
  ["*a*a*", ["aa", "xaxax"], ["a", "xax"]],
  [" a", [" a"], ["a"]],
  ["!a", ["!a"], ["a", "b"]],
])("%s", (pattern, yes, no) => {
  expect([...yes, ...no].filter((path) => fits(pattern, path))).toEqual(yes);
});

describe("a pattern that cannot be understood names the position", () => {
  it.each([
    ["[", 1],
    ["src/[a", 5],
    ["src/[z-a]x", 6],
    ["a[[:word:]]", 3],
    ["*.{ts,js", 3],
    ["{a,{b}", 1],
    ["a\\", 2],
    ["../a", 1],
    ["a/../b", 2],
    ["{a,b}".repeat(10), 1],
    ["x".repeat(LIMITS.patternChars + 1), LIMITS.patternChars + 1],
    ["/", 1],
  ])("%s at %i", (pattern, position) => {
    expect(() => globsOf(pattern, "pattern")).toThrow(
      expect.objectContaining({ code: "invalid_input", details: { argument: "pattern", position } }),
    );
  });
});

it.each([
  ["*a".repeat(400), "a".repeat(255)],
  ["*a*a*a*a*a*a*a*a*a*a*a*b", "a".repeat(255)],
  [`${"?*".repeat(300)}b`, "a".repeat(255)],
  [`${"[a-z]*".repeat(120)}b`, "a".repeat(255)],
  ["**/a/".repeat(150) + "b", "a/".repeat(1000) + "a"],
  ["**/*a*a*a*b/".repeat(60) + "c", `${"a".repeat(50)}/`.repeat(40) + "c"],
])("no pattern takes for ever: %s", (pattern, path) => {
  const { way, name } = split(path);
  const [glob] = globsOf(pattern, "pattern");
  expect(glob && matchesGlob(glob, (at) => at.split("/"), way, name)).toBe(false);
});

/** All ways of sharing out the characters: slow, and too simple to be wrong. */
function naive(pattern: string, path: string): boolean {
  if (pattern === "") return path === "";
  if (pattern.startsWith("**/")) {
    const next = path.indexOf("/");
    return naive(pattern.slice(3), path) || (next >= 0 && naive(pattern, path.slice(next + 1)));
  }
  if (pattern === "**") return path !== "";
  if (pattern.startsWith("*")) {
    return naive(pattern.slice(1), path) || (path !== "" && path[0] !== "/" && naive(pattern, path.slice(1)));
  }
  const isSame = pattern[0] === path[0] || (pattern[0] === "?" && path !== "" && path[0] !== "/");
  return path !== "" && isSame && naive(pattern.slice(1), path.slice(1));
}

const name = fc.stringMatching(/^[ab]{1,4}$/);
const paths = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));
const patterns = fc
  .array(fc.oneof(fc.constant("**"), fc.stringMatching(/^[ab?]{0,2}[*]?[ab?]{1,2}[*]?[ab]?$/)), {
    minLength: 2,
    maxLength: 5,
  })
  .map((names) => names.filter((each) => each !== "").join("/"))
  .filter((pattern) => pattern.includes("/"));

it("says what a naive matcher says", () => {
  const property = fc.property(patterns, paths, (pattern, path) => {
    expect(fits(pattern, path)).toBe(naive(pattern, path));
  });
  fc.assert(property, { numRuns: 3000 });
});

it("never keeps a walk out of a directory that holds a match", () => {
  const property = fc.property(patterns, paths, (pattern, path) => {
    fc.pre(naive(pattern, path));
    const names = path.split("/");
    const [glob] = globsOf(pattern, "pattern");
    const above = names.slice(1).map((_, depth) => names.slice(0, depth + 1));
    expect(above.every((directory) => glob && mayContainMatch(glob, directory))).toBe(true);
  });
  fc.assert(property, { numRuns: 500 });
});

it.each([
  ["src/*.ts", "src", true],
  ["src/*.ts", "src/a", false],
  ["src/*.ts", "docs", false],
  ["src/**/a", "src/x/y", true],
  ["*.ts", "any/where", true],
])("%s: enters %s: %s", (pattern, directory, enters) => {
  const [glob] = globsOf(pattern, "pattern");
  expect(glob && mayContainMatch(glob, directory.split("/"))).toBe(enters);
});
