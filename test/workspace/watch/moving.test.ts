import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { SafePath } from "../../../src/storage/storage.ts";
import type { Watch } from "../../../src/workspace/watch/watch.ts";
import { EVENT_TYPES } from "../../../src/workspace/watch/event-queue.ts";
import { appOn, scratch } from "../../runtime/scratch.ts";
import { WHILE_BUSY } from "../../work.ts";

/** Are acts of another program on "d" after "d/new" was seen in it and before it is opened. */
const ROWS: readonly { name: string; act: (root: string) => void; expected: readonly string[] }[] = [
  {
    name: "it moves",
    act: (root) => renameSync(join(root, "d"), join(root, "away")),
    expected: ["rename d away", "create away/new", "create away/new/file"],
  },
  {
    name: "it moves, and a link to it takes its place",
    act(root) {
      renameSync(join(root, "d"), join(root, "away"));
      symlinkSync("away", join(root, "d"));
    },
    expected: ["rename d away", "create d", "create away/new", "create away/new/file"],
  },
  {
    name: "the new directory is deleted and made again",
    act(root) {
      renameSync(join(root, "d/new"), join(root, "other"));
      mkdirSync(join(root, "d/new"));
      writeFileSync(join(root, "d/new/file"), "");
      rmSync(join(root, "other"), { recursive: true });
    },
    expected: ["create d/new", "create d/new/file"],
  },
];

it.each(ROWS)("a new directory is watched even if it changes before it is opened: $name", async (row) => {
  const root = scratch({ "d/old": "" });
  const { watch, all } = await watchOf(root, join(root, "d/new"), () => row.act(root));
  mkdirSync(join(root, "d/new"));
  writeFileSync(join(root, "d/new/file"), "");
  const last = String(row.expected.at(-1));
  await vi.waitUntil(() => all().includes(last), WHILE_BUSY);
  expect(all()).toEqual(row.expected);
  const file = last.split(" ")[1] as string;
  writeFileSync(join(root, file), "more");
  await vi.waitUntil(() => all().length > row.expected.length, WHILE_BUSY);
  expect(all().slice(row.expected.length)).toEqual([`modify ${file}`]);
  watch.end();
});

/** Watches the root, and calls `interfere` the first time that the watch is about to open a place. */
async function watchOf(root: string, place: string, interfere: () => void) {
  let isDone = false;
  const callbacks = {
    checkAccess: () => {},
    mayOpen(opened: SafePath): true {
      if (opened === place && !isDone) {
        isDone = true;
        interfere();
      }
      return true;
    },
    mayHideBelow: () => true,
    deniedBelow: () => [],
    signal: new AbortController().signal,
    progress: () => {},
  };
  const scope = { root: root as SafePath, target: root as SafePath, recursive: true };
  const filter = { scope, types: EVENT_TYPES, pattern: undefined };
  const watch: Watch = await appOn(root).session.workspace.watch(filter, callbacks, { directories: 0 });
  const received: string[] = [];
  const all = (): readonly string[] => {
    for (const { type, from, path } of watch.queue.read().events)
      received.push([type, from, path].filter(Boolean).join(" "));
    return received;
  };
  return { watch, all };
}
