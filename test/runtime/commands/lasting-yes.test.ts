import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { ApprovalAnswer, ApprovalRequest } from "../../../src/runtime/approvals/approval.ts";
import { approvalFormOf } from "../../../src/faces/mcp/question-form.ts";
import { questionLines } from "../../../src/runtime/effects/effect-text.ts";
import { needs } from "../../programs.ts";
import { callerOn, scratch, stateBeside } from "../scratch.ts";

// Programs count as safe only where no directory before theirs can be written to.
beforeEach(() => void vi.stubEnv("PATH", "/usr/bin:/bin"));

/** An agent whose unknown commands are asked about, and a person who always answers the same. */
function asking(decision: ApprovalAnswer["decision"], root = scratch({ "x.js": "1\n", "run.sh": "#!/bin/sh\n" })) {
  needs("bwrap");
  const asked: ApprovalRequest[] = [];
  const agent = callerOn(root, {
    stateDirectory: stateBeside(root),
    exec: { security: "allowlist" },
    approver: async (request) => {
      asked.push(request);
      return { decision };
    },
  });
  /** Runs a command, and returns whether somebody was asked. */
  const isAsked = async (command: string, more: object = {}): Promise<boolean> => {
    const before = asked.length;
    await agent("exec", { command, ...more });
    return asked.length > before;
  };
  const file = join(stateBeside(root), "exec-approvals.json");
  const entries = (): readonly Record<string, unknown>[] =>
    existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).agents.main.allowlist : [];
  return { root, isAsked, entries, asked, agent };
}

describe("a yes for the session", () => {
  it("is one to exactly this command", async () => {
    const { root, isAsked, entries } = asking("session");
    expect(await isAsked("getconf PAGE_SIZE")).toBe(true);
    expect(await isAsked("getconf PAGE_SIZE")).toBe(false);
    expect(await isAsked("getconf ARG_MAX")).toBe(true);
    expect(await isAsked("getconf PAGE_SIZE", { env: { A: "1" } })).toBe(true);
    expect(entries()).toEqual([]);
    expect(await asking("once", root).isAsked("getconf PAGE_SIZE")).toBe(true);
  });

  it("ends where an inherited variable has another value", async () => {
    const { isAsked } = asking("session");
    vi.stubEnv("LANG", "C");
    expect([await isAsked("getconf PAGE_SIZE"), await isAsked("getconf PAGE_SIZE")]).toEqual([true, false]);
    vi.stubEnv("LANG", "C.UTF-8");
    expect(await isAsked("getconf PAGE_SIZE")).toBe(true);
  });

  it("once is once", async () => {
    const { isAsked } = asking("once");
    expect([await isAsked("getconf PAGE_SIZE"), await isAsked("getconf PAGE_SIZE")]).toEqual([true, true]);
  });
});

describe("a yes for good", () => {
  it("stores the program with its words, these directories and this sandbox, for 30 days", async () => {
    const { root, isAsked, entries } = asking("always");
    expect(await isAsked("getconf PAGE_SIZE")).toBe(true);
    expect(entries()).toMatchObject([
      { pattern: "/usr/bin/getconf", words: ["PAGE_SIZE"], roots: [root], sandbox: expect.any(String) },
    ]);
    expect(Number(entries()[0]?.["expiresAt"]) - Date.now()).toBeLessThanOrEqual(LIMITS.grantMs);
    const later = asking("once", root);
    expect(await later.isAsked("getconf PAGE_SIZE")).toBe(false);
    expect(await later.isAsked("getconf ARG_MAX")).toBe(true);
    expect(await later.isAsked("getconf PAGE_SIZE", { env: { A: "1" } })).toBe(true);
  });

  it.each([
    "bash -c 'getconf PAGE_SIZE'",
    "env getconf PAGE_SIZE",
    "node -e 1",
    "./run.sh",
    "getconf $(echo PAGE_SIZE)",
  ])("stores nothing for %s", async (command) => {
    const { root, isAsked, entries } = asking("always");
    expect([await isAsked(command), entries()]).toEqual([true, []]);
    expect(await asking("once", root).isAsked(command)).toBe(true);
  });

  it("holds for an interpreter only while its script is the same", async () => {
    const { root, isAsked } = asking("always");
    expect(await isAsked("node x.js")).toBe(true);
    const later = asking("once", root);
    expect(await later.isAsked("node x.js")).toBe(false);
    writeFileSync(join(root, "x.js"), "2\n");
    expect(await later.isAsked("node x.js")).toBe(true);
  });

  it.each([
    { entry: { pattern: "/usr/bin/getconf" }, isAsked: false },
    { entry: { pattern: "/usr/bin/getconf", words: ["PAGE_SIZE"] }, isAsked: true },
    { entry: { pattern: "/usr/bin/getconf", words: "PAGE_SIZE", roots: ["/"], sandbox: "none" }, isAsked: true },
    {
      entry: { pattern: "/usr/bin/getconf", words: ["PAGE_SIZE"], roots: ["/elsewhere"], sandbox: "bubblewrap" },
      isAsked: true,
    },
  ])("an entry $entry", async ({ entry, isAsked }) => {
    const { root, ...later } = asking("once");
    mkdirSync(stateBeside(root), { recursive: true });
    const listed = { version: 1, agents: { main: { allowlist: [entry] } } };
    writeFileSync(join(stateBeside(root), "exec-approvals.json"), JSON.stringify(listed));
    expect(await later.isAsked("getconf PAGE_SIZE")).toBe(isAsked);
  });
});

it("shows all of a command, hides no character, and lets no value forge a line", async () => {
  const { root, asked, agent } = asking("deny");
  await agent("exec", { command: "getconf \u202eEZIS\u200b\rPAGE_SIZE" });
  await agent("exec", { command: "getconf PAGE_SIZE", env: { MODE: "a\u202eb\nsandbox: forged" } });
  const lines = asked.flatMap(questionLines);
  expect(lines.join("\n")).not.toMatch(/[\u202e\u200b\r]/);
  expect(lines.join("\n")).toContain('run "getconf \\u{202e}EZIS\\u{200b}\\rPAGE_SIZE" (environment: ');
  expect(lines.filter((line) => line.startsWith("sandbox: forged"))).toEqual([]);
  for (const part of [`in ${root}`, "with MODE=", "runs /usr/bin/getconf (", "sandbox: ", "undo: "])
    expect(lines.join("\n")).toContain(part);
});

it.each([
  ["a program with plain words", "getconf PAGE_SIZE", ["once", "session", "always", "deny"]],
  ["a shell, which may do anything", "sh -c 'getconf PAGE_SIZE'", ["once", "session", "deny"]],
])("a question about %s offers only what can be kept", async (_, command, decisions) => {
  const { asked, isAsked } = asking("once");
  await isAsked(command);
  const [request] = asked;
  expect(request && approvalFormOf(request).requestedSchema.properties.decision.enum).toEqual(decisions);
});
