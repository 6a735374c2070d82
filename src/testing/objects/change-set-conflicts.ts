import { deepEqual, equal, match } from "node:assert/strict";
import type { ObjectStore } from "../../storage/objects/object-store.ts";
import {
  at,
  type ChangeFixture,
  changeFixture,
  copy,
  isBackup,
  move,
  remove,
  shownObjects,
  write,
  whenWritten,
  writeForeign,
} from "./change-set-fixture.ts";
import { interfered, type Interference, once } from "./interference.ts";
import type { MakeTexts } from "./object-fixture.ts";
import type { TestFunctions } from "../test-functions.ts";

type It = TestFunctions["it"];

/** Tests change sets that meet somebody else, or a store that fails. */
export function conflictTests(it: It, made: MakeTexts): void {
  writerTests(it, made);
  putBackTests(it, made);
  copyTests(it, made);
  failureTests(it, made);
}

const meeting = (objects: ObjectStore, interference: Interference): ChangeFixture =>
  changeFixture(interfered(objects, interference));

function writerTests(it: It, made: MakeTexts): void {
  it("lets one of three machines win, and tells the others to plan again", async () => {
    const objects = await made({ a: "old" });
    const commits = ["one", "two", "three"].map((text) => meeting(objects, {}).commit(write("a", text, "old")));
    deepEqual((await Promise.all(commits)).toSorted(), ["ok", "stale", "stale"]);
    const [line = "", ...others] = await shownObjects(objects);
    match(line, /^a = (?:one|two|three)$/);
    deepEqual(others, []);
  });

  for (const key of ["a", "b", "c"])
    it(`puts back the others when somebody has written ${key} meanwhile`, async () => {
      const objects = await made({ a: "1", b: "2", c: "3" });
      const before = once("put", key, () => writeForeign(objects, key, "foreign"));
      const { commit, trash, writing } = meeting(objects, { before });
      equal(await commit(write("a", "A"), write("b", "B"), write("c", "C"), write("d", "D")), "stale");
      const left = ["a = 1", "b = 2", "c = 3"].map((line) => (line.startsWith(key) ? `${key} = foreign` : line));
      deepEqual(await shownObjects(objects), left);
      deepEqual([await shownObjects(objects, isBackup), trash()], [[], []]);
      deepEqual(writing.counts(), { changes: 0, pending: 0 });
    });
}

function putBackTests(it: It, made: MakeTexts): void {
  it("keeps what somebody wrote over a change that is put back, and what was there before", async () => {
    const objects = await made({ a: "1", b: "2" });
    const ours = whenWritten(objects, "a");
    const before = once("put", "b", async () => {
      await ours;
      await writeForeign(objects, "a", "foreign");
      await writeForeign(objects, "b", "foreign too");
    });
    const { commit, trash, view } = meeting(objects, { before });
    equal(await commit(write("a", "A"), write("b", "B")), "stale");
    deepEqual(await shownObjects(objects), ["a = foreign", "b = foreign too"]);
    const items = trash();
    deepEqual(
      items.map(({ path, session, bytes }) => ({ path, session, bytes })),
      [{ path: at("a"), session: "recovery", bytes: 1 }],
    );
    for (const { object } of items) equal(Buffer.from((await view().history.contentOf(object)) ?? []).toString(), "1");
  });

  it("does not bring back what somebody has removed", async () => {
    const objects = await made({ a: "1", b: "2" });
    const ours = whenWritten(objects, "a");
    const before = once("put", "b", async () => {
      await ours;
      await writeForeign(objects, "a", null);
      await writeForeign(objects, "b", "foreign");
    });
    const { commit, trash } = meeting(objects, { before });
    equal(await commit(write("a", "A"), write("b", "B")), "stale");
    deepEqual(await shownObjects(objects), ["b = foreign"]);
    deepEqual(
      trash().map(({ path }) => path),
      [at("a")],
    );
  });

  it("does not remove what somebody has written meanwhile", async () => {
    const objects = await made({ a: "1", b: "2" });
    const before = once("remove", "b", () => writeForeign(objects, "b", "foreign"));
    const { commit } = meeting(objects, { before });
    equal(await commit(write("a", "A"), remove("b")), "stale");
    deepEqual(await shownObjects(objects), ["a = 1", "b = foreign"]);
  });
}

function copyTests(it: It, made: MakeTexts): void {
  it("does not copy over what somebody has written meanwhile", async () => {
    const objects = await made({ a: "1" });
    const before = once("put", "b", () => writeForeign(objects, "b", "foreign"));
    equal(await meeting(objects, { before }).commit(copy("a", "b")), "stale");
    deepEqual(await shownObjects(objects), ["a = 1", "b = foreign"]);
  });

  it("removes a copy whose source was changed meanwhile", async () => {
    const objects = await made({ "d/a": "1", "d/b": "2" });
    const before = once("put", "e/b", () => writeForeign(objects, "d/a", "foreign"));
    equal(await meeting(objects, { before }).commit(copy("d", "e")), "stale");
    deepEqual(await shownObjects(objects), ["d/a = foreign", "d/b = 2"]);
  });

  it("leaves a file that came into a directory while it was moved", async () => {
    const objects = await made({ "d/a": "1" });
    const before = once("put", "e/a", () => writeForeign(objects, "d/new", "foreign"));
    equal(await meeting(objects, { before }).commit(move("d", "e")), "ok");
    deepEqual(await shownObjects(objects), ["d/new = foreign", "e/a = 1"]);
  });
}

function failureTests(it: It, made: MakeTexts): void {
  for (const moment of ["before", "after"] as const)
    it(`puts back everything when a call fails ${moment} it was made`, async () => {
      const objects = await made({ a: "1", b: "2" });
      const fail = once("put", "b", () => {
        throw new Error("timed out");
      });
      const { commit, writing } = meeting(objects, { [moment]: fail });
      equal(await commit(write("a", "A"), write("b", "B"), remove("a")), "io");
      deepEqual(await shownObjects(objects), ["a = 1", "b = 2"]);
      deepEqual(await shownObjects(objects, isBackup), []);
      deepEqual(writing.counts(), { changes: 0, pending: 0 });
    });
}
