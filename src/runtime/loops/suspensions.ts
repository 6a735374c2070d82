import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { State } from "../../storage/state.ts";

/** A session that only repeats itself and has stopped. */
export interface SuspendedSession {
  readonly session: string;
  /** What it called when it was stopped. */
  readonly tool: string;
  readonly timeMs: number;
}

/** Which sessions have stopped, a file each in our state directory: who takes one away lets that session go on. */
export interface LoopSuspensions {
  of(session: string): LoopSuspension;
  /** Those whose process still runs. */
  list(): readonly SuspendedSession[];
}

/** The mark of one session. */
export interface LoopSuspension {
  /** False where it cannot be made; then nobody can take it away either. */
  create(tool: string): boolean;
  exists(): boolean;
  remove(): void;
}

export function createLoopSuspensions(state: State, nowMs: () => number = Date.now): LoopSuspensions {
  const isGone = ({ process, timeMs }: SuspensionRecord): boolean =>
    process !== state.self && state.hasExited(process, nowMs() - timeMs > LIMITS.pendingSilentMs);
  return {
    of(session) {
      const name = `${FOLDER}/${session}`;
      const markOf = (tool: string): SuspensionRecord => ({ session, tool, timeMs: nowMs(), process: state.self });
      return {
        create: (tool) => tryWithState(() => state.write(name, JSON.stringify(markOf(tool)))).isDone,
        // What cannot be looked at was not taken away.
        exists: () => tryWithState(() => state.read(name)).value !== null,
        remove: () => void tryWithState(() => state.remove(name)),
      };
    },
    list: () =>
      state
        .list(FOLDER)
        .flatMap((name) => parseSuspension(state.read(`${FOLDER}/${name}`)))
        .filter((mark) => !isGone(mark)),
  };
}

const FOLDER = "stopped";

interface SuspensionRecord extends SuspendedSession {
  readonly process: string;
}

function parseSuspension(text: string | null): readonly SuspensionRecord[] {
  try {
    const mark = JSON.parse(text ?? "null") as SuspensionRecord | null;
    return mark === null ? [] : [mark];
  } catch {
    return [];
  }
}

/** State that cannot be used must not fail a call that would be refused anyway. */
function tryWithState<T>(act: () => T): { readonly isDone: boolean; readonly value?: T } {
  try {
    return { isDone: true, value: act() };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { isDone: false };
  }
}
