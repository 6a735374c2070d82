import { describe, expect, it } from "vitest";
import { TEMPLATE_NAMES } from "../../../src/base/verdicts.ts";
import { examplesOf, compileRule } from "../../../src/runtime/rules/compile-rule.ts";
import { templateRules } from "../../../src/runtime/rules/templates.ts";
import { rule, rulesOf, user } from "./ruling.ts";

describe("rules that cannot be used", () => {
  it.each([
    { name: "a glob that never ends", bad: rule("read", "a[", "blocked"), says: /never closed/ },
    { name: "a glob that climbs", bad: rule("read", "../x", "blocked"), says: /leads nowhere/ },
    {
      name: "an example it should match",
      bad: rule("read", "a", "blocked", { match: ["b"] }),
      says: /does not match its own example "b"/,
    },
    {
      name: "an example it should not",
      bad: rule("read", "**", "blocked", { not_match: ["b"] }),
      says: /matches its own example "b"/,
    },
    {
      name: "a command of a file",
      bad: rule("read", undefined, "blocked", { command: "x" }),
      says: /"command" belongs to exec, not to read/,
    },
    {
      name: "a tool of a file",
      bad: rule(["network", "read"], undefined, "blocked", { tool: "x" }),
      says: /"tool" belongs to exec and network, not to read/,
    },
    { name: "a path of a command", bad: rule("exec", "x", "blocked"), says: /"path" does not belong to exec/ },
    {
      name: "a size of a read",
      bad: rule("read", "x", "blocked", { when: { content_size_lt: 1 } }),
      says: /belongs to write and create/,
    },
    {
      name: "a group of tools that there is not",
      bad: rule("exec", undefined, "blocked", { tool: ["x", "group:wbe"] }),
      says: /there is no group "group:wbe"; did you mean "group:web"/,
    },
    ...["../x", "src/..", "src/*"].map((path_prefix) => ({
      name: `a directory ${path_prefix}`,
      bad: rule("read", "x", "blocked", { when: { path_prefix } }),
      says: /"path_prefix" names a directory, without "\.\." and without wildcards/,
    })),
    { name: "half a time", bad: rule("read", "x", "blocked", { when: { from: "09:00" } }), says: /go together/ },
    {
      name: "a limit that loosens",
      bad: rule("read", "x", "blocked", { rate_limit: { max: 1, window: "1m", on_exceed: "notify" } }),
      says: /not stricter than blocked/,
    },
  ])("$name", ({ bad, says }) => {
    expect(() => rulesOf(user(rule("read", "fine", "blocked"), bad))).toThrow(
      /^Cannot use the rule at user\.jsonc:2: /,
    );
    expect(() => rulesOf(user(rule("read", "fine", "blocked"), bad))).toThrow(says);
  });

  it.each([
    {
      name: "paths",
      good: rule("read", "a/*.txt", "blocked", { match: ["a/b.txt"], not_match: ["b.txt", "a/b/c.txt"] }),
    },
    {
      name: "commands",
      good: rule("exec", undefined, "blocked", { command: "rm -rf", match: ["rm -rf /"], not_match: ["rm x"] }),
    },
    {
      name: "tools",
      good: rule("network", undefined, "blocked", { tool: "web_*", match: ["web_fetch"], not_match: ["read"] }),
    },
  ])("examples that hold: $name", ({ good }) => {
    expect(rulesOf(user(good)).compiledRules.length).toBeGreaterThan(0);
  });
});

it.each(TEMPLATE_NAMES)("our own rules hold their own examples: %s", (name) => {
  const rules = templateRules(name).map((each) => ({ ...each, origin: name }));
  const terms = rules.map((each) => compileRule(each, { layer: "user", kind: "rule", roots: ["/w", "/other"] }));
  expect(terms.flatMap(({ entry }) => examplesOf(entry)).length).toBeGreaterThan(15);
});
