import type { Cancellation } from "../../base/time-slicing.ts";
import type { Answer, FollowUpCall } from "../../tools/tool.ts";
import type { CallEffect } from "../effects/call-effect.ts";
import type { TreePermissionRequest } from "../rules/permission-request.ts";

/** Runs or controls a command, exactly as it was planned: what a person approves is what runs. */
export interface CommandIntent {
  readonly kind: "command";
  /** Requests the permissions for its programs, for the places that it names, and for what nobody knows of it. */
  readonly requests: readonly TreePermissionRequest[];
  readonly effect: CallEffect;
  run(call: RunningCall): Promise<CommandAnswer>;
}

/** Holds what a running command needs of its call. */
export interface RunningCall {
  readonly signal: Cancellation;
  readonly progress: (done: number) => void;
}

export interface CommandAnswer extends Omit<Answer, "kind"> {
  /** Applies what the command changed. */
  readonly next?: FollowUpCall | undefined;
}
