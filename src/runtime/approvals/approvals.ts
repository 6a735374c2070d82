import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Cancellation, stopIfCancelled } from "../../base/time-slicing.ts";
import { isoOf } from "../../base/time.ts";
import { type ChannelName, needsNoApproval } from "../../base/verdicts.ts";
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  approvalState,
  type ApprovalChannel,
  type GivenAnswer,
} from "./approval.ts";
import type { ApprovalCommand } from "./approval-command.ts";
import { type ApprovalStore, approvalNotFound } from "./store.ts";
import { type Audit, writtenRulingOf } from "../audit/audit.ts";
import { digestOf, type CallEffect } from "../pipeline/effect.ts";
import { grantsFor, type Grants } from "./grants.ts";
import type { ExecRules } from "../rules/exec-rules.ts";
import type { TreePermissionRequest } from "../pipeline/permission-requests.ts";
import { type Decision, retryHint } from "../rules/rules.ts";

/** What has to be allowed before it may happen. */
export interface Question {
  readonly tool: string;
  /** The arguments of the call, to make it again. */
  readonly input: unknown;
  /** What a refusal says cannot be done: the tool and the places, by the names of the caller. */
  readonly action: string;
  readonly effect: CallEffect;
  readonly decision: Decision;
  /** What needs the yes, and is what a yes for longer than once is for. */
  readonly requests: readonly TreePermissionRequest[];
}

/** The call that asks. */
export interface Asker {
  readonly session: string;
  readonly signal: Cancellation;
  /** Whoever sits at the client of this call. */
  readonly channel?: ApprovalChannel | undefined;
  /** What it was allowed so far and has not done yet. Given back when it has to wait for one thing more. */
  readonly usedApprovals: ApprovalRequest[];
  /** Whatever was said to its questions, yes or no, for the audit log. */
  readonly answers: GivenAnswer[];
}

/** "allowed": this very effect may happen now, once. "answered": somebody spoke meanwhile; look again before you act. */
export type ResolvedApproval = "allowed" | "answered";

export interface Approvals {
  /** Throws `denied`, or `pending` when nobody answered while the call could wait. */
  resolveApproval(question: Question, asker: Asker): Promise<ResolvedApproval>;
  /** The call that a question of this session belongs to. Throws when that can no longer go on. */
  pendingCallOf(id: string, session: string): Pick<ApprovalRequest, "tool" | "input">;
}

export interface ApprovalParts {
  readonly store: ApprovalStore;
  readonly grants: Grants;
  readonly execRules: ExecRules;
  readonly audit: Audit;
  /** The commands by which a person answers. */
  readonly command: ApprovalCommand;
  /** Who can be asked besides whoever sits at the client of the call. */
  readonly channels?: readonly ApprovalChannel[] | undefined;
  readonly waitMs?: number | undefined;
  /** Told when somebody could not be asked. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Told of every question, with the command that shows it, for whoever watches. */
  readonly onQuestion?: ((request: ApprovalRequest) => void) | undefined;
}

/** Nothing to wait for where nobody need be asked, and nobody to ask where nobody can allow it. */
export function resolveDecision(
  decision: Decision,
  doing: () => string,
  ask: () => Promise<ResolvedApproval>,
): Promise<ResolvedApproval> | undefined {
  const { verdict, reasons } = decision;
  if (needsNoApproval(verdict)) return undefined;
  if (verdict === "approval") return ask();
  const details = { verdict, answer: "denied", ...retryHint(decision) };
  throw new Fault("denied", `Cannot ${doing()}: ${reasons.join("; ")}`, details);
}

/** Only what was asked is ever allowed: a changed effect has another digest, and is another question. */
export function createApprovals(parts: ApprovalParts): Approvals {
  const { store } = parts;
  return {
    async resolveApproval(question, asker) {
      const known = store.find(digestOf(question.tool, question.effect), asker.session);
      if (known?.answer) return useAnswer(parts, known, question, asker);
      const who = audienceOf(question.decision, [asker.channel, ...(parts.channels ?? [])]);
      const { tool, input, effect, decision } = question;
      const { reasons, channels } = decision;
      const asked = known ?? (await store.add({ tool, input, effect, reasons, channels, session: asker.session }));
      if (!known) parts.onQuestion?.(withShowCommand(parts.command, asked));
      const now = await waitForAnswer(parts, asked, who, asker.signal);
      if (now && approvalState(now, Date.now()) === "pending") {
        await store.restoreUnused(asker.usedApprovals);
        throw pendingFault(now, question.action, parts.command);
      }
      return now?.answer?.decision === "deny" ? useAnswer(parts, now, question, asker) : "answered";
    },
    pendingCallOf(id, session) {
      const request = store.read(id);
      if (!request || !store.mayUse(request, session)) throw approvalNotFound(id);
      const state = approvalState(request, Date.now());
      if (state === "expired") throw new Fault("expired", `Cannot go on with ${id}: it has expired`, { id, state });
      return request;
    },
  };
}

