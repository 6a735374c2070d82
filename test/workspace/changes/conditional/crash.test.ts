import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createState } from "../../../../src/storage/local/state/state.ts";
import { memoryObjects } from "../../../../src/storage/objects/memory-objects.ts";
import {
  CRASH_CONTENTS,
  crashTests,
  isKilled,
  WRITES_AND_REMOVAL,
} from "../../../../src/testing/objects/change-set-crashes.ts";
import { changeFixture, shownObjects } from "../../../../src/testing/objects/change-set-fixture.ts";
import { createLife, interfered, mortalState } from "../../../../src/testing/objects/interference.ts";
import { withTexts } from "../../../../src/testing/objects/object-fixture.ts";
import { scratch } from "../../../runtime/scratch.ts";

const made = withTexts(memoryObjects);
const { changes } = WRITES_AND_REMOVAL;

describe("a process killed while its journal is on the disk", () => {
  crashTests(it, made, () => {
    const stateHome = join(scratch(), "state");
    return () => createState(stateHome);
  });
});

const before = async () => shownObjects(await made(CRASH_CONTENTS));

it("is recovered by a third process when the second is killed as well", async () => {
  for (let deadline = 1, isDead = true; isDead; deadline++) {
    const objects = await made(CRASH_CONTENTS);
    const stateHome = join(scratch(), "state");
    await isKilled(objects, createState(stateHome), changes, createLife(LAST_PUT, "after"));
    const life = createLife(deadline, deadline % 2 ? "before" : "after");
    await changeFixture(interfered(objects, life), mortalState(createState(stateHome), life)).writing.ready();
    isDead = life.isDead();
    const { writing, trash } = changeFixture(objects, createState(stateHome));
    await writing.ready();
    const left = { deadline, shown: await shownObjects(objects), trash: trash() };
    expect(left).toEqual({ deadline, shown: await before(), trash: [] });
  }
});

/** The call that removes the last object of the first case, before anything is recorded. */
const LAST_PUT = 13;

/** Returns when a process started, as the kernel tells it. */
const startOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")[19] ?? "";

it("is recovered from a process that has exited, and left alone while it lives", async () => {
  const objects = await made(CRASH_CONTENTS);
  const stateHome = join(scratch(), "state");
  await isKilled(objects, createState(stateHome), changes, createLife(8, "after"));
  const half = await shownObjects(objects);
  const { directory } = createState(stateHome);
  const [name = ""] = readdirSync(join(directory, "pending-puts"));
  const [tag, boot, namespace] = name.split(".");
  const rename = (from: string, to: string): void =>
    renameSync(join(directory, "pending-puts", from), join(directory, "pending-puts", to));
  const living = `${tag}.${boot}.${namespace}.${process.ppid}.${startOf(process.ppid)}`;
  rename(name, living);
  await changeFixture(objects, createState(stateHome)).writing.ready();
  expect(await shownObjects(objects)).toEqual(half);
  rename(living, `${tag}.${boot}.${namespace}.${process.ppid}.1`);
  await changeFixture(objects, createState(stateHome)).writing.ready();
  expect(await shownObjects(objects)).toEqual(await before());
});
