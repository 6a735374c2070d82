import { type FaultAnswer, faultOf } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { call } from "../../runtime/pipeline/call.ts";
import type { Outcome } from "../../runtime/pipeline/outcome.ts";
import type { Session } from "../../runtime/pipeline/session.ts";

/** What to tell of a file or directory. */
export interface WatchOptions {
  /** Also what is in the directories below (true). */
  readonly recursive?: boolean;
  /** Only paths that fit this glob. */
  readonly pattern?: string;
  readonly eventTypes?: readonly WatchedEvent["type"][];
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** What happened to a path; or that events were lost, and only a look at the files tells how they are. */
export type WatchedEvent =
  | { readonly type: "create" | "modify" | "delete"; readonly path: string; readonly change_id?: string }
  | { readonly type: "rename"; readonly path: string; readonly from: string; readonly change_id?: string }
  | { readonly type: "overflow" };

/** Begins a watch. Once it resolves, everything that happens will come, in order. Rejects with a `Fault`. */
export async function watchEvents(
  session: Session,
  path: string,
  { signal, eventTypes, ...rest }: WatchOptions = {},
): Promise<AsyncGenerator<WatchedEvent, void>> {
  const ask = (input: object): Promise<Outcome> =>
    call(session, { tool: "watch", input, signal: signal ?? { aborted: false }, repeats: true });
  const begun = await ask({ path, ...rest, ...(eventTypes && { event_types: eventTypes }) });
  if (begun.isError) throw faultOf(begun.data["error"] as FaultAnswer);
  return eventsOf(ask, String(begun.data["watch_id"]));
}

/** Ends with the loop that takes them, with the signal, and with the session. */
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
