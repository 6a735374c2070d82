import { join } from "node:path";
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createState } from "../../../../src/storage/local/state/state.ts";
import { objectStorage } from "../../../../src/storage/objects/object-storage.ts";
import type { ObjectStore } from "../../../../src/storage/objects/object-store.ts";
import type { Change } from "../../../../src/workspace/changes/change.ts";
import { OBJECT_ROOT, objectLayout } from "../../../layout.ts";
import { scratch } from "../../../runtime/scratch.ts";
import { workspaceOn } from "../../storages.ts";
import { createLife, interfered, mortalState } from "./interference.ts";
import { ACCESS, at, HOW, isBackup, objectScene, pendingIn, shownObjects, writeForeign } from "./object-scene.ts";

const TREE = ["a = one", "b = two", "d/e = three", "d/f/g = four"];

interface Case {
  readonly name: string;
  readonly changes: readonly Change[];
  /** The keys that it writes or removes, which somebody else writes meanwhile. */
  readonly keys: readonly string[];
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

const CASES: readonly Case[] = [
  {
    name: "writes and a removal",
    keys: ["a", "new", "b"],
    changes: [
      { kind: "write", path: at("a"), content: bytes("ONE") },
      { kind: "write", path: at("new"), content: bytes("NEW"), expect: null },
      { kind: "remove", path: at("b"), into: "trash" },
    ],
  },
  {
    name: "a move of a directory over another",
    keys: ["d/e", "d/f/g", "a/e", "a"],
    changes: [{ kind: "move", path: at("d"), to: at("a"), replaces: undefined }],
  },
  {
    name: "two files that trade places",
    keys: ["a", "b"],
    changes: [
      { kind: "move", path: at("a"), to: at("c"), replaces: null },
      { kind: "move", path: at("b"), to: at("a"), replaces: null },
      { kind: "move", path: at("c"), to: at("b"), replaces: null },
    ],
  },
  {
    name: "a copy, a directory and a removal for good",
    keys: ["c/e", "h/", "b"],
    changes: [
      { kind: "copy", path: at("d"), to: at("c"), replaces: null },
      { kind: "mkdir", path: at("h") },
      { kind: "remove", path: at("b"), into: "nowhere" },
    ],
  },
];

/** Makes the changes with a process that dies at one of its calls. Returns whether it died. */
async function isKilled(objects: ObjectStore, stateHome: string, changes: readonly Change[], life: Life) {
  const storage = objectStorage(interfered(objects, life)).mount(OBJECT_ROOT);
  const workspace = workspaceOn(storage, mortalState(createState(stateHome), life));
  await workspace.writing?.commit({ changes }, HOW).catch(() => {});
  return life.isDead();
}

type Life = ReturnType<typeof createLife>;

/** Calls `check` after each death, until the process lives to the end. */
async function everyDeath(changes: readonly Change[], check: (death: Death) => Promise<void>): Promise<number> {
  for (let deadline = 1; ; deadline++) {
    for (const when of ["before", "after"] as const) {
      const objects = objectLayout(TREE);
      const stateHome = join(scratch(), "state");
      if (!(await isKilled(objects, stateHome, changes, createLife(deadline, when)))) return deadline;
      await check({ objects, stateHome, title: `${when} call ${deadline}` });
    }
  }
}

interface Death {
  readonly objects: ObjectStore;
  readonly stateHome: string;
  readonly title: string;
}

async function afterwards(changes: readonly Change[]): Promise<readonly string[]> {
  const objects = objectLayout(TREE);
  await objectScene(objects).workspace.writing?.commit({ changes }, HOW);
  return shownObjects(objects);
}

const before = () => shownObjects(objectLayout(TREE));

describe.each(CASES)("a process killed while it makes $name", ({ changes, keys }) => {
  it("has made all or nothing, once another has recovered it", async () => {
    const states = { false: await before(), true: await afterwards(changes) };
    const outcomes = new Set<boolean>();
    const deaths = await everyDeath(changes, async ({ objects, stateHome, title }) => {
      const { workspace, call } = objectScene(objects, stateHome);
      await workspace.writing?.ready();
      const isCommitted = workspace.writing?.counts().changes === 1;
      outcomes.add(isCommitted);
      expect({ title, shown: await shownObjects(objects) }).toEqual({ title, shown: states[`${isCommitted}`] });
      expect({ title, pending: pendingIn(stateHome) }).toEqual({ title, pending: [] });
      const kept = await shownObjects(objects, isBackup);
      expect({ title, kept: isCommitted ? [] : kept }).toEqual({ title, kept: [] });
      expect(workspace.view(ACCESS).history.trash().length).toBe(
        isCommitted ? changes.filter((change) => change.kind === "remove" && change.into === "trash").length : 0,
      );
      expect((await call("write", { path: "later", content: "later" })).code).toBe("ok");
    });
    expect(deaths).toBeGreaterThan(5);
    expect(outcomes).toEqual(new Set([false, true]));
  });

  it.each(keys)("loses nothing of somebody who writes %s before the recovery", async (key) => {
    await everyDeath(changes, async ({ objects, stateHome, title }) => {
      await writeForeign(objects, key, "foreign");
      const { workspace } = objectScene(objects, stateHome);
      await workspace.writing?.ready();
      const shown = await shownObjects(objects);
      expect({ title, shown }).toEqual({ title, shown: expect.arrayContaining([`${key} = foreign`]) });
      expect(pendingIn(stateHome)).toEqual([]);
      if (workspace.writing?.counts().changes === 1) return;
      const others = (await before()).filter((line) => !line.startsWith(`${key} = `));
      expect({ title, shown }).toEqual({ title, shown: [...others, `${key} = foreign`].toSorted() });
    });
  });
});

it("is recovered by a third process when the second is killed as well", async () => {
  const [{ changes }] = CASES as [Case];
  for (let deadline = 1, isDead = true; isDead; deadline++) {
    const objects = objectLayout(TREE);
    const stateHome = join(scratch(), "state");
    await isKilled(objects, stateHome, changes, createLife(LAST_PUT, "after"));
    const life = createLife(deadline, deadline % 2 ? "before" : "after");
    const storage = objectStorage(interfered(objects, life)).mount(OBJECT_ROOT);
    const second = workspaceOn(storage, mortalState(createState(stateHome), life));
    await second.writing?.ready();
    isDead = life.isDead();
    const third = objectScene(objects, stateHome);
    await third.workspace.writing?.ready();
    const trash = third.workspace.view(ACCESS).history.trash();
    expect({ deadline, shown: await shownObjects(objects), trash }).toEqual({
      deadline,
      shown: await before(),
      trash: [],
    });
  }
});

/** The call that removes the last object of the first case, before anything is recorded. */
const LAST_PUT = 11;

/** Returns when a process started, as the kernel tells it. */
const startOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")[19] ?? "";

it("is recovered from a process that has exited, and left alone while it lives", async () => {
  const [{ changes }] = CASES as [Case];
  const objects = objectLayout(TREE);
  const stateHome = join(scratch(), "state");
  await isKilled(objects, stateHome, changes, createLife(6, "after"));
  const half = await shownObjects(objects);
  const { directory } = createState(stateHome);
  const [name = ""] = readdirSync(join(directory, "pending-puts"));
  const [tag, boot, namespace] = name.split(".");
  const rename = (from: string, to: string): void =>
    renameSync(join(directory, "pending-puts", from), join(directory, "pending-puts", to));
  const living = `${tag}.${boot}.${namespace}.${process.ppid}.${startOf(process.ppid)}`;
  rename(name, living);
  await objectScene(objects, stateHome).workspace.writing?.ready();
  expect(await shownObjects(objects)).toEqual(half);
  rename(living, `${tag}.${boot}.${namespace}.${process.ppid}.1`);
  await objectScene(objects, stateHome).workspace.writing?.ready();
  expect(await shownObjects(objects)).toEqual(await before());
});
