import { isWithin } from "../../../base/paths.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { Facts, SafePath } from "../../../storage/storage.ts";
import { type Effect, type FileState, isAt } from "../change.ts";
import type { History } from "../history.ts";
import type { HeldView } from "./held-view.ts";

/** Knows what the journal recorded since a view began. */
export interface Meanwhile {
  /** Returns the first effect on a path itself since then. */
  firstAt(path: SafePath): Effect | undefined;
  /** Checks that a change of ours altered a path, something in it, or a directory above it as a whole. */
  hasTouched(path: SafePath): boolean;
}

export async function changesSince(
  history: Pick<History, "records">,
  { firstChange }: HeldView,
  checkpoint: Checkpoint,
): Promise<Meanwhile> {
  const first = new Map<SafePath, Effect>();
  const all: Effect[] = [];
  for await (const { id, effects } of history.records(checkpoint)) {
    if (id < firstChange) break;
    for (const effect of effects.toReversed()) {
      first.set(effect.path, effect);
      all.push(effect);
    }
  }
  return {
    firstAt: (path) => first.get(path),
    hasTouched: (path) => all.some((effect) => concerns(effect, path)),
  };
}

const concerns = (effect: Effect, path: SafePath): boolean =>
  isAt(effect, path) ||
  placesOf(effect).some((place) => isWithin(place, path) || (isOfTree(effect) && isWithin(path, place)));

/** Checks for an effect that alters all that is in a directory. */
const isOfTree = ({ action }: Effect): boolean => action !== "chmod" && action !== "mkdir";

const placesOf = ({ action, path, from }: Effect): readonly SafePath[] =>
  action === "move" && from !== undefined ? [path, from] : [path];

/** Returns when the content or the metadata of an object was last changed, in nanoseconds. */
export const changedNs = ({ times }: Facts): bigint => BigInt(times.slice(times.indexOf(":") + 1));

/** Returns the state of a file before the first change since the view began; undefined where that is not recorded. */
export const stateBefore = (meanwhile: Meanwhile, path: SafePath): FileState | undefined =>
  meanwhile.firstAt(path)?.before ?? undefined;
