import type { SecretsMode } from "../../base/verdicts.ts";
import type { Trust } from "../../text/secrets/assignments.ts";
import { reachOf } from "../rules/rule-scope.ts";
import { SHIELDED } from "./places.ts";

/** Which places are shown without secrets. */
export interface CoveredPlaces {
  /** Undefined where everything is shown. */
  trustIn(place: string): Trust | undefined;
  /** Whether every session shows it without secrets, not just this one. */
  isLasting(place: string): boolean;
  /** Values came there by a call: it is shown without them from now on. */
  add(place: string): void;
}

export function createCoveredPlaces({ mode, roots }: Covering): CoveredPlaces {
  const reach = reachOf(SHIELDED, roots);
  const added = new Set<string>();
  // Most files are read page by page, or read and then edited.
  let last: { readonly place: string; readonly fits: boolean } | undefined;
  const isNamed = (place: string): boolean => {
    if (last?.place !== place) last = { place, fits: reach.fits(place) };
    return last.fits;
  };
  return {
    trustIn(place) {
      if (isNamed(place)) return "credentials";
      return mode === "strict" || added.has(place) ? "anything" : undefined;
    },
    isLasting: (place) => mode === "strict" || isNamed(place),
    add: (place) => void added.add(place),
  };
}

interface Covering {
  readonly mode: SecretsMode;
  readonly roots: readonly string[];
}
