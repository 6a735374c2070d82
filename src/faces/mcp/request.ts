import { LIMITS } from "../../base/limits.ts";
import { PRODUCT } from "../../base/product.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { ApprovalChannel } from "../../runtime/approvals/approval.ts";
import type { Request } from "../../runtime/pipeline/request.ts";
import type { Notice } from "../../runtime/pipeline/notices.ts";

/** What a request on the wire brings along, whichever way it came in. */
export interface WireRequest {
  readonly signal: Cancellation;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  notify(notification: ProgressNotification): Promise<void>;
  /** Passes a message on to whoever uses the client, if that wants to hear of it. */
  log(level: "notice", data: Notice, logger: string): unknown;
}

export interface ProgressNotification {
  readonly method: "notifications/progress";
  readonly params: { readonly progressToken: string | number; readonly progress: number; readonly total?: number };
}

/** The call that a request means, with its cancellation and, when asked for, its progress. */
export const requestOf = (tool: string, input: unknown, asked: WireRequest, channel?: ApprovalChannel): Request => ({
  tool,
  input,
  channel,
  signal: asked.signal,
  progress: progressTo(asked),
  notice: (notice) => void asked.log("notice", notice, PRODUCT.name),
});

/** Told at most every so often, so that a fast walk does not drown its own answer. */
function progressTo({ _meta, notify }: WireRequest): Request["progress"] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let next = 0;
  return (done, total) => {
    if (Date.now() < next) return;
    next = Date.now() + LIMITS.progressMs;
    const params = { progressToken, progress: done, ...(total !== undefined && { total }) };
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
