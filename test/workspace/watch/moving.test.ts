import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { SafePath } from "../../../src/storage/storage.ts";
import type { Watch } from "../../../src/workspace/watch/watch.ts";
import { EVENT_TYPES } from "../../../src/workspace/watch/event-queue.ts";
import { appOn, scratch } from "../../runtime/scratch.ts";
import { WHILE_BUSY } from "../../work.ts";

/** What another program does to "d", in which "d/new" was just seen, before that is opened. */
const ROWS: readonly { name: string; act: (root: string) => void; told: readonly string[] }[] = [
  {
    name: "it moves",
    act: (root) => renameSync(join(root, "d"), join(root, "away")),
    told: ["rename d away", "create away/new", "create away/new/file"],
  },
  {
    name: "it moves, and a link to it takes its place",
    act(root) {
      renameSync(join(root, "d"), join(root, "away"));
      symlinkSync("away", join(root, "d"));
    },
    told: ["rename d away", "create d", "create away/new", "create away/new/file"],
  },
  {
    name: "what was seen in it is made once more",
    act(root) {
      renameSync(join(root, "d/new"), join(root, "other"));
      mkdirSync(join(root, "d/new"));
      writeFileSync(join(root, "d/new/file"), "");
      rmSync(join(root, "other"), { recursive: true });
    },
    told: ["create d/new", "create d/new/file"],
  },
];

it.each(ROWS)("a new directory is watched wherever it has got to by the time it is opened: $name", async (row) => {
  const root = scratch({ "d/old": "" });
  const { watch, all } = await watchOf(root, join(root, "d/new"), () => row.act(root));
  mkdirSync(join(root, "d/new"));
  writeFileSync(join(root, "d/new/file"), "");
  const last = String(row.told.at(-1));
  await vi.waitUntil(() => all().includes(last), WHILE_BUSY);
  expect(all()).toEqual(row.told);
  const file = last.split(" ")[1] as string;
  writeFileSync(join(root, file), "more");
  await vi.waitUntil(() => all().length > row.told.length, WHILE_BUSY);
  expect(all().slice(row.told.length)).toEqual([`modify ${file}`]);
  watch.end();
});

/** A watch of all in the root. The first time that it wants to open a place, somebody comes before it. */
async function watchOf(root: string, place: string, meddle: () => void) {
  let isDone = false;
  const viewer = {
    checkAccess: () => {},
    mayOpen(wanted: SafePath): true {
      if (wanted === place && !isDone) {
        isDone = true;
        meddle();
      }
      return true;
    },
    mayHideBelow: () => true,
    deniedBelow: () => [],
    signal: new AbortController().signal,
    progress: () => {},
  };
  const scope = { root: root as SafePath, target: root as SafePath, recursive: true };
  const wish = { scope, types: EVENT_TYPES, pattern: undefined };
  const watch: Watch = await appOn(root).session.workspace.watch(wish, viewer, { directories: 0 });
  const heard: string[] = [];
  const all = (): readonly string[] => {
    for (const { type, from, path } of watch.queue.read().events)
      heard.push([type, from, path].filter(Boolean).join(" "));
    return heard;
  };
  return { watch, all };
}
