import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createState } from "../../../../src/storage/local/state/state.ts";
import { createTrashNotes, noteNameOf } from "../../../../src/workspace/changes/trash/notes.ts";
import { appOn, callerOf, scratch, stateBeside } from "../../../runtime/scratch.ts";

/** Makes a trash with one tree in it, and a writer for it. */
async function withTrash() {
  const names = Array.from({ length: 40 }, (_, n) => `d/${n}/f.txt`);
  const root = scratch(Object.fromEntries(names.map((name) => [name, name])));
  const app = appOn(root);
  const call = callerOf(app);
  const { data } = await call("delete", { path: "d", recursive: true });
  const trash = app.session.workspace.writing?.trash;
  const item = trash?.item(String(data["trash_id"]));
  if (!trash || !item) throw new Error("nothing is in the trash");
  const store = join(app.stateDirectory, ".holdfast-store", "trash");
  return { root, call, trash, item, names, store, sidecar: join(app.stateDirectory, "trash", noteNameOf(item)) };
}

it.each([0, 1, 2, 3])("a restore during a purge brings back everything or nothing (%i)", async (turns) => {
  const { root, call, trash, item, names } = await withTrash();
  const purging = trash.purge(item);
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
  const { isError } = await call("restore", { trash_id: item.id });
  await purging;
  const left = names.filter((name) => existsSync(join(root, name)));
  expect([left, existsSync(join(root, "d"))]).toEqual(isError ? [[], false] : [names, true]);
});

it("an interrupted purge hides the item, and the next expiry finishes it", async () => {
  const { call, trash, item, store, sidecar } = await withTrash();
  writeFileSync(sidecar, JSON.stringify({ ...item, isDoomed: true }));
  expect(trash.items()).toEqual([]);
  expect((await call("restore", { trash_id: item.id })).code).toBe("not_found");
  await trash.expire(Date.now());
  expect([readdirSync(store), existsSync(sidecar)]).toEqual([[], false]);
});

it("an item stays until its retention ends", async () => {
  const { trash, item } = await withTrash();
  await trash.expire(item.expiresMs - 1);
  expect(trash.items().map(({ id }) => id)).toEqual([item.id]);
  await trash.expire(item.expiresMs);
  expect(trash.items()).toEqual([]);
});

it("finds what was deleted from a path without reading ten thousand other notes", async () => {
  const { root, call, item, sidecar } = await withTrash();
  for (let n = 0; n < 10_000; n++) {
    const other = { ...item, id: `z${n}-0`, path: `${item.path}-${n}` as typeof item.path };
    writeFileSync(join(sidecar, "..", noteNameOf(other)), JSON.stringify(other));
  }
  const state = createState(stateBeside(root));
  const read: string[] = [];
  const notes = createTrashNotes({ ...state, read: (name) => (read.push(name), state.read(name)) });
  expect(notes.from(item.path)).toEqual([item]);
  expect([notes.item(item.id), notes.item(item.id, item.path)]).toEqual([item, item]);
  expect(new Set(read)).toEqual(new Set([`trash/${noteNameOf(item)}`]));
  expect((await call("restore", { path: "d" })).code).toBe("ok");
});

it.each(["restore", "undo"])("%s removes the note, and its undo writes it again", async (tool) => {
  const { call, trash, item, sidecar, names } = await withTrash();
  const { data } = await call(tool, tool === "restore" ? { path: "d" } : {});
  expect([trash.items(), trash.items(item.path), trash.item(item.id), existsSync(sidecar)]).toEqual([
    [],
    [],
    null,
    false,
  ]);
  expect((await call("restore", { path: "d", overwrite: true })).code).toBe("not_found");
  expect((await call("undo", { change_id: data["change_id"] })).code).toBe("ok");
  const [again] = trash.items(item.path);
  expect([again?.id, again?.files, again?.bytes]).toEqual([item.id, names.length, item.bytes]);
});

it("a note that an older version wrote is found by its path and by its id", async () => {
  const { call, item, sidecar } = await withTrash();
  renameSync(sidecar, join(sidecar, "..", item.id));
  expect((await call("restore", { path: "d", dry_run: true })).code).toBe("ok");
  expect((await call("restore", { trash_id: item.id })).code).toBe("ok");
});
