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
  DECISIONS,
  type ApprovalChannel,
  type RecordedAnswer,
  type Requester,
} from "./approval.ts";
import type { ApprovalCommand } from "./approval-command.ts";
import { type ApprovalStore, approvalNotFound } from "./store.ts";
import { type Audit, writtenRulingOf } from "../audit/audit.ts";
import { digestOf, type CallEffect } from "../effects/call-effect.ts";
import { questionText } from "../effects/effect-text.ts";
import { grantsFor, type Grants } from "./grants.ts";
import type { ExecRules } from "../rules/exec-rules.ts";
import type { TreePermissionRequest } from "../rules/permission-request.ts";
import type { Decision } from "../rules/decision.ts";
import { retryHint } from "../rules/rules.ts";

/** Describes an effect that needs approval. */
export interface Question {
  readonly tool: string;
  /** Holds the arguments of the call, so that it can be made again. */
  readonly input: unknown;
  /** Completes "Cannot …" in a refusal: the tool and the places, by the names that the caller knows. */
  readonly action: string;
  readonly effect: CallEffect;
  readonly decision: Decision;
  /** Lists the requests that need the yes. A grant covers these. */
  readonly requests: readonly TreePermissionRequest[];
}

/** Describes the call that asks. */
export interface Asker extends Requester {
  /** Names the program that made the call, as it calls itself. */
  readonly client?: string | undefined;
  readonly signal: Cancellation;
  /** Asks the person at the client of this call. */
  readonly channel?: ApprovalChannel | undefined;
  /**
   * Lists approvals that the call used but did not act on yet. They are restored when it has to wait for another one.
   */
  readonly usedApprovals: ApprovalRequest[];
  /** Collects all answers to its questions, for the audit log. */
  readonly answers: RecordedAnswer[];
}

/** "allowed": this very effect may happen now, once. "answered": there is one now; plan again before acting. */
export type ResolvedApproval = "allowed" | "answered";

export interface Approvals {
  /** Throws `denied`, or `pending` when nobody answered while the call could wait. */
  resolveApproval(question: Question, asker: Asker): Promise<ResolvedApproval>;
  /** Returns the call that a question of this session belongs to. Throws when it can no longer be resumed. */
  pendingCallOf(id: string, user: Requester): Pick<ApprovalRequest, "tool" | "input">;
}

export interface ApprovalParts {
  readonly store: ApprovalStore;
  readonly grants: Grants;
  readonly execRules: ExecRules;
  readonly audit: Audit;
  /** Is false where questions are kept in memory: neither the command line nor the console can see them then. */
  readonly hasLocalChannels: boolean;
  /** Builds the commands by which a person answers. */
  readonly command: ApprovalCommand;
  /** Returns the address of a question in the console of the user; undefined where none runs. */
  readonly consoleLink?: ((id: string) => string | undefined) | undefined;
  /** Lists channels besides the client of the call. */
  readonly channels?: readonly ApprovalChannel[] | undefined;
  readonly waitMs?: number | undefined;
  /** Is called when a channel could not ask. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Is called for every new question, with the command that shows it. */
  readonly onQuestion?: ((request: ApprovalRequest) => void) | undefined;
}

/** Asks where the verdict is `approval`. Returns undefined where none is needed, and throws where none is possible. */
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

/** Allows only what was asked: a changed effect has another digest and so is another question. */
export function createApprovals(parts: ApprovalParts): Approvals {
  const { store } = parts;
  const allowedCommands = new Set<string>();
  return {
    async resolveApproval(question, asker) {
      const { session, agent, client, roots } = asker;
      const digest = digestOf(question.tool, question.effect);
      // A yes to a command for the session is one to exactly this command, since no rule can name all that it depends on.
      if (allowedCommands.has(`${session} ${digest}`)) return "allowed";
      const known = store.find(digest, asker);
      if (known?.answer) {
        const used = await useAnswer(parts, known, question, asker);
        const isLasting = known.answer.decision !== "once" && used === "allowed";
        if (isLasting && isRepeatableCommand(question)) allowedCommands.add(`${session} ${digest}`);
        return used;
      }
      const who = audienceOf(question.decision, [asker.channel, ...(parts.channels ?? [])], parts);
      const { tool, input, effect, decision } = question;
      const { reasons, channels } = decision;
      const longest = longestYes(question);
      const asks = { tool, input, effect, reasons, channels, longest, session, agent, client, roots };
      const asked = known ?? (await store.add(asks));
      if (!known) parts.onQuestion?.(withWays(parts, asked));
      const now = await waitForAnswer(parts, asked, who, asker.signal);
      if (now && approvalState(now, Date.now()) === "pending") {
        await store.restoreUnused(asker.usedApprovals);
        throw pendingFault(now, question.action, parts);
      }
      return now?.answer?.decision === "deny" ? useAnswer(parts, now, question, asker) : "answered";
    },
    pendingCallOf(id, user) {
      const request = store.read(id);
      if (!request || !store.mayUse(request, user)) throw approvalNotFound(id);
      const state = approvalState(request, Date.now());
      if (state === "expired") throw new Fault("expired", `Cannot go on with ${id}: it has expired`, { id, state });
      return request;
    },
  };
}

