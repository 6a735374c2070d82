import type { Cancellation } from "../../base/time-slicing.ts";
import type { AccessCallbacks, View } from "../../workspace/view.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Creates a view that the rules do not restrict. It serves decisions, previews and the operator, never a tool. */
export const unrestrictedView = (
  workspace: Workspace,
  signal: Cancellation,
  callbacks: Pick<AccessCallbacks, "redactedFile" | "onVersionRead"> = {},
): View =>
  workspace.view({
    ...callbacks,
    checkAccess: () => {},
    mayOpen: () => true,
    mayHideBelow: () => false,
    deniedBelow: () => [],
    signal,
    progress: () => {},
  });
