import { type Code, hasCode } from "../../../base/errors.ts";
import { nameIn } from "../../../base/paths.ts";
import { OWN_NAMES } from "../../../base/product.ts";
import type { StorageWriter, Place } from "../../../storage/writer.ts";
import { isPath } from "../../../storage/place.ts";
import type { Facts, SafePath } from "../../../storage/storage.ts";
import {
  type AppendStep,
  hasChanged,
  type MoveStep,
  type Replace,
  type Rewrite,
  type SetMode,
  inodeStampOf,
  type Step,
} from "../steps.ts";

/** Moves a file of the user that could not be put back to `path` to where people find it. */
export type Rescue = (at: Place, path: SafePath) => void;

interface Rollback {
  readonly rescue: Rescue;
  /** Is called after each step with the number of steps that are left. */
  readonly logRemaining?: (left: number) => void;
}

/**
 * Undoes steps, the last one first. Where another program took a place or a directory meanwhile, its file stays, and
 * our backup of the user's file is rescued: a backup is dropped only when it is back in place.
 */
export function rollBackSteps(
  writer: StorageWriter,
  steps: readonly Step[],
  { rescue, logRemaining = () => {} }: Rollback,
): void {
  for (let left = steps.length - 1; left >= 0; left--) {
    const step = steps[left] as Step;
    ignoreIfTaken(() => rollBackStep(writer, step));
    for (const { at, path } of strandedBackups(writer, step)) rescue(at, path);
    logRemaining(left);
  }
}

function ignoreIfTaken(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!hasCode(error, ...TAKEN_FAULTS)) throw error;
  }
}

const TAKEN_FAULTS: readonly Code[] = ["swapped", "not_found", "not_a_directory", "outside_workspace", "exists"];

interface StrandedBackup {
  readonly at: Place;
  /** The path that it was moved away from. */
  readonly path: SafePath;
}

/** Finds files of the user that a rolled-back step left in places that only we look at. */
function strandedBackups(writer: StorageWriter, step: Step): readonly StrandedBackup[] {
  if (step.do === "replace") {
    const { from, to: path, kept, identity, staged } = step;
    const places = staged !== undefined && hasChanged(statUnlessTaken(writer, from), identity) ? [kept, from] : [kept];
    return places.filter((at) => statUnlessTaken(writer, at)).map((at) => ({ at, path }));
  }
  if (step.do === "rewrite") {
    const { path, kept } = step;
    return isChanged(writer, step) ? [{ at: kept, path }] : [];
  }
  if (step.do !== "move" || step.staged !== undefined || !isOwn(step.to) || !isPath(step.from)) return [];
  const isThere = statUnlessTaken(writer, step.to)?.identity === step.identity;
  return isThere ? [{ at: step.to, path: step.from }] : [];
}

/** Checks that the file no longer has its old content. */
function isChanged(writer: StorageWriter, { path, kept, stamp }: Rewrite): boolean {
  const now = statUnlessTaken(writer, path);
  const old = writer.contentOf(kept);
  if (!old || (now && inodeStampOf(now) === stamp)) return false;
  return !now || !Buffer.from(old).equals(writer.contentOf(path) ?? new Uint8Array());
}

/** Checks that a place is in a store, or has a name that only we use. */
const isOwn = (place: Place): boolean => !isPath(place) || nameIn(place).startsWith(OWN_NAMES);

function statUnlessTaken(writer: StorageWriter, place: Place): Facts | null {
  let found: Facts | null = null;
  ignoreIfTaken(() => (found = writer.stat(place)));
  return found;
}

/** Undoes a step if it was performed. Leaves alone whatever somebody else put in its place meanwhile. */
function rollBackStep(writer: StorageWriter, step: Step): void {
  switch (step.do) {
    case "move":
      return moveBack(writer, step);
    case "replace":
      return replaceBack(writer, step);
    case "rewrite":
      return rewriteBack(writer, step);
    case "mkdir":
      return removeIfEmpty(writer, step.path);
    case "chmod":
      return setModeBack(writer, step);
    case "append":
      return truncateBack(writer, step);
  }
}

/** Works from any point at which the move, or an earlier rollback, was interrupted. */
function moveBack(writer: StorageWriter, { from, to, identity, staged }: Omit<MoveStep, "do">): void {
  const there = writer.stat(to);
  const isMoved = there?.identity === identity;
  if (isMoved && isWrittenTo(there, staged)) return;
  if (isMoved && isStill(writer, from, identity)) writer.remove(to);
  else if (isMoved) renameBack(writer, to, from);
  else if (isDirectory(writer, from, identity)) removeIfEmpty(writer, to);
}

/** Checks that somebody wrote to a file that we staged: then it is no longer ours to remove. */
const isWrittenTo = (there: Facts, staged: string | undefined): boolean =>
  staged !== undefined && there.kind === "file" && inodeStampOf(there) !== staged;

