import type { PictureEntry } from "../../../storage/picture-entries.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { FileState } from "../change.ts";
import { isIn, type RecordedMeanwhile } from "./recorded-since.ts";

/** A change that is attributed to a command: from one state of a path to another. */
export interface Attributed {
  readonly path: SafePath;
  /** Describes the state before: as the picture has it, or as a change left it that was recorded meanwhile. */
  readonly before: PictureEntry | FileState | null;
  /** Describes the state after: now, or when a change was recorded meanwhile. */
  readonly after: PictureEntry | FileState | null;
}

/**
 * Leaves out what the journal has: of a path that others changed meanwhile, what was changed before the first of their
 * changes, and after the last one.
 */
export function attributedAt(
  path: SafePath,
  before: PictureEntry | null,
  after: PictureEntry | null,
  meanwhile: RecordedMeanwhile,
): readonly Attributed[] {
  const all = meanwhile.at(path);
  // A change that was made while the picture was taken may be in it already.
  const states = all.slice(all.findLastIndex((state) => isIn(state.after, before)) + 1);
  const [first, last] = [states[0], states.at(-1)];
  if (!first || !last) {
    const isExplained = meanwhile.isInTree(path) || (all.length > 0 && isIn(all.at(-1)?.after ?? null, after));
    return isExplained ? [] : [{ path, before, after }];
  }
  return [
    ...(isIn(first.before, before) ? [] : [{ path, before, after: first.before }]),
    ...(isIn(last.after, after) ? [] : [{ path, before: last.after, after }]),
  ];
}

/** Tells a state of the history from an entry of a picture. */
export const isRecorded = (state: PictureEntry | FileState): state is FileState => "version" in state;
