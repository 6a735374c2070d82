import type { Effect } from "./change.ts";
import type { StoredRecord } from "./journal/records.ts";

/** A change as a workspace sees it: without its effects elsewhere, which are only counted. */
export interface ShownChange extends StoredRecord {
  /** Counts the effects outside of the workspace; absent where all lie inside. Such a change cannot be undone here. */
  readonly elsewhere?: number;
  /** Is true where it was made in another directory, which had the same path. Only a person sees such a change. */
  readonly isOfReplaced?: boolean;
}

/** Returns null where nothing of a change lies inside. A change without effects belongs to its roots. */
export function withoutElsewhere(record: StoredRecord, isInside: IsInside): ShownChange | null {
  const effects = record.effects.flatMap((effect) => insideOf(effect, isInside) ?? []);
  const elsewhere = record.effects.filter((effect) => !liesInside(effect, isInside)).length;
  if (elsewhere > 0) return effects.length > 0 ? { ...record, effects, elsewhere } : null;
  return effects.length > 0 || record.roots.some(({ path }) => isInside(path)) ? record : null;
}

export type IsInside = (place: string) => boolean;

/** A copy alters only the place that it creates. */
const liesInside = ({ action, path, from = path }: Effect, isInside: IsInside): boolean =>
  isInside(path) && (action === "copy" || isInside(from));

/** Returns the part of an effect that lies inside: of a move across the border, the end on this side. */
function insideOf(effect: Effect, isInside: IsInside): Effect | undefined {
  const { path, from } = effect;
  if (from === undefined || isInside(from)) {
    if (isInside(path)) return effect;
    return from === undefined || effect.action === "copy"
      ? undefined
      : { ...effect, path: from, from: undefined, before: null, after: null };
  }
  return isInside(path) ? { ...effect, from: undefined } : undefined;
}
