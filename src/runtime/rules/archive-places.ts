import { mayBeInArchive, placesBehind } from "../../base/archive-path.ts";
import { type Rules, strictestDecision } from "./rules.ts";

/**
 * Judges a read inside an archive by the strictest of three places: the path itself, the archive, and the inner name as
 * if it lay beside the archive. A real directory whose name ends in "!" is judged so as well, which is never too lax.
 */
export function judgingArchives(rules: Rules): Rules {
  return {
    ...rules,
    decide(request) {
      const decision = rules.decide(request);
      if (request.act !== "read" || !mayBeInArchive(request.place)) return decision;
      return strictestDecision([
        decision,
        ...placesBehind(request.place).map((place) => rules.decide({ ...request, place })),
      ]);
    },
    mayBe: (verdict, place) =>
      rules.mayBe(verdict, place) ||
      (mayBeInArchive(place) && placesBehind(place).some((each) => rules.mayBe(verdict, each))),
    mayHideBelow: (directory) =>
      rules.mayHideBelow(directory) ||
      (mayBeInArchive(directory) && placesBehind(directory).some((each) => rules.mayHideBelow(each))),
  };
}
