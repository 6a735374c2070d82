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
  return {
    sensitivityOf(place) {
      if (scope.matches(place)) return "credentials";
      return mode === "strict" || added.has(place) ? "anything" : undefined;
    },
    isPermanent: (place) => mode === "strict" || scope.matches(place),
    add: (place) => void added.add(place),
  };
}

interface SensitivePlacesOptions {
  readonly mode: SecretsMode;
  readonly roots: readonly string[];
}
