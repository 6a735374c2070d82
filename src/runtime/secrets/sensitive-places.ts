import type { SecretsMode } from "../../base/verdicts.ts";
import type { Sensitivity } from "../../text/secrets/assignments.ts";
import { ruleScopeOf } from "../rules/rule-scope.ts";
import { SENSITIVE_GLOBS } from "./sensitive-globs.ts";

/** Knows the places that are shown without secrets. */
export interface SensitivePlaces {
  /** Returns undefined where everything is shown. */
  sensitivityOf(place: string): Sensitivity | undefined;
  /** Returns true where every session hides secrets, not just this one. */
  isPermanent(place: string): boolean;
  /** Makes a place sensitive for the rest of the session, because a call wrote values to it. */
  add(place: string): void;
}

export function createSensitivePlaces({ mode, roots }: SensitivePlacesOptions): SensitivePlaces {
  const scope = ruleScopeOf(SENSITIVE_GLOBS, roots);
  const added = new Set<string>();
  // Caches the last place: most files are read page by page, or read and then edited.
  let last: { readonly place: string; readonly fits: boolean } | undefined;
  const isNamed = (place: string): boolean => {
    if (last?.place !== place) last = { place, fits: scope.matches(place) };
    return last.fits;
  };
  return {
    sensitivityOf(place) {
      if (isNamed(place)) return "credentials";
      return mode === "strict" || added.has(place) ? "anything" : undefined;
    },
    isPermanent: (place) => mode === "strict" || isNamed(place),
    add: (place) => void added.add(place),
  };
}

interface SensitivePlacesOptions {
  readonly mode: SecretsMode;
  readonly roots: readonly string[];
}
