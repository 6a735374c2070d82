import { deepEqual } from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { STORE_NAME } from "../../base/product.ts";
import { versionOfBytes } from "../../base/version.ts";
import { createMemoryState } from "../../storage/memory/state.ts";
import { objectStorage } from "../../storage/objects/object-storage.ts";
import type { Key, ObjectStore } from "../../storage/objects/object-store.ts";
import type { State } from "../../storage/state.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { Change } from "../../workspace/changes/change.ts";
import type { CommitOptions } from "../../workspace/changes/commit.ts";
import type { TrashItem } from "../../workspace/changes/trash/notes.ts";
import { planUndo } from "../../workspace/changes/undo/undo.ts";
import { builtinSearcher } from "../../workspace/search/builtin-searcher.ts";
import type { WriteAccess } from "../../workspace/storage-access.ts";
import type { AccessCallbacks, View } from "../../workspace/view.ts";
import { createWorkspace } from "../../workspace/workspace.ts";
import { listed } from "./object-fixture.ts";

/** Changes a store as one process of Holdfast does. */
export interface ChangeFixture {
  readonly writing: WriteAccess;
  view(): View;
  /** Returns "ok", or the code of the fault, or the message of another error. */
  commit(...changes: readonly Change[]): Promise<string>;
  /** Undoes the last change set, which may be an undo. Returns the same. */
  undo(): Promise<string>;
  trash(): readonly TrashItem[];
}

/** The root of every object store under test. */
export const OBJECT_ROOT = "//ROOT";

export const at = (path: string): SafePath => `${OBJECT_ROOT}/${path}` as SafePath;

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

/** Opens a store with a state, which holds the journal: without one, as a machine that has never changed anything. */
export function changeFixture(objects: ObjectStore, state: State = createMemoryState()): ChangeFixture {
  const storage = objectStorage(objects).mount(OBJECT_ROOT);
  const options = { retention: RETENTION, isReadOnly: false, searcher: builtinSearcher };
  const { writing, view } = createWorkspace([{ storage, state }], [{ given: OBJECT_ROOT, real: OBJECT_ROOT }], options);
  if (!writing) throw new Error("a store that is changed has to check preconditions: isConditional is false");
  return {
    writing,
    view: () => view(ACCESS),
    commit: (...changes) => outcomeOf(writing.commit({ changes }, HOW)),
    undo: () => outcomeOf(undoLast(writing, view(ACCESS))),
    trash: () => view(ACCESS).history.trash(),
  };
}

/** Keeps deleted files for so many hours. */
const RETENTION = { agent: 24, user: 168 };

const outcomeOf = (made: Promise<unknown>): Promise<string> =>
  made.then(
    () => "ok",
    (error: { readonly code?: string; readonly message: string }) => error.code ?? error.message,
  );

async function undoLast(writing: WriteAccess, view: View): Promise<void> {
  for await (const record of view.history.records(view.checkpoint)) {
    const { changes, conflicts } = await planUndo([record], undefined, view);
    deepEqual(conflicts, []);
    await writing.commit({ changes, undoes: [record.id] }, HOW);
    return;
  }
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

/** Returns a change that writes a text: over this one, over nothing (null), or over whatever is there. */
export const write = (key: Key, text: string, old?: string | null): Change => ({
  kind: "write",
  path: at(key),
  content: bytesOf(text),
  expect: typeof old === "string" ? versionOfBytes(bytesOf(old)) : old,
});

export const append = (key: Key, text: string): Change => ({ kind: "append", path: at(key), bytes: bytesOf(text) });

export const mkdir = (key: Key): Change => ({ kind: "mkdir", path: at(key) });

export const move = (from: Key, to: Key): Change => ({ kind: "move", path: at(from), to: at(to), replaces: null });

/** Returns a change that moves over whatever is there. */
export const moveOver = (from: Key, to: Key): Change => ({
  kind: "move",
  path: at(from),
  to: at(to),
  replaces: undefined,
});

export const copy = (from: Key, to: Key): Change => ({ kind: "copy", path: at(from), to: at(to), replaces: null });

export const remove = (key: Key, into: "trash" | "nowhere" = "trash"): Change => ({
  kind: "remove",
  path: at(key),
  into,
});

const isOwn = (key: Key): boolean => key.startsWith(`${STORE_NAME}/`);

/** Checks for a backup. The key that identifies the store stays for ever. */
export const isBackup = (key: Key): boolean => isOwn(key) && key !== `${STORE_NAME}/id`;

/** Returns everything in a store as "key = text", without the backups. */
export async function shownObjects(
  objects: ObjectStore,
  isShown = (key: Key): boolean => !isOwn(key),
): Promise<readonly string[]> {
  const shown: string[] = [];
  for (const { key, tag, size } of await listed(objects, "", "all")) {
    const bytes = isShown(key) ? await objects.get(key, tag, 0, size) : null;
    if (bytes) shown.push(`${key} = ${Buffer.from(bytes).toString()}`);
  }
  return shown.toSorted();
}

/** Resolves once the object has another tag, or after a while: the puts of one change set are made side by side. */
export async function whenWritten(objects: ObjectStore, key: Key): Promise<void> {
  const before = await objects.head(key);
  for (let tries = 0; tries < 1000 && (await objects.head(key))?.tag === before?.tag; tries++) await setTimeout(1);
}

/** Writes or removes an object as somebody else does, whatever is there. */
export async function writeForeign(objects: ObjectStore, key: Key, text: string | null): Promise<void> {
  const now = await objects.head(key);
  if (text === null) await objects.remove(key, now?.tag ?? "");
  else await objects.put(key, bytesOf(text), now ? { match: now.tag } : { absent: true });
}
