import { childOf } from "../../base/paths.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { pathBelow } from "../../workspace/changes/streamed-entries.ts";
import type { Decision } from "../rules/decision.ts";
import { ALLOWED } from "./call-redactor.ts";
import type { SecretRegistry } from "./registry.ts";
import type { SensitivePlaces } from "./sensitive-places.ts";

/** Asks for approval where changes would show secrets: under a name that is not sensitive, or split into parts. */
export function egressDecision(
  changes: readonly Change[],
  { places, registry }: { readonly places: SensitivePlaces; readonly registry: SecretRegistry },
  seenValues: ReadonlySet<string>,
): Decision {
  if (changes.some((change) => exposedTargets(change, places).length > 0)) return EXPOSES_SECRETS;
  return seenValues.size > 0 && changes.some((change) => registry.isSplitIn(textOf(change), seenValues))
    ? SPLITS_SECRET
    : ALLOWED;
}

/** Returns the places that a change makes sensitive: where it writes values, and where it exposes a file. */
export const newlySensitivePlaces = (
  change: Change,
  places: SensitivePlaces,
  isCarrying: boolean,
): readonly string[] => [...(isCarrying ? writtenPaths(change) : []), ...exposedTargets(change, places)];

const EXPOSES_SECRETS: Decision = {
  verdict: "approval",
  reasons: ["it may hold secrets, and under its new name they would be shown"],
};

const SPLITS_SECRET: Decision = {
  verdict: "approval",
  reasons: ["it takes a secret apart, and what is left of that would be shown"],
};

/** Returns the text that a change writes; "" where the change does not hold it itself. */
const textOf = (change: Change): string =>
  change.kind === "write" && change.content instanceof Uint8Array ? Buffer.from(change.content).toString("utf8") : "";

/** Returns the place where a change leaves something. */
const writtenPaths = (change: Change): readonly string[] => (change.kind === "remove" ? [] : [change.path]);

/** Returns the places to which a change takes a file where less of it is hidden than before. */
const exposedTargets = (change: Change, places: SensitivePlaces): readonly string[] =>
  relocationsIn(change).flatMap(([from, to]) => (isExposedByMove(from, to, places) ? [to] : []));

/**
 * A place that is sensitive in this session only does not protect a file that is sensitive in all: the next session
 * would show it.
 */
const isExposedByMove = (from: string, to: string, places: SensitivePlaces): boolean =>
  places.isPermanent(from)
    ? !places.isPermanent(to)
    : places.sensitivityOf(from) !== undefined && places.sensitivityOf(to) === undefined;

const relocationsIn = (change: Change): readonly (readonly [from: string, to: string])[] => {
  if (change.kind === "move" || change.kind === "copy") return [[change.path, change.to]];
  if (change.kind === "write" && change.movedFrom !== undefined) return [[change.movedFrom, change.path]];
  if (change.kind === "unpack") return unpackedRelocations(change);
  return change.kind === "restore" && change.origin ? [[change.origin.path, change.path]] : [];
};

/** Compares where each file lay in its archive with where it goes. */
const unpackedRelocations = ({ path, entry, entries, origin }: Extract<Change, { readonly kind: "unpack" }>) =>
  origin === undefined
    ? []
    : entries
        .filter(({ kind }) => kind === "file")
        .map((file) => {
          const below = pathBelow(entry, file.path);
          return [childOf(origin, file.path), below === "" ? path : childOf(path, below)] as const;
        });
