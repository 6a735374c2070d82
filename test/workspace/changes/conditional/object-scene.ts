import { join } from "node:path";
import { createState } from "../../../../src/storage/local/state/state.ts";
import { objectStorage } from "../../../../src/storage/objects/object-storage.ts";
import type { ObjectStore } from "../../../../src/storage/objects/object-store.ts";
import type { Workspace } from "../../../../src/workspace/workspace.ts";
import { OBJECT_ROOT } from "../../../../src/testing/objects/change-set-fixture.ts";
import { type Caller, scratch } from "../../../runtime/scratch.ts";
import { callerIn, workspaceOn } from "../../storages.ts";

export interface ObjectScene {
  readonly call: Caller;
  readonly workspace: Workspace;
  readonly stateHome: string;
}

/** The tools on an object store. Its state is in a directory that another scene can share. */
export function objectScene(objects: ObjectStore, stateHome: string = join(scratch(), "state")): ObjectScene {
  const workspace = workspaceOn(objectStorage(objects).mount(OBJECT_ROOT), stateHome);
  return { call: callerIn(workspace), workspace, stateHome };
}

/** Lists the change sets that are journaled and not finished. */
export const pendingIn = (stateHome: string): readonly string[] => createState(stateHome).list("pending-puts");
