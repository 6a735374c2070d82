import { isoOf } from "../../base/time.ts";
import type { ChannelName } from "../../base/verdicts.ts";
import type { CallEffect } from "../effects/call-effect.ts";

/** Identifies who asks, in the state that all sessions of the user share. */
export interface Requester {
  readonly session: string;
  readonly agent: string;
  /** Lists the real paths of the roots of the session. */
  readonly roots: readonly string[];
}

/** Holds a question that has to be answered before exactly this effect may happen, once. */
export interface ApprovalRequest {
  readonly id: string;
  /** Names the tool of the call that asked, which can be made again with `input`. */
  readonly tool: string;
  readonly input: unknown;
  readonly session: string;
  /** Names the agent of that session; absent in questions of older versions. */
  readonly agent?: string | undefined;
  /** Names the program that asked, as it calls itself. */
  readonly client?: string | undefined;
  /** Lists the real paths of the roots of that session; absent in questions of older versions. */
  readonly roots?: readonly string[] | undefined;
  /** Identifies the process that asked. Once it has ended, another session of the agent may use the answer there. */
  readonly process: string;
  readonly effect: CallEffect;
  /** Identifies exactly that effect. */
  readonly digest: string;
  /** Lists why approval is needed. */
  readonly reasons: readonly string[];
  /** Lists the channels that may answer; anybody may when absent. */
  readonly channels?: readonly ChannelName[] | undefined;
  /** Says how long a yes can hold at most; absent where "always" can be kept. */
  readonly longest?: "once" | "session" | undefined;
  readonly askedMs: number;
  readonly expiresMs: number;
  readonly answer?: RecordedAnswer | undefined;
  /** The command that shows the whole question to a person. */
  readonly show?: string | undefined;
  /** The address of the question in the console of the user; absent where none runs. */
  readonly link?: string | undefined;
}

export const DECISIONS = ["once", "session", "always", "deny"] as const;

/** Lists the answers that can be kept as they are given. */
export const decisionsFor = ({ longest }: Pick<ApprovalRequest, "longest">): readonly ApprovalAnswer["decision"][] =>
  DECISIONS.filter((each) => longest === undefined || each === "once" || each === "deny" || each === longest);

/** Answers a question. A yes holds once, for this session, or for a while ("always"). */
export interface ApprovalAnswer {
  readonly decision: "once" | "session" | "always" | "deny";
  /** Tells the model why the answer is no. */
  readonly reason?: string | undefined;
  /** Names the person or program that answered, as the channel knows them. */
  readonly who?: string | undefined;
}

export interface RecordedAnswer extends ApprovalAnswer {
  readonly by: ChannelName;
  readonly atMs: number;
}

export type ApprovalState = "pending" | "allowed" | "denied" | "expired";

/** A no never expires. A question that was not answered or used in time is expired, which is neither yes nor no. */
export function approvalState({ answer, expiresMs }: ApprovalRequest, nowMs: number): ApprovalState {
  if (answer?.decision === "deny") return "denied";
  if (nowMs >= expiresMs) return "expired";
  return answer ? "allowed" : "pending";
}

/** Returns what programs are shown of a question: everything but the arguments of the call, which may hold anything. */
export const shownApproval = (request: ApprovalRequest) => ({
  id: request.id,
  state: approvalState(request, Date.now()),
  tool: request.tool,
  session: request.session,
  agent: request.agent,
  client: request.client,
  roots: request.roots,
  reasons: request.reasons,
  effect: request.effect,
  digest: request.digest,
  asked: isoOf(request.askedMs),
  expires: isoOf(request.expiresMs),
  channels: request.channels,
  longest: request.longest,
  answer: request.answer,
});

/** Asks a person or program. It may resolve without an answer; another channel may still answer then. */
export interface ApprovalChannel {
  readonly name: ChannelName;
  /** Names the person behind the channel, where that is known. */
  readonly who?: string | undefined;
  /** Says that the answer comes with the next call, so that this call must end first and does not wait. */
  readonly isAnsweredByNextCall?: boolean;
  /** Asks in another way, where this one is not possible or the rules exclude it. */
  readonly otherwise?: ApprovalChannel | undefined;
  /** Asks the question. `withdrawn` is aborted when it is answered elsewhere or expires. */
  ask(request: ApprovalRequest, withdrawn: AbortSignal): Promise<ApprovalAnswer | undefined>;
}
