import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Verdict } from "../../../src/base/verdicts.ts";
import type { RuleEntry } from "../../../src/config/rule.ts";
import { createExecRules } from "../../../src/runtime/rules/exec-rules.ts";
import { createRateCounters } from "../../../src/runtime/rules/rate-limits.ts";
import { createRules } from "../../../src/runtime/rules/rules.ts";
import { createState } from "../../../src/storage/local/state/state.ts";
import { scratch, stateBeside } from "../scratch.ts";

const NOW = Date.UTC(2026, 0, 1);
const GIT = { place: "/usr/bin/git", command: ["git", "status"] };

interface Setup {
  readonly agent?: string;
  readonly decide?: Verdict;
  readonly rule?: Partial<RuleEntry>;
}

/** The rules for running things, with this file beside them. */
function place(file: unknown, { agent = "main", decide = "approval", rule = {} }: Setup = {}) {
  const home = stateBeside(scratch());
  const path = join(home, "exec-approvals.json");
  mkdirSync(home, { recursive: true });
  if (file !== undefined) writeFileSync(path, typeof file === "string" ? file : JSON.stringify(file));
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const parts = { state: createState(home), agent, home: "/home/ann", warn, nowMs: () => NOW };
  const exec = createExecRules(parts);
  const layer = { name: "user" as const, rules: [{ act: "exec" as const, decide, ...rule, origin: "test" }] };
  const rules = createRules(
    { roots: ["/w"], layers: [layer], guards: [], decideExec: exec.decide },
    createRateCounters(),
  );
  const verdict = (want = GIT): Verdict => rules.decide({ act: "exec", ...want }).verdict;
  const written = (): unknown => JSON.parse(readFileSync(path, "utf8"));
  return { exec, verdict, written, path, warnings, rules, again: () => createExecRules(parts) };
}

const listing = (...allowlist: unknown[]) => ({ version: 1, agents: { main: { allowlist } } });

describe("what the file says", () => {
  it.each<{ name: string; file: unknown; decide?: Verdict; agent?: string; verdict: Verdict }>([
    { name: "there is none", file: undefined, verdict: "approval" },
    { name: "there is none, and it was free", file: undefined, decide: "autonomous", verdict: "autonomous" },
    { name: "no JSON, which may have forbidden it", file: "{", decide: "autonomous", verdict: "approval" },
    { name: "another version, too", file: { version: 2 }, decide: "autonomous", verdict: "approval" },
    { name: "no JSON", file: "{", verdict: "approval" },
    { name: "another version", file: { ...listing({ pattern: "/usr/bin/git" }), version: 2 }, verdict: "approval" },
    { name: "listed", file: listing({ id: "1", pattern: "/usr/bin/git" }), verdict: "notify" },
    { name: "listed bare", file: listing("/usr/bin/git"), verdict: "notify" },
    { name: "whatever the case", file: listing("/USR/bin/Git"), verdict: "notify" },
    { name: "a star for a name", file: listing("/usr/bin/*"), verdict: "notify" },
    { name: "a star is not for a slash", file: listing("/usr/*"), verdict: "approval" },
    { name: "two stars are", file: listing("/usr/**"), verdict: "notify" },
    { name: "one character", file: listing("/usr/bin/gi?"), verdict: "notify" },
    { name: "a dot is a dot", file: listing("/usr.bin/git"), verdict: "approval" },
    { name: "a bare name means nothing", file: listing("git"), verdict: "approval" },
    { name: "but a bare star means all", file: listing("*"), verdict: "notify" },
    { name: "an end that has come", file: listing({ pattern: "/usr/bin/git", expiresAt: NOW }), verdict: "approval" },
    { name: "an end to come", file: listing({ pattern: "/usr/bin/git", expiresAt: NOW + 1 }), verdict: "notify" },
    { name: "of another agent", file: listing("/usr/bin/git"), agent: "other", verdict: "approval" },
    {
      name: "of all agents",
      file: { version: 1, agents: { "*": { allowlist: ["/usr/bin/git"] } } },
      verdict: "notify",
    },
    {
      name: "of the agent's early name",
      file: { version: 1, agents: { default: { allowlist: ["*"] } } },
      verdict: "notify",
    },
    { name: "deny", file: { version: 1, defaults: { security: "deny" } }, verdict: "blocked" },
    {
      name: "an agent's own word",
      file: { version: 1, defaults: { security: "deny" }, agents: { main: { security: "full" } } },
      verdict: "approval",
    },
    {
      name: "ask always",
      file: { version: 1, defaults: { ask: "always" }, agents: { main: { allowlist: ["*"] } } },
      verdict: "approval",
    },
    {
      name: "ask always, though it was free",
      file: { version: 1, defaults: { ask: "always" } },
      decide: "autonomous",
      verdict: "approval",
    },
    {
      name: "only what is listed",
      file: { version: 1, defaults: { security: "allowlist" } },
      decide: "autonomous",
      verdict: "approval",
    },
    {
      name: "only what is listed, without asking",
      file: { version: 1, defaults: { security: "allowlist", ask: "off" } },
      verdict: "blocked",
    },
    {
      name: "all, without asking",
      file: { version: 1, defaults: { security: "full", ask: "off" } },
      verdict: "notify",
    },
    { name: "a listed program that rules block", file: listing("*"), decide: "blocked", verdict: "blocked" },
  ])("$name: $verdict", ({ file, decide, agent, verdict }) => {
    expect(place(file, { ...(decide && { decide }), ...(agent && { agent }) }).verdict()).toBe(verdict);
  });

  it.each(["git log | sh", "git status; rm x", "git $(rm x)", "git > out", "git `rm x`", "git &"])(
    "is not about what a shell makes of it: %s",
    (command) => {
      expect(place(listing("*")).verdict({ place: "/usr/bin/git", command: command.split(" ") })).toBe("approval");
    },
  );

  it.each([
    { name: "ask always", defaults: { ask: "always" }, verdict: "approval" },
    { name: "all, without asking", defaults: { security: "full", ask: "off" }, verdict: "notify" },
    { name: "listed", defaults: { allowlist: ["*"] }, verdict: "notify" },
  ])(
    "takes nothing from the limits of a rule, or from whom it leaves the answer to: $name",
    ({ defaults, verdict }) => {
      const limit = { max: 1, window: "1h", on_exceed: "blocked" } as const;
      const { rules } = place({ version: 1, defaults }, { rule: { channels: ["cli"], rate_limit: limit } });
      expect(rules.decide({ act: "exec", ...GIT })).toMatchObject({ verdict, channels: ["cli"], rates: [{ max: 1 }] });
    },
  );

  it("is not about files", () => {
    const { rules } = place({ version: 1, defaults: { security: "deny" } });
    expect(rules.decide({ act: "read", place: "/w/a" }).verdict).toBe("autonomous");
  });
});

