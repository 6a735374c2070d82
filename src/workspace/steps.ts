import { isFault } from "../base/errors.ts";
import type { Hands, ObjectName, Place } from "../storage/hands.ts";
import type { SafePath } from "../storage/storage.ts";

/**
 * The smallest things a commit does, each at once and each with a way back. They are in the journal before they are
 * done; the journal may hold one that never was, so the way back looks first whether there is anything to take back.
 */
export type Step = Keep | MoveStep | MakeDirectory | SetMode | AppendStep;

interface Keep {
  readonly do: "keep";
  readonly path: SafePath;
  readonly object: ObjectName;
}

interface MoveStep {
  readonly do: "move";
  readonly from: Place;
  readonly to: Place;
  /** Names what moves. */
  readonly identity: string;
  /** What it goes over, kept before. */
  readonly kept?: ObjectName | undefined;
  /** It is of our own making, and nobody misses it at `from`. */
  readonly isStaged?: boolean | undefined;
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
  /** How long the file was: all that the way back needs. */
  readonly size: number;
}

/** Takes one step. What an append adds is not in the journal: its way back needs only the size before. */
export function take(hands: Hands, step: Step, bytes?: Uint8Array): void {
  switch (step.do) {
    case "keep":
      return hands.keep(step.path, step.object);
    case "move":
      return hands.move(step.from, step.to, step.kept === undefined ? "new" : "over");
    case "mkdir":
      return hands.makeDirectory(step.path);
    case "chmod":
      return hands.setMode(step.path, step.mode);
    case "append":
      return hands.append(step.path, bytes ?? new Uint8Array(), step.size);
  }
}

/** Takes a step back, if it was taken. What somebody else put in its place meanwhile is left alone. */
export function takeBack(hands: Hands, step: Step): void {
  try {
    reverse(hands, step);
  } catch (error) {
    if (!isFault(error) || !LOST.includes(error.code)) throw error;
  }
}

/** The place itself is gone, or leads elsewhere by now: there is nothing of ours in it. */
const LOST: readonly string[] = ["swapped", "not_found", "not_a_directory", "outside_workspace"];

function reverse(hands: Hands, step: Step): void {
  switch (step.do) {
    case "keep":
      return hands.remove(step.object);
    case "move":
      return moveBack(hands, step);
    case "mkdir":
      return removeIfEmpty(hands, step.path);
    case "chmod":
      if (isStill(hands, step.path, step.identity)) hands.setMode(step.path, step.was);
      return;
    case "append":
      if (isStill(hands, step.path, step.identity)) cutBack(hands, step);
  }
}

/** Works from wherever the move, or an earlier way back, was cut off. */
function moveBack(hands: Hands, { from, to, identity, kept, isStaged }: MoveStep): void {
  const hasArrived = isStill(hands, to, identity);
  if (hasArrived && kept !== undefined && isStaged) return hands.move(kept, to, "over");
  if (hasArrived && isStill(hands, from, identity)) hands.remove(to);
  else if (hasArrived) hands.move(to, from, "new");
  else if (isDirectory(hands, from, identity)) removeIfEmpty(hands, to);
  if (kept !== undefined && hands.look(to) === null) hands.move(kept, to, "new");
}

/** A directory claims its new name with an empty one first; that may be all that happened. */
function isDirectory(hands: Hands, place: Place, identity: string): boolean {
  const facts = hands.look(place);
  return facts?.kind === "directory" && facts.identity === identity;
}

const isStill = (hands: Hands, place: Place, identity: string): boolean => hands.look(place)?.identity === identity;

function removeIfEmpty(hands: Hands, place: Place): void {
  if (hands.look(place)?.kind !== "directory") return;
  try {
    hands.remove(place);
  } catch (error) {
    if (!isFault(error) || error.code !== "not_empty") throw error;
  }
}

function cutBack(hands: Hands, { path, size }: AppendStep): void {
  const now = hands.look(path)?.size ?? 0;
  if (now > size) hands.cut(path, size);
}
