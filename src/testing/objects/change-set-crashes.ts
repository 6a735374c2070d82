import { deepEqual, equal, ok } from "node:assert/strict";
import type { Key, ObjectStore } from "../../storage/objects/object-store.ts";
import type { State } from "../../storage/state.ts";
import type { Change } from "../../workspace/changes/change.ts";
import {
  changeFixture,
  copy,
  isBackup,
  mkdir,
  move,
  moveOver,
  remove,
  shownObjects,
  write,
  writeForeign,
} from "./change-set-fixture.ts";
import { createLife, interfered, type Life, mortalState } from "./interference.ts";
import type { MakeTexts } from "./object-fixture.ts";
import type { TestFunctions } from "../test-functions.ts";

/** Creates a new state, and returns a function by which one process after the other opens it. */
export type CreateState = () => () => State;

/** A change set that is killed, and the keys that it changes, which somebody else writes before it is recovered. */
export interface CrashCase {
  readonly name: string;
  readonly changes: readonly Change[];
  readonly keys: readonly Key[];
}

export const CRASH_CONTENTS = { a: "one", b: "two", "d/e": "three", "d/f/g": "four" };

export const WRITES_AND_REMOVAL: CrashCase = {
  name: "writes and a removal",
  keys: ["a", "new", "b"],
  changes: [write("a", "ONE"), write("new", "NEW", null), remove("b")],
};

const CASES: readonly CrashCase[] = [
  WRITES_AND_REMOVAL,
  {
    name: "a move of a directory over another",
    keys: ["d/e", "d/f/g", "a/e", "a"],
    changes: [moveOver("d", "a")],
  },
  {
    name: "two files that trade places",
    keys: ["a", "b"],
    changes: [move("a", "c"), move("b", "a"), move("c", "b")],
  },
  {
    name: "a copy, a directory and a removal for good",
    keys: ["c/e", "h/", "b"],
    changes: [copy("d", "c"), mkdir("h"), remove("b", "nowhere")],
  },
];

/** Tests that a change set is whole or undone, once another process has recovered it, wherever the first was killed. */
export function crashTests(it: TestFunctions["it"], made: MakeTexts, createState: CreateState): void {
  for (const each of CASES) {
    it(`makes all or nothing of ${each.name}, killed at any call`, () => wholeAfterDeaths(each, made, createState));
    for (const key of each.keys)
      it(`loses nothing of somebody who writes ${key} before the recovery of ${each.name}`, () =>
        foreignAfterDeaths(each, key, made, createState));
  }
}

async function wholeAfterDeaths({ changes }: CrashCase, made: MakeTexts, createState: CreateState): Promise<void> {
  const states = { false: await unchanged(made), true: await changed(made, changes) };
  const trashed = changes.filter((each) => each.kind === "remove" && each.into === "trash").length;
  const outcomes = new Set<boolean>();
  const deaths = await everyDeath(changes, made, createState, async ({ objects, openState, title }) => {
    const { writing, trash, commit } = changeFixture(objects, openState());
    await writing.ready();
    const isCommitted = writing.counts().changes === 1;
    outcomes.add(isCommitted);
    deepEqual({ title, shown: await shownObjects(objects) }, { title, shown: states[`${isCommitted}`] });
    const backups = isCommitted ? [] : await shownObjects(objects, isBackup);
    const left = { title, backups, pending: writing.counts().pending, trash: trash().length };
    deepEqual(left, { title, backups: [], pending: 0, trash: isCommitted ? trashed : 0 });
    equal(await commit(write("later", "later", null)), "ok");
  });
  ok(deaths > 5);
  deepEqual(outcomes, new Set([false, true]));
}

async function foreignAfterDeaths(
  { changes }: CrashCase,
  key: Key,
  made: MakeTexts,
  createState: CreateState,
): Promise<void> {
  const others = (await unchanged(made)).filter((line) => !line.startsWith(`${key} = `));
  await everyDeath(changes, made, createState, async ({ objects, openState, title }) => {
    await writeForeign(objects, key, "foreign");
    const { writing } = changeFixture(objects, openState());
    await writing.ready();
    const { changes: committed, pending } = writing.counts();
    const shown = await shownObjects(objects);
    deepEqual({ title, pending, isThere: shown.includes(`${key} = foreign`) }, { title, pending: 0, isThere: true });
    if (committed === 0) deepEqual({ title, shown }, { title, shown: [...others, `${key} = foreign`].toSorted() });
  });
}

const unchanged = async (made: MakeTexts): Promise<readonly string[]> => shownObjects(await made(CRASH_CONTENTS));

async function changed(made: MakeTexts, changes: readonly Change[]): Promise<readonly string[]> {
  const objects = await made(CRASH_CONTENTS);
  equal(await changeFixture(objects).commit(...changes), "ok");
  return shownObjects(objects);
}

interface Death {
  readonly objects: ObjectStore;
  readonly openState: () => State;
  readonly title: string;
}

/** Calls `check` after each death, until the process lives to the end. Returns how many calls it made. */
async function everyDeath(
  changes: readonly Change[],
  made: MakeTexts,
  createState: CreateState,
  check: (death: Death) => Promise<void>,
): Promise<number> {
  for (let deadline = 1; ; deadline++) {
    for (const when of ["before", "after"] as const) {
      const objects = await made(CRASH_CONTENTS);
      const openState = createState();
      if (!(await isKilled(objects, openState(), changes, createLife(deadline, when)))) return deadline;
      await check({ objects, openState, title: `${when} call ${deadline}` });
    }
  }
}

/** Makes the changes with a process that dies at one of its calls. Returns whether it died. */
export async function isKilled(
  objects: ObjectStore,
  state: State,
  changes: readonly Change[],
  life: Life,
): Promise<boolean> {
  await changeFixture(interfered(objects, life), mortalState(state, life)).commit(...changes);
  return life.isDead();
}
