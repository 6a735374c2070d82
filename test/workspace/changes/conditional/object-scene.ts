import { join } from "node:path";
import { createState } from "../../../../src/storage/local/state/state.ts";
import { objectStorage } from "../../../../src/storage/objects/object-storage.ts";
import type { Key, ObjectStore } from "../../../../src/storage/objects/object-store.ts";
import type { SafePath } from "../../../../src/storage/storage.ts";
import type { CommitOptions } from "../../../../src/workspace/changes/commit.ts";
import type { AccessCallbacks } from "../../../../src/workspace/view.ts";
import type { Workspace } from "../../../../src/workspace/workspace.ts";
import { OBJECT_ROOT } from "../../../layout.ts";
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

/** Everything in a store as "key = text", without the backups. */
export async function shownObjects(objects: ObjectStore, isShown = (key: Key) => !isBackup(key)): Promise<string[]> {
  const shown: string[] = [];
  for await (const { key, tag, size } of objects.list("", "all")) {
    const bytes = isShown(key) ? await objects.get(key, tag, 0, size) : null;
    if (bytes) shown.push(`${key} = ${Buffer.from(bytes).toString()}`);
  }
  return shown.toSorted();
}

export const isBackup = (key: Key): boolean => key.startsWith(".holdfast-store/");

/** Lists the change sets that are journaled and not finished. */
export const pendingIn = (stateHome: string): readonly string[] => createState(stateHome).list("pending-puts");

/** Writes an object as somebody else does, without asking what is there. */
export async function writeForeign(objects: ObjectStore, key: Key, text: string | null): Promise<void> {
  const now = await objects.head(key);
  if (text === null) await objects.remove(key, now?.tag ?? "");
  else await objects.put(key, Buffer.from(text), now ? { match: now.tag } : { absent: true });
}

export const at = (way: string): SafePath => `${OBJECT_ROOT}/${way}` as SafePath;

/** Commits as an agent that never cancels. */
export const HOW: CommitOptions = {
  author: { session: "s", principal: "agent", tool: "test" },
  checkpoint: async () => {},
};

/** Shows everything. */
export const ACCESS: AccessCallbacks = {
  checkAccess: () => {},
  mayOpen: () => true,
  mayHideBelow: () => false,
  deniedBelow: () => [],
  signal: { aborted: false },
  progress: () => {},
};
