import { parentOf } from "../../../base/paths.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { PictureEntry } from "../../../storage/picture-entries.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { Effect, FileState } from "../change.ts";
import type { History } from "../history.ts";
import type { HeldPicture } from "./held-picture.ts";

/** Knows what others recorded since a picture was taken: file tools, other commands and other sessions. */
export interface RecordedMeanwhile {
  /** Lists the effects on a path itself, the oldest first. */
  at(path: SafePath): readonly RecordedState[];
  /** Checks that something at a path or below it was recorded. */
  hasWithin(path: SafePath): boolean;
  /** Checks that a whole tree above a path was recorded, and the path with it. */
  isInTree(path: SafePath): boolean;
}

/** Says what a recorded change made of one path. */
export interface RecordedState {
  readonly before: FileState | null;
  readonly after: FileState | null;
}

export async function recordedSince(
  history: Pick<History, "records">,
  { firstChange, lastRecord }: HeldPicture,
  checkpoint: Checkpoint,
): Promise<RecordedMeanwhile> {
  const states = new Map<SafePath, RecordedState[]>();
  const trees = new Set<string>();
  /** Holds every recorded path, and all directories above it. */
  const touched = new Set<string>();
  for await (const { id, effects } of history.records(checkpoint)) {
    if (id < firstChange) break;
    if (id === lastRecord) continue;
    for (const effect of effects.toReversed())
      for (const { path, ...state } of statesOf(effect)) {
        states.set(path, [state, ...(states.get(path) ?? [])]);
        for (let at: string = path; !touched.has(at); at = parentOf(at)) touched.add(at);
        if (isOfTree(effect)) trees.add(path);
      }
  }
  return {
    at: (path) => states.get(path) ?? [],
    hasWithin: (path) => touched.has(path),
    isInTree: (path) => isBelow(path, trees),
  };
}

const isBelow = (path: string, directories: ReadonlySet<string>): boolean =>
  path !== "/" && (directories.has(parentOf(path)) || isBelow(parentOf(path), directories));

/** A move alters two paths. */
function statesOf({ action, path, from, before, after }: Effect): readonly (RecordedState & { path: SafePath })[] {
  const here = { path, before, after };
  return action === "move" && from !== undefined ? [here, { path: from, before: after, after: null }] : [here];
}

const isOfTree = ({ action, before, after }: Effect): boolean =>
  action !== "chmod" && action !== "mkdir" && [before, after].some((state) => state?.kind === "directory");

/** Checks that an entry of a picture is in a recorded state. */
export function isIn(state: FileState | null, entry: PictureEntry | null): boolean {
  if (!state || !entry) return !state && !entry;
  if (state.kind !== entry.kind || state.mode !== entry.mode) return false;
  const { identity, size, modifiedMs } = entry;
  return entry.kind === "directory" || isSameFile(state, { identity, size, modifiedMs });
}

const isSameFile = (state: FileState, entry: Pick<PictureEntry, "identity" | "size" | "modifiedMs">): boolean =>
  state.identity === entry.identity && state.size === entry.size && state.modifiedMs === entry.modifiedMs;
