import { isWithin } from "../../base/paths.ts";
import type { PermissionRequest } from "./compile-rule.ts";
import type { Decision, Rules } from "./rules.ts";

/** The same rules, for who may use only these of the directories: elsewhere nothing is allowed. */
export function narrowedTo(rules: Rules, directories: readonly string[]): Rules {
  const isInside = (place: string): boolean => directories.some((directory) => isWithin(place, directory));
  const isOutside = ({ act, place }: PermissionRequest): boolean =>
    act !== "exec" && act !== "network" && !isInside(place);
  return {
    ...rules,
    decide: (want) => (isOutside(want) ? OUTSIDE_ROOTS : rules.decide(want)),
    mayBe: (verdict, place) => !isInside(place) || rules.mayBe(verdict, place),
    mayHideBelow: (directory) => !isInside(directory) || rules.mayHideBelow(directory),
    strictestBelow: (act, directory) => (isInside(directory) ? rules.strictestBelow(act, directory) : "blocked"),
  };
}

const OUTSIDE_ROOTS: Decision = { verdict: "blocked", reasons: ["it is not in the directories of this session"] };
