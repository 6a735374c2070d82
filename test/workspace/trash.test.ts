import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appOn, callerOf, scratch } from "../runtime/scratch.ts";

/** A tree in the trash, and hands on it. */
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
  return { root, call, trash, item, names, store, sidecar: join(app.stateDirectory, "trash", item.id) };
}

it.each([0, 1, 2, 3])("what is brought back while it is purged is whole, or not there (%i)", async (turns) => {
  const { root, call, trash, item, names } = await withTrash();
  const purging = trash.purge(item);
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
  const { isError } = await call("restore", { trash_id: item.id });
  await purging;
  const left = names.filter((name) => existsSync(join(root, name)));
  expect([left, existsSync(join(root, "d"))]).toEqual(isError ? [[], false] : [names, true]);
});

it("what a process began to purge is out of reach, and goes with what has expired", async () => {
  const { call, trash, item, store, sidecar } = await withTrash();
  writeFileSync(sidecar, JSON.stringify({ ...item, isDoomed: true }));
  expect(trash.items()).toEqual([]);
  expect((await call("restore", { trash_id: item.id })).code).toBe("not_found");
  await trash.expire(Date.now());
  expect([readdirSync(store), existsSync(sidecar)]).toEqual([[], false]);
});

it("what is younger than its retention stays", async () => {
  const { trash, item } = await withTrash();
  await trash.expire(item.expiresMs - 1);
  expect(trash.items().map(({ id }) => id)).toEqual([item.id]);
  await trash.expire(item.expiresMs);
  expect(trash.items()).toEqual([]);
});
