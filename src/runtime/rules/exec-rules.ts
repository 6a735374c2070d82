import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import { LIMITS } from "../../base/limits.ts";
import { EXEC_ASKS, EXEC_SECURITIES, type ExecAsk, type ExecSecurity, needsNoApproval } from "../../base/verdicts.ts";
import type { State } from "../../storage/state.ts";
import {
  type ExecApprovals,
  type ExecSettings,
  execApprovalsIn,
  isListed,
  execSettingsOf,
  withProgram,
} from "./exec-approvals.ts";
import { type ExecConfig, isExecOn } from "../tools/config.ts";
import type { ExecRequest, PermissionRequest } from "./permission-request.ts";
import type { Decision } from "./decision.ts";

/**
 * Decides what may run by the `exec-approvals.json` in our state home. It is read each time, since others write it,
 * too.
 */
export interface ExecRules {
  /** Applies the file to what the rules decide. Like a grant it satisfies `approval`; it may also be stricter. */
  decide(request: PermissionRequest, decision: Decision): Decision;
  /**
   * Lists the program of a command: of an agent's command only with exactly its words, where it may be stored at all.
   * Never lists a shell, a program that runs others, or a path with wildcards in it. Returns whether it is listed now.
   */
  allow(request: Pick<PermissionRequest, "place" | "command" | "exec">): Promise<boolean>;
}

export interface ExecRulesParts {
  readonly state: State;
  readonly agent: string;
  /** Returns the settings of the configuration as they are now. */
  readonly config?: (() => ExecConfig) | undefined;
  /** The directory that "~" stands for. */
  readonly home: string;
  /** Is called when a program cannot be listed. */
  readonly warn: (message: string) => void;
  readonly nowMs?: () => number;
}

export function createExecRules({
  state,
  agent,
  config = () => ({}),
  home,
  warn,
  nowMs = Date.now,
}: ExecRulesParts): ExecRules {
  const settings = (): ExecSettings => execSettingsOf(execApprovalsIn(readApprovals(state)) ?? ASK_ALWAYS, agent);
  return {
    decide(request, decision) {
      const at = { nowMs: nowMs(), home };
      return request.exec
        ? decideCommand({ file: settings(), config: config() }, request.exec, request, decision, at)
        : underExecSettings(settings(), request, decision, at);
    },
    async allow({ place: pattern, command = [], exec }) {
      if (!/^\/[^*?]+$/.test(pattern)) return false;
      if (exec ? !exec.scope : RUNS_OTHERS.test(basename(pattern)) || hasShellWords(command)) return false;
      const now = nowMs();
      const used = { lastUsedAt: now, lastUsedCommand: command.join(" "), lastResolvedPath: pattern };
      const scope = exec?.scope;
      const program = { id: randomUUID(), pattern, scope, expiresAt: now + LIMITS.grantMs, ...used };
      // The lock covers reading and writing, so that no edit of another process is lost.
      return state.locked(() => {
        const approvals = execApprovalsIn(state.read(FILE));
        if (approvals) state.write(FILE, `${JSON.stringify(withProgram(approvals, agent, program), null, 2)}\n`);
        else warn(`Cannot list ${pattern} in ${FILE}: it is not of version 1; the yes holds once`);
        return approvals !== undefined;
      });
    },
  };
}

const FILE = "exec-approvals.json";

/** Treats a file that cannot be read as one that cannot be parsed. */
function readApprovals(state: State): string | null {
  try {
    return state.read(FILE);
  } catch {
    return "";
  }
}

/** Replaces a file that cannot be used: it allows nothing, since the file may have forbidden everything. */
const ASK_ALWAYS: ExecApprovals = { version: 1, defaults: { ask: "always" } };

