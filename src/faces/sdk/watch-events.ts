import { type FaultAnswer, faultOf } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { call } from "../../runtime/pipeline/call.ts";
import type { Outcome } from "../../runtime/pipeline/outcome.ts";
import type { Session } from "../../runtime/sessions/session.ts";

/** Selects the events of a watch. */
export interface WatchOptions {
  /** Includes directories below. Defaults to true. */
  readonly recursive?: boolean;
  /** Only paths that match this glob. */
  readonly pattern?: string;
  readonly eventTypes?: readonly WatchedEvent["type"][];
  /** Ends the watch. */
  readonly signal?: AbortSignal;
}

/** One event of a path. "overflow" says that events were lost: look at the files to learn their state. */
export type WatchedEvent =
  | { readonly type: "create" | "modify" | "delete"; readonly path: string; readonly change_id?: string }
  | { readonly type: "rename"; readonly path: string; readonly from: string; readonly change_id?: string }
  | { readonly type: "overflow" };

/** Starts a watch. All events after it resolves are delivered, in order. Rejects with a `Fault`. */
export async function watchEvents(
  session: Session,
  path: string,
  { signal, eventTypes, ...rest }: WatchOptions = {},
): Promise<AsyncGenerator<WatchedEvent, void>> {
  const ask = (input: object): Promise<Outcome> =>
    call(session, { tool: "watch", input, signal: signal ?? { aborted: false }, repeats: true });
  const started = await ask({ path, ...rest, ...(eventTypes && { event_types: eventTypes }) });
  if (started.isError) throw faultOf(started.data["error"] as FaultAnswer);
  return eventsOf(ask, String(started.data["watch_id"]));
}

/** Yields events until the consumer's loop ends, the signal aborts or the session closes. Then cancels the watch. */
async function* eventsOf(ask: (input: object) => Promise<Outcome>, id: string): AsyncGenerator<WatchedEvent, void> {
  try {
    for (;;) {
      const { isError, data } = await ask({ watch_id: id, wait_ms: LIMITS.watchWaitMsMost });
      if (isError) return;
      const { events, overflow } = data as { readonly events: readonly WatchedEvent[]; readonly overflow: boolean };
      if (overflow) yield { type: "overflow" };
      yield* events;
    }
  } finally {
    await ask({ watch_id: id, cancel: true });
  }
}
