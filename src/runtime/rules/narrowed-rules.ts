import { isWithin } from "../../base/paths.ts";
import type { PermissionRequest } from "./permission-request.ts";
import type { Decision } from "./decision.ts";
import type { Rules } from "./rules.ts";

/** Restricts rules to some directories and blocks everything outside of them. */
export function narrowedTo(rules: Rules, directories: readonly string[]): Rules {
  const isInside = (place: string): boolean => directories.some((directory) => isWithin(place, directory));
  const isOutside = ({ act, place }: PermissionRequest): boolean =>
    act !== "exec" && act !== "network" && !isInside(place);
  return {
    ...rules,
    decide: (request) => (isOutside(request) ? OUTSIDE_ROOTS : rules.decide(request)),
    mayBe: (verdict, place) => !isInside(place) || rules.mayBe(verdict, place),
    mayHideBelow: (directory) => !isInside(directory) || rules.mayHideBelow(directory),
    strictestBelow: (act, directory, names) =>
      isInside(directory) ? rules.strictestBelow(act, directory, names) : "blocked",
  };
}

const OUTSIDE_ROOTS: Decision = { verdict: "blocked", reasons: ["it is not in the directories of this session"] };
