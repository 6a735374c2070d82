import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  EXEC_ASKS,
  EXEC_SECURITIES,
  type ExecAsk,
  type ExecSecurity,
  type Verdict,
} from "../../../src/base/verdicts.ts";
import { createExecRules } from "../../../src/runtime/rules/exec-rules.ts";
import type { ExecRequest } from "../../../src/runtime/rules/permission-request.ts";
import type { ExecConfig } from "../../../src/runtime/tools/config.ts";
import { createState } from "../../../src/storage/local/state/state.ts";
import { scratch, stateBeside } from "../scratch.ts";

/** Decides about a command that nobody knows, where the configuration, the file and the call say this. */
function verdictOf(config: ExecConfig, defaults: object, asked: Pick<ExecRequest, "security" | "ask">): Verdict {
  const home = stateBeside(scratch());
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "exec-approvals.json"), JSON.stringify({ version: 1, defaults }));
  const rules = createExecRules({
    state: createState(home),
    agent: "main",
    config: () => config,
    home: "/home/ann",
    warn: () => {},
  });
  const common = { isContained: false, isElevated: false, isKnown: false, isUnclear: false, reasons: ["unknown"] };
  const request = { act: "exec", place: "/opt/x", command: ["x"], exec: { ...common, ...asked } } as const;
  return rules.decide(request, { verdict: "approval", reasons: [], isByDefault: true }).verdict;
}

const AT: Readonly<Record<ExecSecurity, Verdict>> = { deny: "blocked", allowlist: "approval", full: "notify" };
const least = (...given: readonly ExecSecurity[]): ExecSecurity =>
  (["deny", "allowlist", "full"] as const).find((each) => given.includes(each)) ?? "deny";

describe("of the configuration, the file and the call", () => {
  const triples = EXEC_SECURITIES.flatMap((config) =>
    EXEC_SECURITIES.flatMap((file) => EXEC_SECURITIES.map((call) => [config, file, call] as const)),
  );

  it.each(triples)("the strictest counts: %s, %s, %s", (config, file, call) => {
    expect(verdictOf({ security: config }, { security: file }, { security: call, ask: undefined })).toBe(
      AT[least(config, file, call)],
    );
  });

  const asks = EXEC_ASKS.flatMap((config) =>
    EXEC_ASKS.flatMap((file) => EXEC_ASKS.map((call) => [config, file, call] as const)),
  );

  it.each(asks)("the one that asks most counts: %s, %s, %s", (config, file, call) => {
    const all: readonly ExecAsk[] = [config, file, call];
    const verdict = verdictOf({ security: "full", ask: config }, { ask: file }, { security: undefined, ask: call });
    const miss = verdictOf({ security: "allowlist", ask: config }, { ask: file }, { security: undefined, ask: call });
    expect([verdict, miss]).toEqual([
      all.includes("always") ? "approval" : "notify",
      all.every((ask) => ask === "off") ? "blocked" : "approval",
    ]);
  });

  it.each([
    { name: "a security that is unknown here", defaults: { security: "sandbox-only" }, verdict: "blocked" },
    { name: "an ask that is unknown here", defaults: { ask: "sometimes" }, verdict: "approval" },
    { name: "a security that is no word", defaults: { security: 1 }, verdict: "blocked" },
    { name: "nothing", defaults: {}, verdict: "notify" },
  ])("$name counts as the strictest", ({ defaults, verdict }) => {
    expect(verdictOf({ security: "full" }, defaults, { security: undefined, ask: undefined })).toBe(verdict);
  });
});