describe("always", () => {
  const entry = { pattern: "/usr/bin/git", lastUsedCommand: "git status", lastResolvedPath: "/usr/bin/git" };

  it("lists the program, closed to others, and keeps all that was there", async () => {
    const mine = { id: "x", pattern: "/bin/ls", note: "mine" };
    const file = {
      version: 1,
      socket: { path: "/s", token: "t" },
      odd: [1],
      agents: { main: { allowlist: [mine] }, b: { x: 1 } },
    };
    const { exec, verdict, written, path } = place(file);
    await exec.allow(GIT);
    const allowlist = [mine, { ...entry, id: expect.any(String), lastUsedAt: NOW, expiresAt: NOW + 30 * 86_400_000 }];
    expect(written()).toEqual({ ...file, agents: { main: { allowlist }, b: { x: 1 } } });
    expect([verdict(), statSync(path).mode & 0o777]).toEqual(["notify", 0o600]);
  });

  it("lists a program once", async () => {
    const { exec, written } = place(undefined);
    await exec.allow(GIT);
    await exec.allow({ ...GIT, command: ["git", "log"] });
    expect(written()).toMatchObject({ agents: { main: { allowlist: [{ ...entry, lastUsedCommand: "git log" }] } } });
  });

  it("loses none of many that are given at once", async () => {
    const { again, written } = place(undefined);
    const names = Array.from({ length: 20 }, (_, nth) => `/bin/p${nth}`);
    await Promise.all(names.map((name) => again().allow({ place: name, command: [name] })));
    const { agents } = written() as { agents: { main: { allowlist: { pattern: string }[] } } };
    expect(agents.main.allowlist.map(({ pattern }) => pattern).toSorted()).toEqual(names.toSorted());
  });

  it.each([
    { name: "a shell", want: { place: "/bin/bash", command: ["bash", "x"] } },
    { name: "what runs others", want: { place: "/usr/bin/env", command: ["env", "x"] } },
    { name: "an interpreter", want: { place: "/usr/bin/python3.12", command: ["python3.12", "x"] } },
    { name: "words for a shell", want: { place: "/usr/bin/git", command: ["git", "|", "sh"] } },
    { name: "a name that as a pattern means others", want: { place: "/w/bin/*", command: ["*"] } },
    { name: "a program that was not found", want: { place: "", command: ["nope"] } },
  ])("never lists $name", async ({ want }) => {
    const { exec, path } = place(undefined);
    await exec.allow(want);
    expect(existsSync(path)).toBe(false);
  });

  it.each(['{"version":2}', "{"])("leaves a file that it does not understand as it is: %s", async (text) => {
    const { exec, path, warnings } = place(text);
    await exec.allow(GIT);
    expect([readFileSync(path, "utf8"), warnings]).toEqual([text, [expect.stringContaining("it is not of version 1")]]);
  });
});
