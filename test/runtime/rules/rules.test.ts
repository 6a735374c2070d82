import { describe, expect, it } from "vitest";
import type { Act, Verdict } from "../../../src/base/verdicts.ts";
import { narrowedTo } from "../../../src/runtime/rules/narrowed-rules.ts";
import { createRateCounters } from "../../../src/runtime/rules/rate-limits.ts";
import { wordsIn } from "../../../src/runtime/rules/compile-rule.ts";
import { createRules, type Rules } from "../../../src/runtime/rules/rules.ts";
import { rule, rulesOf, type ExpectedDecision, user } from "./ruling.ts";

/** Cases of the defaults, of single rules, and of precedence between rules. */
const ROWS: readonly (readonly [name: string, said: ExpectedDecision, act: Act, path: string, verdict: Verdict])[] = [
  ["default: a read", {}, "read", "a.txt", "autonomous"],
  ["default: the root itself", {}, "read", "", "autonomous"],
  ["default: a write", {}, "write", "a.txt", "notify"],
  ["default: a new file", {}, "create", "a.txt", "notify"],
  ["default: a move", {}, "move", "a.txt", "notify"],
  ["default: into the trash", {}, "delete", "a.txt", "notify"],
  ["default: for good", {}, "erase", "a.txt", "approval"],
  ["default: a command", {}, "exec", "", "approval"],
  ["default: the network", {}, "network", "", "approval"],
  ["default: a private key", {}, "read", "home/.ssh/id_ed25519", "approval"],
  ["default: its public half", {}, "read", "home/.ssh/id_ed25519.pub", "autonomous"],
  ["default: a certificate with its key", {}, "read", "certs/server.pem", "approval"],
  ["default: a store of credentials", {}, "read", ".aws/credentials", "approval"],
  ["default: all of a key ring", {}, "read", "x/.gnupg/private-keys-v1.d/1.key", "approval"],
  ["default: an environment", {}, "read", "app/.env", "notify"],
  ["default: one for production", {}, "read", ".env.production", "notify"],
  ["default: one to copy from", {}, "read", ".env.example", "autonomous"],
  ["default: deleting a key is no reading", {}, "delete", "certs/server.pem", "notify"],
  ["default: writing inside .git", {}, "write", ".git/config", "blocked"],
  ["default: a new hook", {}, "create", "sub/.git/hooks/post-commit", "blocked"],
  ["default: deleting inside .git", {}, "delete", ".git/HEAD", "blocked"],
  ["default: reading inside .git", {}, "read", ".git/HEAD", "autonomous"],
  ["default: a whole .git may go", {}, "delete", ".git", "notify"],
  ["default: something new called .git", {}, "create", "sub/.git", "approval"],
  ["default: .gitignore is no .git", {}, "write", ".gitignore", "notify"],

  ["a name, anywhere", user(rule("read", "secret.txt", "blocked")), "read", "a/b/secret.txt", "blocked"],
  ["another name", user(rule("read", "secret.txt", "blocked")), "read", "a/b/secrets.txt", "autonomous"],
  ["a name means what is in it", user(rule("read", "secrets", "blocked")), "read", "a/secrets/key", "blocked"],
  ["a path means what is in it", user(rule("read", "a/secrets/", "blocked")), "read", "a/secrets/x/key", "blocked"],
  ["a path begins at the root", user(rule("read", "secrets/**", "blocked")), "read", "a/secrets/key", "autonomous"],
  ["all below", user(rule("write", "secrets/**", "blocked")), "write", "secrets/a/b", "blocked"],
  ["all below is not the directory", user(rule("delete", "secrets/**", "blocked")), "delete", "secrets", "notify"],
  ["one level", user(rule("read", "src/*", "blocked")), "read", "src/a/b", "autonomous"],
  ["one level, there", user(rule("read", "src/*", "blocked")), "read", "src/a", "blocked"],
  ["braces", user(rule("read", "*.{sql,dump}", "approval")), "read", "db/all.dump", "approval"],
  ["an absolute path", user(rule("read", "/w/x/**", "blocked")), "read", "x/y", "blocked"],
  ["an absolute path elsewhere", user(rule("read", "/elsewhere/**", "blocked")), "read", "x/y", "autonomous"],
  ["one absolute name is no name anywhere", user(rule("read", "/etc", "blocked")), "read", "etc/passwd", "autonomous"],
  ["case matters", user(rule("read", "SECRET", "blocked")), "read", "secret", "autonomous"],
  ["hidden files are files", user(rule("read", "**/*", "blocked")), "read", ".hidden", "blocked"],
  ["several patterns", user({ act: "read", path: ["a", "b"], decide: "blocked" }), "read", "b", "blocked"],
  ["several acts", user(rule(["move", "delete"], "a", "blocked")), "move", "a", "blocked"],
  ["without a path: everywhere", user(rule("write", undefined, "blocked")), "write", "x/y", "blocked"],

  ["creating is writing", user(rule("write", "a", "blocked")), "create", "a", "blocked"],
  ["writing is not creating", user(rule("create", "a", "blocked")), "write", "a", "notify"],
  ["erasing is deleting", user(rule("delete", "a", "blocked")), "erase", "a", "blocked"],
  ["deleting freely is not erasing freely", user(rule("delete", "**", "autonomous")), "erase", "a", "approval"],
  ["deleting is no writing", user(rule("write", "a", "blocked")), "delete", "a", "notify"],
  ["erasing, when that is said", user(rule("erase", "tmp/**", "autonomous")), "erase", "tmp/a", "autonomous"],

  [
    "the strictest of two",
    user(rule("read", "a/**", "autonomous"), rule("read", "a/b", "approval")),
    "read",
    "a/b",
    "approval",
  ],
  [
    "order does not matter",
    user(rule("read", "a/b", "approval"), rule("read", "a/**", "autonomous")),
    "read",
    "a/b",
    "approval",
  ],
  [
    "defaults yield to the user",
    user(rule("read", "certs/**", "autonomous")),
    "read",
    "certs/server.pem",
    "autonomous",
  ],
  ["but only where the rule speaks", user(rule("read", "certs/**", "autonomous")), "read", "x/server.pem", "approval"],
  ["and only for its act", user(rule("write", "**", "autonomous")), "read", "server.pem", "approval"],
  [
    "defaults yield to the system",
    { layers: { system: [rule("write", "**", "autonomous")] } },
    "write",
    "a",
    "autonomous",
  ],
  [
    "and to the organisation",
    { layers: { organisation: [rule("erase", "**", "autonomous")] } },
    "erase",
    "a",
    "autonomous",
  ],
  ["not to a workspace", { layers: { workspace: [rule("write", "**", "autonomous")] } }, "write", "a", "notify"],
  ["not to a session", { layers: { session: [rule("read", "**", "autonomous")] } }, "read", "server.pem", "approval"],
  ["a workspace tightens", { layers: { workspace: [rule("read", "x", "blocked")] } }, "read", "x", "blocked"],
  ["a session tightens", { layers: { session: [rule("write", undefined, "blocked")] } }, "create", "x", "blocked"],
  [
    "a user cannot open what the system closed",
    { layers: { system: [rule("read", "x", "blocked")], user: [rule("read", "**", "autonomous")] } },
    "read",
    "x",
    "blocked",
  ],
  [
    "nor what the organisation asks for",
    { layers: { organisation: [rule("delete", "**", "approval")], user: [rule("delete", "**", "autonomous")] } },
    "delete",
    "x",
    "approval",
  ],
  [
    "a user may be stricter than the system",
    { layers: { system: [rule("read", "**", "autonomous")], user: [rule("read", "x", "blocked")] } },
    "read",
    "x",
    "blocked",
  ],
  [
    "a workspace cannot open what a user closed",
    { layers: { user: [rule("write", "x", "blocked")], workspace: [rule("write", "x", "notify")] } },
    "write",
    "x",
    "blocked",
  ],

  ["template team: deleting asks", { templates: { user: "team" } }, "delete", "a", "approval"],
  ["template team: keys are closed", { templates: { user: "team" } }, "read", "server.key", "blocked"],
  ["template team: environments ask", { templates: { user: "team" } }, "read", ".env", "approval"],
  ["template strict: writing asks", { templates: { user: "strict" } }, "create", "a", "approval"],
  ["template strict: no commands", { templates: { user: "strict" } }, "exec", "", "blocked"],
  ["template strict: reading is free", { templates: { user: "strict" } }, "read", "a", "autonomous"],
  ["template personal is what is built in", { templates: { user: "personal" } }, "erase", "a", "approval"],
  [
    "a template yields to the rules beside it",
    { templates: { user: "strict" }, ...user(rule("write", "tmp/**", "autonomous")) },
    "write",
    "tmp/a",
    "autonomous",
  ],
  [
    "not to those of a lower layer",
    { templates: { organisation: "strict" }, ...user(rule("write", "**", "autonomous")) },
    "write",
    "a",
    "approval",
  ],
  [
    "a template of a workspace tightens",
    { templates: { workspace: "strict" }, ...user(rule("write", "**", "autonomous")) },
    "write",
    "a",
    "approval",
  ],

  ["a grant answers approval", { grants: [{ act: "erase", path: "tmp/**" }] }, "erase", "tmp/a", "notify"],
  ["a grant is for its own places", { grants: [{ act: "erase", path: "tmp/**" }] }, "erase", "a", "approval"],
  ["a grant is for its own act", { grants: [{ act: "delete", path: "tmp/**" }] }, "erase", "tmp/a", "approval"],
  ["a grant never opens what is blocked", { grants: [{ act: "write" }] }, "write", ".git/config", "blocked"],
  [
    "a grant is for its own roots",
    { grants: [{ act: "erase", path: "**", roots: ["/w/sub"] }] },
    "erase",
    "a",
    "approval",
  ],
  [
    "a grant is for all below its roots",
    { grants: [{ act: "erase", path: "**", roots: ["/w/sub"] }] },
    "erase",
    "sub/a",
    "notify",
  ],
  ["a grant ends", { grants: [{ act: "erase", expiresMs: 1 }] }, "erase", "a", "approval"],
  [
    "a guard is above all",
    { guards: [{ within: "/w/state", acts: ["read"], reason: "ours" }], ...user(rule("read", "**", "autonomous")) },
    "read",
    "state/x",
    "blocked",
  ],

  [
    "by day",
    { ...user(rule("write", "**", "approval", { when: { from: "09:00", until: "17:00" } })), now: "12:00" },
    "write",
    "a",
    "approval",
  ],
  [
    "in the evening",
    { ...user(rule("write", "**", "approval", { when: { from: "09:00", until: "17:00" } })), now: "17:00" },
    "write",
    "a",
    "notify",
  ],
  [
    "over night, late",
    { ...user(rule("write", "**", "blocked", { when: { from: "22:00", until: "06:00" } })), now: "23:30" },
    "write",
    "a",
    "blocked",
  ],
  [
    "over night, early",
    { ...user(rule("write", "**", "blocked", { when: { from: "22:00", until: "06:00" } })), now: "05:59" },
    "write",
    "a",
    "blocked",
  ],
  [
    "over night, at noon",
    { ...user(rule("write", "**", "blocked", { when: { from: "22:00", until: "06:00" } })), now: "12:00" },
    "write",
    "a",
    "notify",
  ],
  [
    "below a directory",
    user(rule("write", "*.ts", "blocked", { when: { path_prefix: "gen" } })),
    "write",
    "gen/a.ts",
    "blocked",
  ],
  [
    "below a directory that is spelled with a dot",
    user(rule("write", undefined, "blocked", { when: { path_prefix: "./gen//x/." } })),
    "write",
    "gen/x/a.ts",
    "blocked",
  ],
  [
    "not below that directory",
    user(rule("write", "*.ts", "blocked", { when: { path_prefix: "gen" } })),
    "write",
    "generated/a.ts",
    "notify",
  ],
  [
    "below an absolute directory",
    user(rule("write", undefined, "blocked", { when: { path_prefix: "/w/gen/" } })),
    "write",
    "gen/a.ts",
    "blocked",
  ],
  [
    "a size that is not known opens nothing",
    user(rule("write", "**", "autonomous", { when: { content_size_lt: 10 } })),
    "write",
    "a",
    "notify",
  ],
  [
    "nor gets around a refusal",
    user(rule("write", "**", "blocked", { when: { content_size_gte: 10 } })),
    "write",
    "a",
    "blocked",
  ],
];

