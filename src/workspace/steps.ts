import { type Code, Fault, hasCode } from "../base/errors.ts";
import type { Hands, Place } from "../storage/hands.ts";
import type { Facts, SafePath } from "../storage/storage.ts";

/**
 * The smallest things a commit does, each at once and each with a way back. They are in the journal before they are
 * done; the journal may hold one that never was, so the way back looks first whether there is anything to take back.
 */
export type Step = Replace | MoveStep | MakeDirectory | SetMode | AppendStep;

interface MoveStep {
  readonly do: "move";
  readonly from: Place;
  readonly to: Place;
  /** Names what moves. */
  readonly identity: string;
  /** It is of our own making, in this state, and nobody misses it at `from`. */
  readonly staged?: string | undefined;
}

/** A file goes over another. */
interface Replace extends Omit<MoveStep, "do" | "to"> {
  readonly do: "replace";
  readonly to: SafePath;
  /** Where what it goes over is kept. */
  readonly kept: Place;
  /** The state of the file that was judged: another one must not be replaced. */
  readonly stamp: string;
}

interface MakeDirectory {
  readonly do: "mkdir";
  readonly path: SafePath;
}

interface SetMode {
  readonly do: "chmod";
  readonly path: SafePath;
  readonly identity: string;
  readonly mode: number;
  readonly was: number;
}

interface AppendStep {
  readonly do: "append";
  readonly path: SafePath;
  readonly identity: string;
  /** How long the file was, and by how much it grows. */
  readonly size: number;
  readonly added: number;
}

/** Takes one step. What an append adds is not in the journal: its way back needs only the sizes. */
export function take(hands: Hands, step: Step, bytes?: Uint8Array): void {
  switch (step.do) {
    case "move":
      return hands.move(step.from, step.to, "new");
    case "replace":
      return replace(hands, step);
    case "mkdir":
      return hands.makeDirectory(step.path);
    case "chmod":
      return hands.setMode(step.path, step.mode);
    case "append":
      return hands.append(step.path, bytes ?? new Uint8Array(), step.size);
  }
}

/** Without an exchange, what somebody puts there between the last look and the move is lost. */
function replace(hands: Hands, step: Replace): void {
  if (isExchanged(hands, step)) return;
  const { from, to: path, kept, stamp } = step;
  hands.keep(path, kept);
  const now = hands.look(path);
  if (!now || stampOf(now) !== stamp) throw stale(path);
  hands.move(from, path, "over");
}

/** What was there is judged once it is ours alone: another than was meant goes back, and what has other names is copied. */
function isExchanged(hands: Hands, step: Replace): boolean {
  const { from, to, kept, stamp } = step;
  if (!hands.exchange(from, to)) return false;
  const found = hands.look(from);
  if (!found || stampOf(found) !== stamp) {
    exchangeBack(hands, step);
    throw stale(to);
  }
  if (found.links === 1) hands.move(from, kept, "new");
  else {
    hands.keep(from, kept);
    hands.remove(from);
  }
  return true;
}

/** What somebody put over ours in between was the last to come, and stays. */
function exchangeBack(hands: Hands, { from, to, identity }: Replace): void {
  hands.exchange(from, to);
  if (isOther(hands.look(from), identity)) hands.exchange(from, to);
}

/** What was planned does not fit what is there now: it has to be planned again. */
export const stale = (path: Place): Fault =>
  new Fault("stale", `Cannot change ${JSON.stringify(path)}: it is no longer as it was`, { path });

/** Tells whether a file is still the same, and was not written to. Its name and number of names may change. */
export const stampOf = ({ identity, size, times }: Facts): string =>
  `${identity}:${size}:${times.slice(0, times.indexOf(":"))}`;

/** Takes steps back, the last one first. Where somebody took a place or a directory on the way, his word is the last. */
export function takeAllBack(hands: Hands, steps: readonly Step[], note: (left: number) => void = () => {}): void {
  for (let left = steps.length - 1; left >= 0; left--) {
    try {
      takeBack(hands, steps[left] as Step);
    } catch (error) {
      if (!hasCode(error, ...TAKEN)) throw error;
    }
    note(left);
  }
}

