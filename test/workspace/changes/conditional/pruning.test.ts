import { join } from "node:path";
import { expect, it } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { createState } from "../../../../src/storage/local/state/state.ts";
import { objectStorage } from "../../../../src/storage/objects/object-storage.ts";
import type { ObjectStore } from "../../../../src/storage/objects/object-store.ts";
import { scratch } from "../../../runtime/scratch.ts";
import { createJournal } from "../../../../src/workspace/changes/journal/journal.ts";
import { createObjectTrash } from "../../../../src/workspace/changes/conditional/object-trash.ts";
import { createObjectPlaces, createObjectProber } from "../../../../src/workspace/changes/conditional/object-places.ts";
import { createStoreIdentity } from "../../../../src/workspace/changes/conditional/store-identity.ts";
import { discardRecord } from "../../../../src/workspace/changes/conditional/recover-puts.ts";
import { objectLayout } from "../../../layout.ts";
import {
  ACCESS,
  at,
  HOW,
  isBackup,
  shownObjects,
  OBJECT_ROOT,
} from "../../../../src/testing/objects/change-set-fixture.ts";
import { objectScene, pendingIn } from "./object-scene.ts";

/** The real parts of an engine, on the state that a scene uses. */
function partsOn(objects: ObjectStore, stateHome: string) {
  const state = createState(stateHome);
  const places = createObjectPlaces(OBJECT_ROOT);
  const storage = objectStorage(objects).mount(OBJECT_ROOT);
  const prober = createObjectProber(storage, storage, places);
  const identity = createStoreIdentity(objects, state, OBJECT_ROOT);
  const trash = createObjectTrash({ objects, places, identity, prober, state, retention: { agent: 24, user: 168 } });
  return { objects, places, identity, trash, state, journal: createJournal(state, () => []) };
}

it("removes old records with their backups, and nothing else", async () => {
  const objects = objectLayout(["a = one", "d/b = two"]);
  const stateHome = join(scratch(), "state");
  const { workspace } = objectScene(objects, stateHome);
  const write = (key: string, text: string) =>
    workspace.writing?.commit({ changes: [{ kind: "write", path: at(key), content: Buffer.from(text) }] }, HOW);
  const first = await write("a", "two");
  await workspace.writing?.commit({ changes: [{ kind: "remove", path: at("d"), into: "history" }] }, HOW);
  await write("a", "three");
  const kept = (first?.effects ?? []).flatMap(({ before }) => before?.object ?? []);
  await discardRecord(partsOn(objects, stateHome), first?.id ?? "", kept, "t1");
  expect(workspace.view(ACCESS).history.read(first?.id ?? "")).toBeNull();
  expect((await shownObjects(objects, isBackup)).map((line) => line.replace(/^.* = /, "")).toSorted()).toEqual([
    "two",
    "two",
  ]);
  expect(pendingIn(stateHome)).toEqual([]);
});

it("erases expired trash", async () => {
  const objects = objectLayout(["a = one", "d/b = two"]);
  const { workspace, call } = objectScene(objects);
  await call("delete", { path: "d", recursive: true });
  const [item] = workspace.view(ACCESS).history.trash();
  const expiresMs = item?.expiresMs ?? 0;
  await workspace.writing?.trash.expire(expiresMs - 1);
  expect(workspace.view(ACCESS).history.trash()).toHaveLength(1);
  await workspace.writing?.trash.expire(expiresMs);
  expect([workspace.view(ACCESS).history.trash(), await shownObjects(objects, isBackup)]).toEqual([[], []]);
  expect(expiresMs - Date.now()).toBeLessThanOrEqual(LIMITS.agentTrashHours * 3_600_000);
});