describe("what the rules decide", () => {
  it.each(ROWS)("%s", (_, said, act, path, verdict) => {
    const place = path === "" ? "/w" : `/w/${path}`;
    expect(rulesOf(said).decide({ act, place }).verdict).toBe(verdict);
  });

  it.each([
    { size: 9, verdict: "autonomous" },
    { size: 10, verdict: "notify" },
  ])("a content of $size bytes: $verdict", ({ size, verdict }) => {
    const rules = rulesOf(user(rule("write", "**", "autonomous", { when: { content_size_lt: 10 } })));
    expect(rules.decide({ act: "write", place: "/w/a", size }).verdict).toBe(verdict);
  });

  it.each([
    ["git push", "blocked"],
    ["git push --force origin", "blocked"],
    ["git pushover", "approval"],
    ["git  status", "approval"],
    ["sudo git push", "approval"],
  ] as const)("the command %s: %s", (command, verdict) => {
    const rules = rulesOf(user(rule("exec", undefined, "blocked", { command: "git push" })));
    expect(rules.decide({ act: "exec", place: "", command: wordsIn(command) }).verdict).toBe(verdict);
  });

  it("speaks about every root, and a workspace only about its own", () => {
    const layers = [
      { name: "user" as const, rules: [{ ...rule("read", "x", "approval"), origin: "u" }] },
      { name: "workspace" as const, rules: [{ ...rule("read", "y", "blocked"), origin: "w" }], roots: ["/b"] },
    ];
    const rules = createRules({ roots: ["/a", "/b"], layers, guards: [] }, createRateCounters());
    const verdicts = ["/a/x", "/b/x", "/a/y", "/b/y"].map((place) => rules.decide({ act: "read", place }).verdict);
    expect(verdicts).toEqual(["approval", "approval", "autonomous", "blocked"]);
  });

  it("gives every reason of the deciding weight, once", () => {
    const said = user(rule("read", "a", "blocked", { reason: "one" }), rule("read", "*", "blocked", { reason: "two" }));
    expect(rulesOf(said).decide({ act: "read", place: "/w/a" })).toEqual({
      verdict: "blocked",
      reasons: ["one", "two"],
      origins: ["user.jsonc:1", "user.jsonc:2"],
    });
  });

  it("decides the same when it is asked again, and after many other places", () => {
    const rules = rulesOf(user(rule("read", "secret", "blocked")));
    const ask = () => rules.decide({ act: "read", place: "/w/secret" }).verdict;
    expect([ask(), ask()]).toEqual(["blocked", "blocked"]);
    for (let nth = 0; nth < 10_000; nth++) rules.decide({ act: "read", place: `/w/${nth}` });
    expect(ask()).toBe("blocked");
  });
});