function underExecSettings(
  settings: ExecSettings,
  { place, command = [] }: PermissionRequest,
  decision: Decision,
  at: { readonly nowMs: number; readonly home: string },
): Decision {
  const { security, ask } = settings;
  // Rate limits and channels of the rules stay in force.
  const says = (verdict: Decision["verdict"], reason: string): Decision => ({
    ...decision,
    verdict,
    reasons: [`${FILE}: ${reason}`],
    origins: [FILE],
  });
  if (decision.verdict === "blocked") return decision;
  if (security === "deny") return says("blocked", "nothing may run");
  const isKnown = !hasShellWords(command) && isListed(settings, place, at);
  if (ask === "always") return says("approval", "each command is asked for");
  if (isKnown) return needsNoApproval(decision.verdict) ? decision : says("notify", "the program is listed");
  if (security === "allowlist" && ask === "off") return says("blocked", "the program is not listed");
  if (security === "allowlist" && needsNoApproval(decision.verdict))
    return says("approval", "the program is not listed");
  return security === "full" && ask === "off" && !needsNoApproval(decision.verdict)
    ? says("notify", "all may run")
    : decision;
}

/** Holds where the settings for commands come from. */
interface CommandSettings {
  readonly file: ExecSettings;
  readonly config: ExecConfig;
}

/**
 * Decides about a part of a command. A rule that somebody wrote comes first. What is known or listed satisfies the
 * `approval` of a template as a grant does; nothing satisfies `blocked`.
 */
function decideCommand(
  { file, config }: CommandSettings,
  exec: ExecRequest,
  request: PermissionRequest,
  decision: Decision,
  at: { readonly nowMs: number; readonly home: string },
): Decision {
  const security = strictestSecurity([config.security ?? usualSecurity(exec), file.security, exec.security]);
  const ask = mostAsking([config.ask, file.ask, exec.ask]);
  const says = (verdict: Decision["verdict"], reasons: readonly string[]): Decision => ({
    ...decision,
    verdict,
    reasons,
  });
  if (decision.verdict === "blocked") return decision;
  if (!isExecOn(config)) return says("blocked", ["commands are off; tools.exec.security or --exec turns them on"]);
  if (security === "deny") return says("blocked", ["commands are denied here"]);
  if (exec.isElevated) return says("approval", ["it asks to run without a sandbox and without undo"]);
  if (!decision.isByDefault && decision.verdict === "approval") return decision;
  if (ask === "always") return says("approval", ["each command is asked for"]);
  if (!decision.isByDefault && !exec.isUnclear) return decision;
  if (security === "full") return allowed(decision, "all commands may run");
  if (exec.isKnown) return allowed(decision, "it is known to change nothing");
  if (isListed(file, request.place, { ...at, scope: exec.scope }) && !exec.isUnclear)
    return allowed(decision, "the program is listed");
  return says(ask === "off" ? "blocked" : "approval", exec.reasons);
}

/** Lets everything run where nothing reaches a file before the rules have decided; elsewhere what is known or listed. */
const usualSecurity = ({ isContained }: ExecRequest): ExecSecurity => (isContained ? "full" : "allowlist");

const allowed = (decision: Decision, reason: string): Decision =>
  needsNoApproval(decision.verdict) ? decision : { ...decision, verdict: "notify", reasons: [reason] };

const strictestSecurity = (given: readonly (ExecSecurity | undefined)[]): ExecSecurity =>
  EXEC_SECURITIES.find((each) => given.includes(each)) ?? "deny";

const mostAsking = (given: readonly (ExecAsk | undefined)[]): ExecAsk =>
  EXEC_ASKS.findLast((each) => given.includes(each)) ?? "on-miss";

/** Matches programs that run others: listing one would allow whatever it runs. */
const RUNS_OTHERS =
  /^(?:(?:ba|da|z|fi|k|c|tc|a|mk|r|rba)?sh|busybox|toybox|env|sudo|doas|su|xargs|nice|nohup|timeout|stdbuf|setsid|ionice|taskset|chrt|node|python[\d.]*|perl|ruby)$/i;

/** Recognises words that only a shell understands: an entry of the list covers one program with plain arguments. */
const hasShellWords = (command: readonly string[]): boolean => command.some((word) => /[|&;<>`$()\n\\]/.test(word));
