import { isoOf } from "../../base/time.ts";
import type { ChannelName } from "../../base/verdicts.ts";
import type { CallEffect } from "../pipeline/effect.ts";

/** A question that somebody has to answer before exactly this effect may happen, once. */
export interface ApprovalRequest {
  readonly id: string;
  /** The call that asked, so that it can be made again. */
  readonly tool: string;
  readonly input: unknown;
  readonly session: string;
  /** The process that asked, as `isGone` knows it: once it has ended, another session may go on with this. */
  readonly process: string;
  readonly effect: CallEffect;
  /** Names exactly that effect. */
  readonly digest: string;
  /** Why it is asked. */
  readonly reasons: readonly string[];
  /** Who may answer; anybody when absent. */
  readonly channels?: readonly ChannelName[] | undefined;
  readonly askedMs: number;
  readonly expiresMs: number;
  readonly answer?: GivenAnswer | undefined;
  /** The command that shows all of it to a person, for whoever is asked. */
  readonly show?: string | undefined;
}

/** What is said to a question. A yes holds once, for this session, or for a while. */
export interface ApprovalAnswer {
  readonly decision: "once" | "session" | "always" | "deny";
  /** Why not: the model is told. */
  readonly reason?: string | undefined;
  /** The person or program that says so, as the channel knows them. */
  readonly who?: string | undefined;
}

export interface GivenAnswer extends ApprovalAnswer {
  readonly by: ChannelName;
  readonly atMs: number;
}

export type ApprovalState = "pending" | "allowed" | "denied" | "expired";

/** A no stays a no; what was not answered or not used in time is expired, which is neither yes nor no. */
export function approvalState({ answer, expiresMs }: ApprovalRequest, nowMs: number): ApprovalState {
  if (answer?.decision === "deny") return "denied";
  if (nowMs >= expiresMs) return "expired";
  return answer ? "allowed" : "pending";
}

/** What a program is told of a question: all but the arguments of the call, which may be anything. */
export const shownApproval = (request: ApprovalRequest) => ({
  id: request.id,
  state: approvalState(request, Date.now()),
  tool: request.tool,
  session: request.session,
  reasons: request.reasons,
  effect: request.effect,
  digest: request.digest,
  asked: isoOf(request.askedMs),
  expires: isoOf(request.expiresMs),
  channels: request.channels,
  answer: request.answer,
});

/** Somebody who can be asked. No answer means that another one may still answer, or nobody. */
export interface ApprovalChannel {
  readonly name: ChannelName;
  /** Who answers by it, where that is known. */
  readonly who?: string | undefined;
  /** The answer comes with another call: this one must end to be answered, and waits for nobody. */
  readonly isAnsweredByNextCall?: boolean;
  /** `withdrawn` is aborted when the question is settled without this answer. */
  ask(request: ApprovalRequest, withdrawn: AbortSignal): Promise<ApprovalAnswer | undefined>;
}
