import * as z from "zod";
import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { parseStored } from "../../base/stored-json.ts";
import type { State } from "../../storage/state.ts";

/** Describes a session that was stopped because it only repeated itself. */
export interface SuspendedSession {
  readonly session: string;
  /** Lists the real paths of its roots. */
  readonly roots: readonly string[];
  /** Names the tool that it called when it was stopped. */
  readonly tool: string;
  readonly timeMs: number;
}

/**
 * Keeps a file in the state directory for each stopped session of the user. Removing it lets the session go on.
 */
export interface LoopSuspensions {
  of(session: string): LoopSuspension;
  /** Lists suspensions whose process still runs, those of other workspaces as well. */
  list(): readonly SuspendedSession[];
}

/** Controls the suspension of one session. */
export interface LoopSuspension {
  /** Returns false where it cannot be written; then nobody can remove it either. */
  create(tool: string): boolean;
  exists(): boolean;
  remove(): void;
}

/** Creates the suspensions of sessions with these roots. */
export function createLoopSuspensions(
  state: State,
  roots: readonly string[],
  nowMs: () => number = Date.now,
): LoopSuspensions {
  const isGone = ({ process, timeMs }: SuspensionRecord): boolean =>
    process !== state.self && state.hasExited(process, nowMs() - timeMs > LIMITS.pendingSilentMs);
  const removeGone = (): void => {
    for (const name of state.list(FOLDER)) {
      const record = parseStored(suspensionRecord, state.read(`${FOLDER}/${name}`));
      if (record && isGone(record)) state.remove(`${FOLDER}/${name}`);
    }
  };
  return {
    of(session) {
      const name = `${FOLDER}/${session}`;
      const recordOf = (tool: string): SuspensionRecord => ({
        session,
        roots,
        tool,
        timeMs: nowMs(),
        process: state.self,
      });
      return {
        create(tool) {
          tryWithState(removeGone);
          return tryWithState(() => state.write(name, JSON.stringify(recordOf(tool)))).isDone;
        },
        // A suspension that cannot be read was not removed.
        exists: () => tryWithState(() => state.read(name)).value !== null,
        remove: () => void tryWithState(() => state.remove(name)),
      };
    },
    list: () =>
      state
        .list(FOLDER)
        .flatMap((name) => parseStored(suspensionRecord, state.read(`${FOLDER}/${name}`)) ?? [])
        .filter((record) => !isGone(record)),
  };
}

const FOLDER = "stopped";

const suspensionRecord = z.lazy(
  () =>
    z.object({
      session: z.string(),
      roots: z.array(z.string()).readonly().default([]),
      tool: z.string(),
      timeMs: z.number(),
      process: z.string(),
    }) satisfies z.ZodType<SuspendedSession>,
);

type SuspensionRecord = z.output<typeof suspensionRecord>;

/** Ignores faults of the state, which must not fail a call that would be refused anyway. */
function tryWithState<T>(act: () => T): { readonly isDone: boolean; readonly value?: T } {
  try {
    return { isDone: true, value: act() };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { isDone: false };
  }
}