const TAKEN: readonly Code[] = ["swapped", "not_found", "not_a_directory", "outside_workspace", "exists"];

/** Takes a step back, if it was taken. What somebody else put in its place meanwhile is left alone. */
function takeBack(hands: Hands, step: Step): void {
  switch (step.do) {
    case "move":
      return moveBack(hands, step);
    case "replace":
      return putBack(hands, step);
    case "mkdir":
      return removeIfEmpty(hands, step.path);
    case "chmod":
      return setModeBack(hands, step);
    case "append":
      return cutBack(hands, step);
  }
}

/** Works from wherever the move, or an earlier way back, was cut off. */
function moveBack(hands: Hands, { from, to, identity, staged }: Omit<MoveStep, "do">): void {
  const there = hands.look(to);
  const hasArrived = there?.identity === identity;
  if (hasArrived && isWrittenTo(there, staged)) return;
  if (hasArrived && isStill(hands, from, identity)) hands.remove(to);
  else if (hasArrived) returnTo(hands, to, from);
  else if (isDirectory(hands, from, identity)) removeIfEmpty(hands, to);
}

/** Then it is no longer of our making, and stays. */
const isWrittenTo = (there: Facts, staged: string | undefined): boolean =>
  staged !== undefined && there.kind === "file" && stampOf(there) !== staged;

const isStill = (hands: Hands, place: Place, identity: string): boolean => hands.look(place)?.identity === identity;

/** A directory claims its name with an empty one first: an earlier way back may have come so far. */
function returnTo(hands: Hands, place: Place, from: Place): void {
  if (hands.look(place)?.kind === "directory") removeIfEmpty(hands, from);
  hands.move(place, from, "new");
}

/** The same on the way there; that may be all that happened. */
function isDirectory(hands: Hands, place: Place, identity: string): boolean {
  const facts = hands.look(place);
  return facts?.kind === "directory" && facts.identity === identity;
}

function removeIfEmpty(hands: Hands, place: Place): void {
  if (hands.look(place)?.kind !== "directory") return;
  try {
    hands.remove(place);
  } catch (error) {
    if (!hasCode(error, "not_empty")) throw error;
  }
}

/** What the file went over comes back from where it is kept; cut off in between, it has still to be put there. */
function putBack(hands: Hands, step: Replace): void {
  const { from, to, identity, kept, staged } = step;
  const there = hands.look(to);
  const hasArrived = there?.identity === identity;
  if (hasArrived && isStillToKeep(hands, step)) {
    hands.remove(kept);
    hands.move(from, kept, "new");
  }
  if (hasArrived && staged !== undefined && !isWrittenTo(there, staged)) return hands.move(kept, to, "over");
  moveBack(hands, step);
  if (hands.look(to) === null) hands.move(kept, to, "new");
  hands.remove(kept);
}

/** Nothing is kept yet, or a copy, maybe a part of one, of the very file that is still there. */
function isStillToKeep(hands: Hands, { from, identity, kept, stamp }: Replace): boolean {
  const found = hands.look(from);
  return isOther(found, identity) && (stamp.startsWith(`${found?.identity}:`) || !hands.look(kept));
}

const isOther = (found: Facts | null, identity: string): boolean => found !== null && found.identity !== identity;

function setModeBack(hands: Hands, { path, identity, mode, was }: SetMode): void {
  const now = hands.look(path);
  if (now?.identity === identity && now.mode === mode) hands.setMode(path, was);
}

/** What is longer than we made it was written by somebody else. */
function cutBack(hands: Hands, { path, identity, size, added }: AppendStep): void {
  const now = hands.look(path);
  if (now?.identity === identity && now.size > size && now.size <= size + added) hands.cut(path, size);
}
