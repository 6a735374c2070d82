import { LIMITS } from "../../base/limits.ts";
import { PRODUCT } from "../../base/product.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { ApprovalChannel } from "../../runtime/approvals/approval.ts";
import type { Request } from "../../runtime/pipeline/request.ts";
import type { JobEnd } from "../../runtime/sessions/job-ends.ts";
import type { Notice } from "../../runtime/pipeline/notices.ts";

/** Holds what comes with a request, from the fast path or from the SDK. */
export interface WireRequest {
  readonly signal: Cancellation;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  notify(notification: ProgressNotification): Promise<void>;
  /** Sends a log message to the client, if its log level allows it. */
  log(level: "notice" | "info", data: Notice | JobEnd, logger: string): unknown;
}

export interface ProgressNotification {
  readonly method: "notifications/progress";
  readonly params: { readonly progressToken: string | number; readonly progress: number; readonly total?: number };
}

/** Says who made a request, and how the person there can be asked. */
export interface Client {
  readonly name?: string | undefined;
  readonly channel?: ApprovalChannel | undefined;
}

/** Converts a request to a call, with its cancellation and, if the client asked for it, its progress. */
export const requestOf = (tool: string, input: unknown, request: WireRequest, client: Client = {}): Request => ({
  tool,
  input,
  channel: client.channel,
  // A name is cut to what people can be shown in a row.
  client: client.name?.slice(0, LIMITS.quotedNameChars),
  signal: request.signal,
  progress: progressTo(request),
  notice: (notice) => void request.log("notice", notice, PRODUCT.name),
});

/**
 * Throttles progress to one notification per `LIMITS.progressMs`, so that a fast walk does not delay its own answer.
 */
function progressTo({ _meta, notify }: WireRequest): Request["progress"] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let next = 0;
  let last = 0;
  return (done, total) => {
    // Progress must increase: a change counts anew after the walk that planned it.
    if (Date.now() < next || done <= last) return;
    next = Date.now() + LIMITS.progressMs;
    last = done;
    const params = { progressToken, progress: done, ...(total !== undefined && { total }) };
    notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
