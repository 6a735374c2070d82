import { nameIn } from "../../../base/paths.ts";
import type { RootIdentity } from "../../../storage/root-identity.ts";
import { type State, WAITING } from "../../../storage/state.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { rootsIn } from "./journal-lines.ts";
import { archive, filesIn } from "./records.ts";
import { isHalfDone, pathsOf, type UnfinishedChangeSet, unfinishedSetsOf } from "./unfinished.ts";

/** A change that was interrupted half-way, and cannot be rolled back: one of its directories is missing or refuses. */
export interface WaitingChange {
  readonly id: string;
  /** Lists the directories of the workspace that made it. */
  readonly roots: readonly RootIdentity[];
  /** Says when it was interrupted. */
  readonly timeMs: number;
  /** Lists the places that nobody may change meanwhile. */
  readonly places: readonly SafePath[];
}

export const waitingIn = (state: State): readonly WaitingChange[] =>
  filesIn(state, WAITING).flatMap((file) => waitingOf(state, file));

function waitingOf(state: State, file: string): readonly WaitingChange[] {
  const sets = halfDoneIn(state, file);
  if (sets.length === 0) return [];
  const places = [...new Set(sets.flatMap(pathsOf))];
  return [{ id: idOf(file), roots: rootsIn(state.firstLine(file)), timeMs: state.changedMs(file), places }];
}

const halfDoneIn = (state: State, file: string): readonly UnfinishedChangeSet[] =>
  unfinishedSetsOf(state.read(file)).filter(isHalfDone);

/** Returns the name of the journal without its owner. */
const idOf = (file: string): string => nameIn(file).split(".", 1)[0] as string;

/**
 * Ends a change that waits, and leaves its places as they are. Returns undefined where there is no such change. Requires
 * the lock.
 */
export function giveUpWaiting(state: State, id: string): WaitingChange | undefined {
  const file = filesIn(state, WAITING).find((each) => idOf(each) === id);
  const [waiting] = file === undefined ? [] : waitingOf(state, file);
  if (file === undefined || !waiting) return undefined;
  const ends = unfinishedSetsOf(state.read(file)).map(({ tag }) => `${JSON.stringify({ tag, isOver: true })}\n`);
  state.append(file, `\n${ends.join("")}`);
  archive(state, file);
  return waiting;
}
