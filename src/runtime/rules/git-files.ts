import { parentOf } from "../../base/paths.ts";
import { needsNoApproval } from "../../base/verdicts.ts";
import { isGitControl } from "../../workspace/changes/views/git-control.ts";
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
  const repository = repositoryOf(request.place);
  if (repository === undefined || !decision.isByDefault || needsNoApproval(decision.verdict)) return decision;
  if (isGitControl(request.place)) return { ...decision, verdict: "approval", reasons: ["it decides what git runs"] };
  return decideAt({ ...request, place: repository });
}

/** Returns the directory whose .git a place is in; undefined elsewhere. */
function repositoryOf(place: string): string | undefined {
  const at = place.indexOf("/.git/");
  return at < 0 ? undefined : place.slice(0, at) || parentOf(place);
}
