import { describe, expect, it } from "vitest";
import { isStricter } from "../../../src/base/verdicts.ts";
import { rule, rulesOf, user } from "./ruling.ts";

const PATTERNS = [
  "a",
  "a/",
  "a/b",
  "a/**",
  "**/a/**",
  "**/b",
  "*.pem",
  "**/*.pem",
  "a/*/c",
  "**/a/*",
  "a/**/c",
  "?",
  "[ab]/c",
  "{a,b}/x.pem",
  "/w/a/b",
  "/w/**",
  "/w/a/**/x.pem",
  "**",
  "*",
  "b/c",
  "./a",
  "/elsewhere/**",
];
const PATHS = ["a", "a/b", "a/b/c", "b/a/c", "b/x.pem", "a/b/x.pem", "c/a/b/d", "x.pem", "b/c"];

describe("the strictest verdict below a directory", () => {
  it.each(PATTERNS.flatMap((pattern) => PATHS.map((path) => ({ pattern, path }))))(
    "is never less strict than that of a place: $pattern, $path",
    ({ pattern, path }) => {
      const rules = rulesOf(user(rule("create", undefined, "autonomous"), rule("create", pattern, "blocked")));
      const names = path.split("/");
      const { verdict } = rules.decide({ act: "create", place: `/w/${path}`, isInTree: true });
      for (const [at] of names.entries()) {
        const directory = ["/w", ...names.slice(0, at)].join("/");
        for (const inner of [undefined, names.slice(at), [...names.slice(at), "other"]])
          expect(isStricter(verdict, rules.strictestBelow("create", directory, inner))).toBe(false);
      }
    },
  );

  it.each([
    { pattern: "secret", names: ["a", "b.txt"], verdict: "autonomous" },
    { pattern: "secret", names: ["a", "secret"], verdict: "blocked" },
    { pattern: "**/*.pem", names: ["a", "pem"], verdict: "autonomous" },
    { pattern: "**/*.pem", names: ["a", "x.pem"], verdict: "blocked" },
    { pattern: "**/.git/**", names: ["a"], verdict: "autonomous" },
    { pattern: "**/.git/**", names: ["a", ".git"], verdict: "blocked" },
    { pattern: "**/dir/**", names: ["a"], verdict: "blocked" },
    { pattern: "dir", names: ["a"], verdict: "blocked" },
    { pattern: "dir/*", names: ["a"], verdict: "blocked" },
    { pattern: "elsewhere/*", names: ["a"], verdict: "autonomous" },
    { pattern: "/w/dir/a/b", names: ["a", "b"], verdict: "blocked" },
    { pattern: "/w/dir/a/b", names: ["a", "c"], verdict: "autonomous" },
    { pattern: "/w/dir/b/c", names: ["a", "b"], verdict: "autonomous" },
    { pattern: "**", names: [], verdict: "blocked" },
  ] as const)("needs no look into it where no name fits $pattern: $names", ({ pattern, names, verdict }) => {
    const free = rule("create", undefined, "autonomous");
    const rules = rulesOf(user(free, rule("create", pattern, "blocked")));
    expect(rules.strictestBelow("create", "/w/dir", names)).toBe(verdict);
  });

  it.each([
    { name: "of the operator, everywhere", layer: "user", more: {}, verdict: "autonomous" },
    { name: "of a workspace", layer: "workspace", more: {}, verdict: "notify" },
    { name: "at some places", layer: "user", more: { path: "tmp/**" }, verdict: "notify" },
    { name: "at some times", layer: "user", more: { when: { from: "01:00", until: "02:00" } }, verdict: "notify" },
    { name: "not in trees", layer: "user", more: { path: "**", trees: false }, verdict: "notify" },
  ] as const)("leaves out a default that another rule always overrides: one $name", ({ layer, more, verdict }) => {
    const rules = rulesOf({ layers: { [layer]: [{ act: "create", decide: "autonomous", ...more }] } });
    expect(rules.strictestBelow("create", "/w/dir", ["a"])).toBe(verdict);
  });
});