describe("limits", () => {
  const limited = rule("write", "**", "autonomous", { rate_limit: { max: 2, window: "1m", on_exceed: "approval" } });

  it("decide otherwise once they are used up, until time has passed", () => {
    let nowMs = 1_000_000;
    const rates = createRateCounters(() => nowMs);
    const layers = [{ name: "user" as const, rules: [{ ...limited, origin: "f:1" }] }];
    const make = () => createRules({ roots: ["/w"], layers, guards: [] }, rates, () => nowMs);
    const writeOnce = (rules: Rules): Verdict => {
      const decision = rules.decide({ act: "write", place: "/w/a" });
      if (decision.verdict === "autonomous") decision.rates?.forEach((rate) => rates.count(rate));
      return decision.verdict;
    };
    const first = make();
    expect([writeOnce(first), writeOnce(first), writeOnce(first)]).toEqual(["autonomous", "autonomous", "approval"]);
    expect(writeOnce(make()), "new rules do not forget").toBe("approval");
    nowMs += 10_000;
    expect(first.decide({ act: "write", place: "/w/a" }).passesInMs).toBe(50_000);
    nowMs += 50_001;
    expect(writeOnce(first)).toBe("autonomous");
  });

  it("are as they were when what counted is taken back", () => {
    let nowMs = 1_000_000;
    const rates = createRateCounters(() => nowMs);
    const rate = { key: "k", max: 2, windowMs: 1000 };
    rates.count(rate);
    nowMs += 500;
    const undo = [rates.count(rate), rates.count(rate)];
    expect(rates.isExceeded(rate)).toBe(true);
    undo[1]?.();
    expect(rates.isExceeded(rate), "the oldest counts again").toBe(true);
    nowMs += 501;
    expect(rates.isExceeded(rate), "and leaves in its time").toBe(false);
  });
});

it.each([
  { name: "a chosen directory", place: "/a/x", verdict: "autonomous" },
  { name: "the directory itself", place: "/b", verdict: "autonomous" },
  { name: "one that was not chosen", place: "/c", verdict: "blocked" },
  { name: "a name that only begins alike", place: "/ab", verdict: "blocked" },
  { name: "what was blocked before", place: "/a/secret", verdict: "blocked" },
])("rules narrowed to directories: $name", ({ place, verdict }) => {
  const rules = narrowedTo(rulesOf({ ...user(rule("read", "secret", "blocked")), roots: ["/"] }), ["/a", "/b"]);
  expect(rules.decide({ act: "read", place }).verdict).toBe(verdict);
  expect(rules.mayBe("blocked", place)).toBe(verdict === "blocked");
  expect([rules.strictestBelow("read", "/"), rules.mayHideBelow("/")]).toEqual(["blocked", true]);
});