/** A command that asks to run without a sandbox is approved each time. */
const isRepeatableCommand = ({ requests }: Question): boolean =>
  requests.some(({ exec }) => exec) && !requests.some(({ exec }) => exec?.isElevated);

/** Says how long a yes to a command can hold, where it cannot be kept for good. */
function longestYes({ requests }: Question): ApprovalRequest["longest"] {
  const programs = requests.flatMap(({ exec }) => exec ?? []);
  if (programs.some(({ isElevated }) => isElevated)) return "once";
  return programs.every(({ scope }) => scope) ? undefined : "session";
}

/** Consumes an answer. Returns "answered" where another call consumed it first. */
async function useAnswer(
  { store, grants, execRules, audit, warn }: ApprovalParts,
  { id }: ApprovalRequest,
  { requests, decision: ruled }: Question,
  { session, roots, usedApprovals: all, answers }: Asker,
): Promise<ResolvedApproval> {
  const used = await store.consume(id);
  if (!used?.answer) return "answered";
  const { tool, digest, answer, reasons } = used;
  const { decision, by, reason } = answer;
  answers.push(answer);
  const input = { approval: id, tool, digest, by, reason };
  const ruling = writtenRulingOf({ decision: ruled, answers: [answer] });
  audit.record({ time: Date.now(), session, roots, tool: "approval", input, code: decision, ...ruling, ms: 0 });
  if (decision === "deny") throw deniedFault(tool, reasons, answer);
  all.push(used);
  if (decision !== "once") for (const grant of grantsFor(requests, by, roots)) await grants.add(grant, decision);
  if (decision === "always") await listPrograms(requests, execRules, warn);
  return "allowed";
}

/** Lists the programs of a command, and says so where the yes cannot be kept for good. */
async function listPrograms(
  requests: readonly TreePermissionRequest[],
  execRules: ExecRules,
  warn: ApprovalParts["warn"],
): Promise<void> {
  const programs = requests.filter(({ act }) => act === "exec");
  const listed: boolean[] = [];
  for (const request of programs) listed.push(await execRules.allow(request));
  if (!listed.includes(false)) return;
  const until = programs.some(({ exec }) => exec?.isElevated) ? "once" : "for exactly this command, in this session";
  warn?.(`Cannot keep the yes to a command for good: only plain programs are kept; it holds ${until}`);
}

interface Audience {
  readonly channels: readonly ApprovalChannel[];
  /** Says that the command line or the console, which use the state directory, may answer as well. */
  readonly mayAnswerLocally: boolean;
}

/** Selects the channels to ask. Waits for a local answer where the rules name one, or there is no other channel. */
function audienceOf(
  { channels: named, reasons }: Decision,
  available: readonly (ApprovalChannel | undefined)[],
  { hasLocalChannels, consoleLink }: Pick<ApprovalParts, "hasLocalChannels" | "consoleLink">,
): Audience {
  const isPossible = ({ name }: ApprovalChannel): boolean =>
    (named?.includes(name) ?? true) && (name !== "console" || consoleLink?.("") !== undefined);
  const channels = available.flatMap((each) => firstPossible(each, isPossible) ?? []);
  const isLocalNamed = named ? LOCAL_CHANNELS.some((name) => named.includes(name)) : channels.length === 0;
  const isLocalAllowed = hasLocalChannels && isLocalNamed;
  const isAnsweredByNextCall = channels.some((each) => each.isAnsweredByNextCall);
  if (channels.length > 0 || isLocalAllowed)
    return { channels, mayAnswerLocally: isLocalAllowed && !isAnsweredByNextCall };
  if (isLocalNamed)
    throw new Fault("denied", `Cannot ask for approval: ${reasons.join("; ")}; nobody can answer without an approver`);
  const permitted = named?.join(" or ") || "nobody";
  throw new Fault("denied", `Cannot ask for approval: ${reasons.join("; ")}; the rules leave it to ${permitted}`);
}

