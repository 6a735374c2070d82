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

/** Takes in something of the user's that could not be put back to `path`, and puts it where people find it. */
export type Rescue = (at: Place, path: SafePath) => void;

interface Rollback {
  readonly rescue: Rescue;
  /** Told after each step how many are left. */
  readonly logRemaining?: (left: number) => void;
}

/**
 * Takes steps back, the last one first. Where somebody took a place or a directory on the way, his word is the last, and
 * what we had kept of the user's is rescued: it is dropped only when it is back in place.
 */
export function rollBackSteps(
  writer: StorageWriter,
  steps: readonly Step[],
  { rescue, logRemaining = () => {} }: Rollback,
): void {
  for (let left = steps.length - 1; left >= 0; left--) {
    const step = steps[left] as Step;
    ignoreTaken(() => rollBackStep(writer, step));
    for (const { at, path } of strandedBy(writer, step)) rescue(at, path);
    logRemaining(left);
  }
}

function ignoreTaken(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!hasCode(error, ...TAKEN_FAULTS)) throw error;
  }
}

const TAKEN_FAULTS: readonly Code[] = ["swapped", "not_found", "not_a_directory", "outside_workspace", "exists"];

interface StrandedBackup {
  readonly at: Place;
  /** Where it was. */
  readonly path: SafePath;
}

/** What a step that was taken back left of the user's in places that only we look at. */
function strandedBy(writer: StorageWriter, step: Step): readonly StrandedBackup[] {
  if (step.do === "replace") {
    const { from, to: path, kept, identity, staged } = step;
    const places = staged !== undefined && hasChanged(lookUnlessTaken(writer, from), identity) ? [kept, from] : [kept];
    return places.filter((at) => lookUnlessTaken(writer, at)).map((at) => ({ at, path }));
  }
  if (step.do === "rewrite") {
    const { path, kept } = step;
    return isChanged(writer, step) ? [{ at: kept, path }] : [];
  }
  if (step.do !== "move" || step.staged !== undefined || !isOwn(step.to) || !isPath(step.from)) return [];
  const isThere = lookUnlessTaken(writer, step.to)?.identity === step.identity;
  return isThere ? [{ at: step.to, path: step.from }] : [];
}

/** Whether the old content is no longer what is there. */
function isChanged(writer: StorageWriter, { path, kept, stamp }: Rewrite): boolean {
  const now = lookUnlessTaken(writer, path);
  const old = writer.contentOf(kept);
  if (!old || (now && inodeStampOf(now) === stamp)) return false;
  return !now || !Buffer.from(old).equals(writer.contentOf(path) ?? new Uint8Array());
}

/** In a store, or under a name that is only ours. */
const isOwn = (place: Place): boolean => !isPath(place) || nameIn(place).startsWith(OWN_NAMES);

function lookUnlessTaken(writer: StorageWriter, place: Place): Facts | null {
  let found: Facts | null = null;
  ignoreTaken(() => (found = writer.stat(place)));
  return found;
}

/** Takes a step back, if it was taken. What somebody else put in its place meanwhile is left alone. */
function rollBackStep(writer: StorageWriter, step: Step): void {
  switch (step.do) {
    case "move":
      return moveBack(writer, step);
    case "replace":
      return putBack(writer, step);
    case "rewrite":
      return rewriteBack(writer, step);
    case "mkdir":
      return removeIfEmpty(writer, step.path);
    case "chmod":
      return setModeBack(writer, step);
    case "append":
      return cutBack(writer, step);
  }
}

/** Works from wherever the move, or an earlier way back, was cut off. */
function moveBack(writer: StorageWriter, { from, to, identity, staged }: Omit<MoveStep, "do">): void {
  const there = writer.stat(to);
  const hasArrived = there?.identity === identity;
  if (hasArrived && isWrittenTo(there, staged)) return;
  if (hasArrived && isStill(writer, from, identity)) writer.remove(to);
  else if (hasArrived) returnTo(writer, to, from);
  else if (isDirectory(writer, from, identity)) removeIfEmpty(writer, to);
}

/** Then it is no longer of our making, and stays. */
const isWrittenTo = (there: Facts, staged: string | undefined): boolean =>
  staged !== undefined && there.kind === "file" && inodeStampOf(there) !== staged;

const isStill = (writer: StorageWriter, place: Place, identity: string): boolean =>
  writer.stat(place)?.identity === identity;

/** A directory claims its name with an empty one first: an earlier way back may have come so far. */
function returnTo(writer: StorageWriter, place: Place, from: Place): void {
  if (writer.stat(place)?.kind === "directory") removeIfEmpty(writer, from);
  writer.move(place, from, "new");
}

/** The same on the way there; that may be all that happened. */
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
 * What the file went over comes back from where it is kept; cut off in between, it has still to be put there. Where
 * somebody was faster, it stays there.
 */
function putBack(writer: StorageWriter, step: Replace): void {
  const { identity, from, to, kept, staged } = step;
  if (isStillToKeep(writer, step)) {
    writer.remove(kept);
    writer.move(from, kept, "new");
  }
  const there = writer.stat(to);
  const isOurs = there?.identity === identity && staged !== undefined;
  if (isOurs && !isWrittenTo(there, staged)) return writer.move(kept, to, "over");
  ignoreTaken(() => moveBack(writer, step));
  const now = writer.stat(to);
  if (!now) writer.move(kept, to, "new");
  else if (isSpare(writer.stat(kept), now, step)) writer.remove(kept);
}

/** Nothing is kept yet, or a copy, maybe a part of one, of the very file that is still at `from`. */
function isStillToKeep(writer: StorageWriter, { from, to, identity, kept, stamp, staged }: Replace): boolean {
  const found = writer.stat(from);
  if (!found || found.identity === identity) return false;
  if (stamp.startsWith(`${found.identity}:`)) return true;
  // A name of the user's may have been taken by somebody else, unless what moves has left it.
  return (staged !== undefined || writer.stat(to)?.identity === identity) && !writer.stat(kept);
}

/** What is kept is a second name of the file that is still there, or a copy of it, maybe a part of one. */
const isSpare = (kept: Facts | null, now: Facts, { stamp }: Replace): boolean =>
  kept !== null && (kept.identity === now.identity || inodeStampOf(now) === stamp);

/** Only what we wrote, or a part of it, makes way for the old content: what somebody else wrote stays. */
function rewriteBack(writer: StorageWriter, { path, identity, from, kept, stamp }: Rewrite): void {
  const now = writer.stat(path);
  if (now?.identity !== identity || inodeStampOf(now) === stamp) return;
  const [current, fresh, old] = [path, from, kept].map((place) => writer.contentOf(place));
  if (current && fresh && old && isBetween(current, fresh, old)) writer.rewrite(path, old);
}

/**
 * Whether a content is what we leave when we are cut off: the old one as far as a way back came, then the new one as far as
 * the way there came, then the rest of the old one, unless that was cut off already.
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

/** What is longer than we made it, or does not begin as what we add, was written by somebody else. */
function cutBack(writer: StorageWriter, step: AppendStep): void {
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
