import { createState } from "../../src/storage/local/state/state.ts";
import type { State } from "../../src/storage/state.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { createSession } from "../../src/runtime/sessions/session.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import { builtinSearcher } from "../../src/workspace/search/builtin-searcher.ts";
import { appOn, callerOf, type Caller, scratch, stateBeside } from "../runtime/scratch.ts";

/** A workspace on any storage, whose state is gone when the test ends. */
export function workspaceOn(storage: Storage, kept: State | string = stateBeside(scratch())): Workspace {
  const state = typeof kept === "string" ? createState(kept) : kept;
  const retention = { agent: 24, user: 168 };
  const roots = storage.roots.map((real) => ({ given: real, real }));
  return createWorkspace([{ storage, state }], roots, { retention, isReadOnly: false, searcher: builtinSearcher });
}

/** Makes calls of an agent in a workspace, with the rules of an app that has no rules of its own. */
export function callerIn(workspace: Workspace): Caller {
  const app = appOn(scratch(), { loopDetection: false });
  const { session } = app;
  const parts = { ...session, workspace, loopFor: () => session.loop, profile: () => session.facts.profile };
  return callerOf({ ...app, session: createSession(parts) });
}
