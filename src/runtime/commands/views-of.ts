import type { CommandViews } from "../../workspace/changes/views/views.ts";
import { Fault } from "../../base/errors.ts";
import type { CommandParts } from "./command-parts.ts";

/** Returns what keeps the views of commands. Throws where the workspace has none. */
export function viewsOf({ workspace }: CommandParts): CommandViews {
  const views = workspace.writing?.views;
  if (views) return views;
  throw new Fault("denied", "Cannot use a view: nothing can be changed in this session");
}