/** Returns the first way to ask that is possible. */
function firstPossible(
  channel: ApprovalChannel | undefined,
  isPossible: (channel: ApprovalChannel) => boolean,
): ApprovalChannel | undefined {
  return channel && (isPossible(channel) ? channel : firstPossible(channel.otherwise, isPossible));
}

const LOCAL_CHANNELS: readonly ChannelName[] = ["cli", "console"];

/** Asks all channels at once and polls the store for the first answer. Returns undefined when another call used it. */
async function waitForAnswer(
  parts: ApprovalParts,
  { id }: ApprovalRequest,
  { channels, mayAnswerLocally }: Audience,
  signal: Cancellation,
): Promise<ApprovalRequest | undefined> {
  const { store, waitMs = LIMITS.approvalWaitMs } = parts;
  const resolved = new AbortController();
  const request = store.read(id);
  if (!request) return undefined;
  let mayStillAnswer = true;
  const asked = channels.map((channel) => ({
    channel,
    answered: askChannel(channel, request, parts, resolved.signal),
  }));
  const byReturn = asked.filter(({ channel }) => channel.isAnsweredByNextCall);
  const awaited = byReturn.length > 0 ? byReturn : asked;
  const all = Promise.all(awaited.map(({ answered }) => answered)).then(() => void (mayStillAnswer = mayAnswerLocally));
  const untilMs = Date.now() + waitMs;
  for (;;) {
    const now = store.read(id);
    if (!now || approvalState(now, Date.now()) !== "pending") {
      resolved.abort();
      return now;
    }
    stopIfCancelled(signal);
    if (Date.now() >= untilMs || !mayStillAnswer) return now;
    await Promise.race([pause(LIMITS.approvalPollMs), ...(mayAnswerLocally ? [] : [all])]);
  }
}

/** Adds where a person finds the whole question. */
function withWays(
  { command, consoleLink }: Pick<ApprovalParts, "command" | "consoleLink">,
  request: ApprovalRequest,
): ApprovalRequest {
  const link = consoleLink?.(request.id);
  return { ...request, show: command("show", request.id), ...(link !== undefined && { link }) };
}

/** Stores the answer of a channel however late it comes, unless another one was first. A failure is no answer. */
async function askChannel(
  channel: ApprovalChannel,
  request: ApprovalRequest,
  parts: ApprovalParts,
  withdrawn: AbortSignal,
) {
  const { store, warn } = parts;
  const answer = await channel.ask(withWays(parts, request), withdrawn).catch((error: unknown) => {
    if (!withdrawn.aborted) warn?.(`Cannot ask for approval by ${channel.name}: ${String(error)}`);
    return undefined;
  });
  if (answer && !DECISIONS.includes(answer.decision)) {
    warn?.(`Cannot use the answer of ${channel.name}: the decision must be ${DECISIONS.join(", ")}`);
    return;
  }
  // The store rejects the answer where another was first or the rules exclude the channel: nothing has changed then.
  if (answer) await store.answer(request.id, { who: channel.who, ...answer }, channel.name).catch(() => {});
}

/** Tells the model the one way to go on that every dialect has: the user answers, and the same call is made again. */
function pendingFault(request: ApprovalRequest, doing: string, parts: ApprovalParts): Fault {
  const { id, reasons, channels, expiresMs } = request;
  const { command, hasLocalChannels } = parts;
  const isForCommandLine = hasLocalChannels && (channels?.includes("cli") ?? true);
  const { link } = withWays(parts, request);
  const ways = [
    ...(link !== undefined && (channels?.includes("console") ?? true) ? [`in the console at ${link}`] : []),
    ...(isForCommandLine ? [`with this command:\n${command("approve", id)}`] : []),
  ];
  const way =
    ways.length > 0
      ? `the user allows it ${ways.join(", or ")}`
      : `the answer is left to ${channels?.join(" or ") ?? "the approver"}`;
  return new Fault(
    "pending",
    `Cannot ${doing} yet: ${reasons.join("; ")}; approval ${id} waits for an answer until ${isoOf(expiresMs)}; ${way}`,
    {
      approval_id: id,
      expires: isoOf(expiresMs),
      effect: questionText(withWays(parts, request)),
      ...(link !== undefined && { console: link }),
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

/** Answers questions for the program that embeds us. */
export type Approver = (request: ApprovalRequest, withdrawn: AbortSignal) => Promise<ApprovalAnswer | undefined>;
