import type { SecretsMode } from "../../base/verdicts.ts";
import type { Sensitivity } from "../../text/secrets/assignments.ts";
import { ruleScopeOf } from "../rules/rule-scope.ts";
import { SENSITIVE_GLOBS } from "./sensitive-globs.ts";

/** Which places are shown without secrets. */
export interface SensitivePlaces {
  /** Undefined where everything is shown. */
  sensitivityOf(place: string): Sensitivity | undefined;
  /** Whether every session shows it without secrets, not just this one. */
  isPermanent(place: string): boolean;
  /** Values came there by a call: it is shown without them from now on. */
  add(place: string): void;
}

export function createSensitivePlaces({ mode, roots }: SensitivePlacesOptions): SensitivePlaces {
  const reach = ruleScopeOf(SENSITIVE_GLOBS, roots);
  const added = new Set<string>();
  // Most files are read page by page, or read and then edited.
  let last: { readonly place: string; readonly fits: boolean } | undefined;
  const isNamed = (place: string): boolean => {
    if (last?.place !== place) last = { place, fits: reach.matches(place) };
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