/** Uses an answer up. One that another call was quicker to use is no answer. */
async function useAnswer(
  { store, grants, execRules, audit }: ApprovalParts,
  { id }: ApprovalRequest,
  { requests, decision: ruled }: Question,
  { session, usedApprovals: all, answers }: Asker,
): Promise<ResolvedApproval> {
  const used = await store.consume(id);
  if (!used?.answer) return "answered";
  const { tool, digest, answer, reasons } = used;
  const { decision, by, reason } = answer;
  answers.push(answer);
  const input = { approval: id, tool, digest, by, reason };
  const ruling = writtenRulingOf({ decision: ruled, answers: [answer] });
  audit.record({ time: Date.now(), session, tool: "approval", input, code: decision, ...ruling, ms: 0 });
  if (decision === "deny") throw deniedFault(tool, reasons, answer);
  all.push(used);
  if (decision !== "once") for (const grant of grantsFor(requests, by)) await grants.add(grant, decision);
  if (decision === "always") for (const want of requests) if (want.act === "exec") await execRules.allow(want);
  return "allowed";
}

interface Audience {
  readonly channels: readonly ApprovalChannel[];
  /** Also whoever looks into our state directory: the command line, the console. */
  readonly mayAnswerLocally: boolean;
}

/** A person at the desk is counted on where the rules say so, or nobody else is there. */
function audienceOf({ channels: named, reasons }: Decision, there: readonly (ApprovalChannel | undefined)[]): Audience {
  const channels = there.filter((each) => each !== undefined).filter(({ name }) => named?.includes(name) ?? true);
  const isDeskOpen = named ? LOCAL_CHANNELS.some((name) => named.includes(name)) : channels.length === 0;
  const isByReturn = channels.some((each) => each.isAnsweredByNextCall);
  if (channels.length > 0 || isDeskOpen) return { channels, mayAnswerLocally: isDeskOpen && !isByReturn };
  const wanted = named?.join(" or ") || "nobody";
  throw new Fault("denied", `Cannot ask for approval: ${reasons.join("; ")}; the rules leave it to ${wanted}`);
}

const LOCAL_CHANNELS: readonly ChannelName[] = ["cli", "console"];

/** Asks everybody at once, and waits for the first answer, wherever it is given. Undefined when another call used it. */
async function waitForAnswer(
  parts: ApprovalParts,
  { id }: ApprovalRequest,
  { channels, mayAnswerLocally }: Audience,
  signal: Cancellation,
): Promise<ApprovalRequest | undefined> {
  const { store, waitMs = LIMITS.approvalWaitMs } = parts;
  const settled = new AbortController();
  const request = store.read(id);
  if (!request) return undefined;
  let isSomebodyThere = true;
  const asked = channels.map((channel) => ({ channel, said: askChannel(channel, request, parts, settled.signal) }));
  const byReturn = asked.filter(({ channel }) => channel.isAnsweredByNextCall);
  const awaited = byReturn.length > 0 ? byReturn : asked;
  const all = Promise.all(awaited.map(({ said }) => said)).then(() => void (isSomebodyThere = mayAnswerLocally));
  const untilMs = Date.now() + waitMs;
  for (;;) {
    const now = store.read(id);
    if (!now || approvalState(now, Date.now()) !== "pending") {
      settled.abort();
      return now;
    }
    stopIfCancelled(signal);
    if (Date.now() >= untilMs || !isSomebodyThere) return now;
    await Promise.race([pause(LIMITS.approvalPollMs), ...(mayAnswerLocally ? [] : [all])]);
  }
}

const withShowCommand = (command: ApprovalCommand, request: ApprovalRequest): ApprovalRequest => ({
  ...request,
  show: command("show", request.id),
});

/** An answer counts however late it comes, unless another one was first. Who cannot be asked has not answered. */
async function askChannel(
  channel: ApprovalChannel,
  request: ApprovalRequest,
  { store, warn, command }: ApprovalParts,
  withdrawn: AbortSignal,
) {
  const answer = await channel.ask(withShowCommand(command, request), withdrawn).catch((error: unknown) => {
    if (!withdrawn.aborted) warn?.(`Cannot ask for approval by ${channel.name}: ${String(error)}`);
    return undefined;
  });
  // Refused where another answer was first, or the rules do not want this one: then nothing has changed.
  if (answer) await store.answer(request.id, { who: channel.who, ...answer }, channel.name).catch(() => {});
}

/** The model is told one way to go on, which every dialect has: the user answers, and the same call is made again. */
function pendingFault(
  { id, reasons, channels, expiresMs }: ApprovalRequest,
  doing: string,
  command: ApprovalCommand,
): Fault {
  const isForCommandLine = channels?.includes("cli") ?? true;
  const way = isForCommandLine
    ? `the user allows it with this command:\n${command("approve", id)}`
    : `the rules leave the answer to ${channels?.join(" or ")}`;
  return new Fault(
    "pending",
    `Cannot ${doing} yet: ${reasons.join("; ")}; approval ${id} waits for an answer until ${isoOf(expiresMs)}; ${way}`,
    {
      approval_id: id,
      expires: isoOf(expiresMs),
      ...(isForCommandLine && { command: command("approve", id) }),
    },
  );
}

function deniedFault(tool: string, reasons: readonly string[], { reason }: ApprovalAnswer): Fault {
  const says = reason === undefined ? "the user said no" : `the user said no: ${reason}`;
  return new Fault("denied", `Cannot run ${tool}: ${reasons.join("; ")}; ${says}`, {
    verdict: "approval",
    answer: "denied",
    ...(reason !== undefined && { reason }),
  });
}

/** Whoever is asked by the program around us. */
export type Approver = (request: ApprovalRequest, withdrawn: AbortSignal) => Promise<ApprovalAnswer | undefined>;
