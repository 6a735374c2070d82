import { AssertionError } from "node:assert";
import { expect, it } from "vitest";
import { memoryObjects } from "../../src/storage/objects/memory-objects.ts";
import { changeSetSuite } from "../../src/testing/objects/change-sets.ts";
import type { MakeObjects } from "../../src/testing/objects/object-fixture.ts";
import { objectStoreSuite } from "../../src/testing/objects/object-store.ts";
import { LISTING } from "./broken-stores/listing.ts";
import { RACING } from "./broken-stores/racing.ts";
import { READING } from "./broken-stores/reading.ts";
import { REMOVING } from "./broken-stores/removing.ts";
import { WRITING } from "./broken-stores/writing.ts";
import { runRow } from "./run-row.ts";
import type { BrokenStore } from "./broken-stores/broken-store.ts";

const BROKEN_STORES = [...READING, ...WRITING, ...REMOVING, ...RACING, ...LISTING];

const makeBroken =
  ({ broken }: BrokenStore): MakeObjects =>
  (contents) => {
    const objects = memoryObjects(contents);
    return { ...objects, ...broken(objects) };
  };

it.each(BROKEN_STORES)("a store that $fault fails: $row", async (store) => {
  const ran = runRow((functions) => objectStoreSuite(functions, "broken", makeBroken(store)), store.row);
  await expect(ran).rejects.toThrow(AssertionError);
});

it.each([
  { fault: "ignores preconditions", row: "puts back the others when somebody has written b meanwhile" },
  { fault: "ignores the precondition of a copy", row: "does not copy over what somebody has written meanwhile" },
  { fault: "removes whatever is there", row: "does not remove what somebody has written meanwhile" },
  {
    fault: "checks, then writes: two writers",
    row: "lets one of three machines win, and tells the others to plan again",
  },
  { fault: "copies by reference", row: "makes, undoes and makes again: a new content" },
  { fault: "stores no markers", row: "makes, undoes and makes again: a directory without entries" },
  {
    fault: "removes directories that have become empty",
    row: "makes, undoes and makes again: a new file in new directories",
  },
  { fault: "lists all as they were before a removal", row: "restores from the trash what was removed" },
  {
    fault: "answers a write with the tag before it",
    row: "makes all or nothing of writes and a removal, killed at any call",
  },
])("a change set in a store that $fault fails: $row", async ({ fault, row }) => {
  const store = BROKEN_STORES.find((each) => each.fault === fault) as BrokenStore;
  const ran = runRow((functions) => changeSetSuite(functions, "broken", makeBroken(store)), row);
  await expect(ran).rejects.toThrow(AssertionError);
});
