import { deepEqual, equal } from "node:assert/strict";
import { createMemoryState } from "../../storage/memory/state.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { conflictTests } from "./change-set-conflicts.ts";
import { crashTests } from "./change-set-crashes.ts";
import {
  append,
  at,
  changeFixture,
  copy,
  isBackup,
  mkdir,
  move,
  moveOver,
  remove,
  shownObjects,
  write,
} from "./change-set-fixture.ts";
import { type MakeObjects, type MakeTexts, withTexts } from "./object-fixture.ts";
import type { TestFunctions } from "../test-functions.ts";

/**
 * Tests whole change sets on a storage that `objectStorage` makes of a store: they are made, undone, refused when
 * somebody else writes meanwhile, and recovered when the process is killed at any of its calls. `make` returns a new
 * store with these objects; the suite makes some hundred. The journal is in memory, so no file is written.
 */
export function changeSetSuite({ describe, it }: TestFunctions, name: string, make: MakeObjects): void {
  const made = withTexts(make);
  describe(`Change sets: ${name}`, () => {
    undoTests(it, made);
    trashTests(it, made);
    conflictTests(it, made);
    crashTests(it, made, () => {
      const state = createMemoryState();
      return () => state;
    });
  });
}

type It = TestFunctions["it"];

const CONTENTS = { a: "one\ntwo\n", "d/b": "b", "d/e/c": "c", "empty/": "" };
const BEFORE = ["a = one\ntwo\n", "d/b = b", "d/e/c = c", "empty/ = "];

interface Row {
  readonly name: string;
  readonly changes: readonly Change[];
  /** Lists the objects that go, and those that come. */
  readonly minus?: readonly string[];
  readonly plus?: readonly string[];
}

const ROWS: readonly Row[] = [
  { name: "a new file", changes: [write("new", "n", null)], plus: ["new = n"] },
  {
    name: "a new file in new directories",
    changes: [mkdir("x"), mkdir("x/y"), write("x/y/new", "n", null)],
    plus: ["x/ = ", "x/y/ = ", "x/y/new = n"],
  },
  { name: "a new content", changes: [write("d/b", "B", "b")], minus: ["d/b = b"], plus: ["d/b = B"] },
  {
    name: "an append",
    changes: [append("a", "three\n")],
    minus: ["a = one\ntwo\n"],
    plus: ["a = one\ntwo\nthree\n"],
  },
  { name: "a directory without entries", changes: [mkdir("made")], plus: ["made/ = "] },
  {
    name: "a move of a file",
    changes: [move("a", "d/a")],
    minus: ["a = one\ntwo\n"],
    plus: ["d/a = one\ntwo\n"],
  },
  {
    name: "a move over another file",
    changes: [moveOver("a", "d/b")],
    minus: ["a = one\ntwo\n", "d/b = b"],
    plus: ["d/b = one\ntwo\n"],
  },
  {
    name: "a move of a directory",
    changes: [move("d", "f")],
    minus: ["d/b = b", "d/e/c = c"],
    plus: ["f/b = b", "f/e/c = c"],
  },
  {
    name: "a move of a directory without entries",
    changes: [move("empty", "f")],
    minus: ["empty/ = "],
    plus: ["f/ = "],
  },
  { name: "a copy of a file", changes: [copy("d/b", "g")], plus: ["g = b"] },
  { name: "a copy of a directory", changes: [copy("d", "f")], plus: ["f/b = b", "f/e/c = c"] },
  { name: "a removal of a file", changes: [remove("a")], minus: ["a = one\ntwo\n"] },
  { name: "a removal of a directory", changes: [remove("d")], minus: ["d/b = b", "d/e/c = c"] },
  { name: "a removal of a directory without entries", changes: [remove("empty")], minus: ["empty/ = "] },
  {
    name: "many changes in one set",
    changes: [
      move("a", "swap"),
      move("d/b", "a"),
      move("swap", "d/b"),
      write("d/e/c", "C", "c"),
      copy("d/e/c", "h"),
      remove("empty"),
    ],
    minus: ["a = one\ntwo\n", "d/b = b", "d/e/c = c", "empty/ = "],
    plus: ["a = b", "d/b = one\ntwo\n", "d/e/c = C", "h = C"],
  },
];

function undoTests(it: It, made: MakeTexts): void {
  for (const { name, changes, minus = [], plus = [] } of ROWS)
    it(`makes, undoes and makes again: ${name}`, async () => {
      const objects = await made(CONTENTS);
      const { commit, undo, writing } = changeFixture(objects);
      const after = [...BEFORE.filter((line) => !minus.includes(line)), ...plus].toSorted();
      equal(await commit(...changes), "ok");
      deepEqual(await shownObjects(objects), after);
      equal(await undo(), "ok");
      deepEqual(await shownObjects(objects), BEFORE);
      equal(await undo(), "ok");
      deepEqual(await shownObjects(objects), after);
      deepEqual(writing.counts(), { changes: 3, pending: 0 });
    });
}

function trashTests(it: It, made: MakeTexts): void {
  it("restores from the trash what was removed", async () => {
    const objects = await made(CONTENTS);
    const { commit, trash } = changeFixture(objects);
    for (const key of ["a", "d", "empty"]) equal(await commit(remove(key)), "ok");
    deepEqual(await shownObjects(objects), []);
    const items = trash();
    deepEqual(items.map(({ path }) => path).toSorted(), [at("a"), at("d"), at("empty")]);
    for (const { object, path } of items) equal(await commit({ kind: "restore", object, path, replaces: null }), "ok");
    deepEqual(await shownObjects(objects), BEFORE);
    deepEqual([trash(), await shownObjects(objects, (key) => isBackup(key) && key.includes("/trash/"))], [[], []]);
  });

  it("keeps no backup of what is removed for good", async () => {
    const objects = await made(CONTENTS);
    equal(await changeFixture(objects).commit(remove("d", "nowhere")), "ok");
    deepEqual(await shownObjects(objects), ["a = one\ntwo\n", "empty/ = "]);
    deepEqual(await shownObjects(objects, isBackup), []);
  });
}
