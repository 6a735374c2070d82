import { parentOf } from "../../base/paths.ts";
import { needsNoApproval } from "../../base/verdicts.ts";
import { isGitControl, isUnfinishedSequence } from "../../workspace/changes/git-control.ts";
import type { PermissionRequest } from "./permission-request.ts";
import type { Decision } from "./decision.ts";

/**
 * Lets a command change what is git's own like any other file, since git does so all the time. What decides which
 * programs git runs needs a yes. Only the built-in rules are adjusted: a rule that somebody wrote stays.
 */
export function decideChangeByCommand(
  request: PermissionRequest,
  decision: Decision,
  decideAt: (request: PermissionRequest) => Decision,
): Decision {
  if (!decision.isByDefault) return decision;
  const isOpen = needsNoApproval(decision.verdict);
  const hasControl = request.hasGitControl === true && !request.isInTree;
  const repository = repositoryOf(request.place);
  if (repository === undefined) return isOpen && hasControl ? askingAbout(decision) : decision;
  if (hasControl || (!isOpen && decidesWhatGitRuns(request))) return askingAbout(decision);
  return isOpen ? decision : decideAt({ ...request, place: repository });
}

const decidesWhatGitRuns = ({ act, place }: PermissionRequest): boolean =>
  isGitControl(place) && !(act === "delete" && isUnfinishedSequence(place));

/**
 * Lets undo bring back a deleted repository like any other directory: no rule asks before its deletion, and what was
 * there is no new .git. Here too, a rule that somebody wrote stays.
 */
export function decideBringingBack(
  request: PermissionRequest,
  decision: Decision,
  decideAt: (request: PermissionRequest) => Decision,
): Decision {
  const isRepository = request.place.toLowerCase().endsWith("/.git");
  return decision.isByDefault && isRepository ? decideAt({ ...request, place: parentOf(request.place) }) : decision;
}

const askingAbout = (decision: Decision): Decision => ({
  ...decision,
  verdict: "approval",
  reasons: ["it decides what git runs"],
});

/** Returns the directory whose .git a place is in; undefined elsewhere. */
function repositoryOf(place: string): string | undefined {
  const at = place.indexOf("/.git/");
  return at < 0 ? undefined : place.slice(0, at) || parentOf(place);
}
