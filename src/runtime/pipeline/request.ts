import type { Cancellation } from "../../base/time-slicing.ts";
import type { ApprovalChannel } from "../approvals/approval.ts";
import type { JobEndSink } from "../sessions/job-ends.ts";
import type { NoticeSink } from "./notices.ts";

/** A tool call as a face passes it on. */
export interface Request {
  readonly tool: string;
  readonly input: unknown;
  readonly signal: Cancellation;
  /** Names the program that made this call, as it calls itself: people are shown it, and nothing depends on it. */
  readonly client?: string | undefined;
  /** Turns the loop guard off, for a program that repeats calls on purpose. */
  readonly repeats?: boolean;
  /** Names the dialect call that this call is part of. */
  readonly via?: string;
  /** Reports now and then how far a long call has come. */
  readonly progress?: ((done: number, total?: number) => void) | undefined;
  /** Receives notices of this call, besides the session. */
  readonly notice?: NoticeSink | undefined;
  /** Receives each end of a background command that the answer to this call tells. */
  readonly jobEnd?: JobEndSink | undefined;
  /** Asks the person at the client that made this call, where that is possible. */
  readonly channel?: ApprovalChannel | undefined;
}
