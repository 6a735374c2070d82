import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { LIMITS } from "../../base/limits.ts";
import { needsNoApproval } from "../../base/verdicts.ts";
import type { State } from "../../storage/state.ts";
import {
  type ExecApprovals,
  type ExecSettings,
  execApprovalsIn,
  isListed,
  execSettingsOf,
  withProgram,
} from "./exec-approvals.ts";
import type { PermissionRequest } from "./compile-rule.ts";
import type { Decision, Rules } from "./rules.ts";

/** What may run, as the `exec-approvals.json` in our state home says: read at every question, for others write it, too. */
export interface ExecRules {
  /** The rules with what the file adds: like a grant it satisfies `approval`, and it may tighten. */
  apply(rules: Rules): Rules;
  /** Lists the program of a command. A shell, what runs other programs, or a path that as a pattern means more is never listed. */
  allow(want: Pick<PermissionRequest, "place" | "command">): Promise<void>;
}

export interface ExecRulesParts {
  readonly state: State;
  readonly agent: string;
  /** Where "~" leads to. */
  readonly home: string;
  /** Told when a program cannot be listed. */
  readonly warn: (message: string) => void;
  readonly nowMs?: () => number;
}

export function createExecRules({ state, agent, home, warn, nowMs = Date.now }: ExecRulesParts): ExecRules {
  const standing = (): ExecSettings => execSettingsOf(execApprovalsIn(readApprovals(state)) ?? ASK_ALWAYS, agent);
  const decided = (want: PermissionRequest, decision: Decision): Decision =>
    want.act === "exec" ? underExecSettings(standing(), want, decision, { nowMs: nowMs(), home }) : decision;
  return {
    apply: (rules) => ({ ...rules, decide: (want) => decided(want, rules.decide(want)) }),
    async allow({ place: pattern, command = [] }) {
      if (!/^\/[^*?]+$/.test(pattern) || RUNS_OTHERS.test(basename(pattern)) || hasShellWords(command)) return;
      const now = nowMs();
      const used = { lastUsedAt: now, lastUsedCommand: command.join(" "), lastResolvedPath: pattern };
      const program = { id: randomUUID(), pattern, expiresAt: now + LIMITS.grantMs, ...used };
      // The file is read and put back under the lock: nobody's edit is lost.
      await state.locked(() => {
        const approvals = execApprovalsIn(state.read(FILE));
        if (!approvals) return warn(`Cannot list ${pattern} in ${FILE}: it is not of version 1; the yes holds once`);
        state.write(FILE, `${JSON.stringify(withProgram(approvals, agent, program), null, 2)}\n`);
      });
    },
  };
}

const FILE = "exec-approvals.json";

/** A file that cannot be read is not understood, either. */
function readApprovals(state: State): string | null {
  try {
    return state.read(FILE);
  } catch {
    return "";
  }
}

/** What is there and not understood allows nothing, and may have forbidden all. */
const ASK_ALWAYS: ExecApprovals = { version: 1, defaults: { ask: "always" } };

function underExecSettings(
  standing: ExecSettings,
  { place, command = [] }: PermissionRequest,
  decision: Decision,
  at: { readonly nowMs: number; readonly home: string },
): Decision {
  const { security, ask } = standing;
  // What counts towards limits, and who may say yes, is still for the rules to say.
  const says = (verdict: Decision["verdict"], reason: string): Decision => ({
    ...decision,
    verdict,
    reasons: [`${FILE}: ${reason}`],
    origins: [FILE],
  });
  if (decision.verdict === "blocked") return decision;
  if (security === "deny") return says("blocked", "nothing may run");
  const isKnown = !hasShellWords(command) && isListed(standing, place, at);
  if (ask === "always") return says("approval", "each command is asked for");
  if (isKnown) return needsNoApproval(decision.verdict) ? decision : says("notify", "the program is listed");
  if (security === "allowlist" && ask === "off") return says("blocked", "the program is not listed");
  if (security === "allowlist" && needsNoApproval(decision.verdict))
    return says("approval", "the program is not listed");
  return security === "full" && ask === "off" && !needsNoApproval(decision.verdict)
    ? says("notify", "all may run")
    : decision;
}

/** To list one of these would be to list whatever it is told to run. */
const RUNS_OTHERS =
  /^(?:(?:ba|da|z|fi|k|c|tc|a|mk|r|rba)?sh|busybox|toybox|env|sudo|doas|su|xargs|nice|nohup|timeout|stdbuf|setsid|ionice|taskset|chrt|node|python[\d.]*|perl|ruby)$/i;

/** More than one program, or words that only a shell understands: what is listed is one program with plain words. */
const hasShellWords = (command: readonly string[]): boolean => command.some((word) => /[|&;<>`$()\n\\]/.test(word));