const isStill = (writer: StorageWriter, place: Place, identity: string): boolean =>
  writer.stat(place)?.identity === identity;

/** Removes an empty directory that an earlier rollback left to claim the name. */
function renameBack(writer: StorageWriter, place: Place, from: Place): void {
  if (writer.stat(place)?.kind === "directory") removeIfEmpty(writer, from);
  writer.move(place, from, "new");
}

/** Detects a move that got no further than the empty directory that claims the name. */
function isDirectory(writer: StorageWriter, place: Place, identity: string): boolean {
  const facts = writer.stat(place);
  return facts?.kind === "directory" && facts.identity === identity;
}

function removeIfEmpty(writer: StorageWriter, place: Place): void {
  if (writer.stat(place)?.kind !== "directory") return;
  try {
    writer.remove(place);
  } catch (error) {
    if (!hasCode(error, "not_empty")) throw error;
  }
}

/**
 * Puts the replaced file back from its backup. After an interruption in between, the file is first moved to the backup.
 * Where somebody created another file meanwhile, the backup stays.
 */
function replaceBack(writer: StorageWriter, step: Replace): void {
  const { identity, from, to, kept, staged } = step;
  if (needsBackup(writer, step)) {
    writer.remove(kept);
    writer.move(from, kept, "new");
  }
  const there = writer.stat(to);
  const isOurs = there?.identity === identity && staged !== undefined;
  if (isOurs && !isWrittenTo(there, staged)) return writer.move(kept, to, "over");
  ignoreIfTaken(() => moveBack(writer, step));
  const now = writer.stat(to);
  if (!now) writer.move(kept, to, "new");
  else if (isRedundantBackup(writer.stat(kept), now, step)) writer.remove(kept);
}

/** Checks that the backup does not exist yet, or is an incomplete copy of the file that is still at `from`. */
function needsBackup(writer: StorageWriter, { from, to, identity, kept, stamp, staged }: Replace): boolean {
  const found = writer.stat(from);
  if (!found || found.identity === identity) return false;
  if (stamp.startsWith(`${found.identity}:`)) return true;
  // Somebody may have taken a name of the user's, unless the file that moves has left it.
  return (staged !== undefined || writer.stat(to)?.identity === identity) && !writer.stat(kept);
}

/** Checks that the backup is a second name of the file that is in place, or a copy of it, possibly incomplete. */
const isRedundantBackup = (kept: Facts | null, now: Facts, { stamp }: Replace): boolean =>
  kept !== null && (kept.identity === now.identity || inodeStampOf(now) === stamp);

/** Restores the old content only over what we wrote, or a part of it: what somebody else wrote stays. */
function rewriteBack(writer: StorageWriter, { path, identity, from, kept, stamp }: Rewrite): void {
  const now = writer.stat(path);
  if (now?.identity !== identity || inodeStampOf(now) === stamp) return;
  const [current, fresh, old] = [path, from, kept].map((place) => writer.contentOf(place));
  if (current && fresh && old && isBetween(current, fresh, old)) writer.rewrite(path, old);
}

/**
 * Checks for a content that an interrupted write of ours leaves: the old one as far as a rollback came, then the new
 * one as far as the write came, then the rest of the old one unless it was already truncated.
 */
function isBetween(current: Uint8Array, fresh: Uint8Array, old: Uint8Array): boolean {
  const back = sameUntil(current, old, 0);
  const there = sameUntil(current, fresh, back);
  const rest = Buffer.from(current.subarray(there));
  return rest.equals(old.subarray(there)) || (rest.length === 0 && there >= fresh.length);
}

function sameUntil(one: Uint8Array, other: Uint8Array, from: number): number {
  let same = from;
  while (same < one.length && one[same] === other[same]) same++;
  return same;
}

function setModeBack(writer: StorageWriter, { path, identity, mode, was }: SetMode): void {
  const now = writer.stat(path);
  if (now?.identity === identity && now.mode === mode) writer.setMode(path, was);
}

/**
 * Leaves a file alone that is longer than we made it, or whose tail does not begin with our bytes: somebody else wrote
 * it.
 */
function truncateBack(writer: StorageWriter, step: AppendStep): void {
  const { path, identity, size, added } = step;
  const now = writer.stat(path);
  if (now?.identity !== identity || now.size <= size || now.size > size + added) return;
  if (isAddedByUs(writer, step)) writer.truncate(path, size);
}

function isAddedByUs(writer: StorageWriter, { path, size, head }: AppendStep): boolean {
  if (head === undefined) return true;
  const tail = writer.contentOf(path, size) ?? new Uint8Array();
  const ours = Buffer.from(head, "base64");
  const length = Math.min(tail.length, ours.length);
  return ours.subarray(0, length).equals(tail.subarray(0, length));
}
