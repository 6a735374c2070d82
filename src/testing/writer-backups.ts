import { deepEqual, equal, ok } from "node:assert/strict";
import type { ObjectName } from "../storage/writer.ts";
import type { SafePath } from "../storage/storage.ts";
import type { Changeable } from "./writer.ts";
import { codeOf } from "./picture.ts";
import type { TestFunctions } from "./test-functions.ts";
import { writerOf } from "./writer-row.ts";

const TREE = ["dir/below/deep", "dir/beside", "dir/link => below", "file = old", "../outside/secret"];

const ALL = ["", "below", "below/deep", "beside", "link"];

/** Tests what every storage promises of trees: their entries can be listed, and read in the store as well. */
export function backupTreeSuite({ describe, it }: TestFunctions, name: string, make: Make): void {
  const fixture = () => fixtureOf(make(TREE));
  describe(`Backup trees: ${name}`, () => {
    listTests(it, fixture);
    readTests(it, fixture);
  });
}

type Make = (tree: readonly string[]) => Changeable;
type It = TestFunctions["it"];
type Fixture = () => ReturnType<typeof fixtureOf>;

function fixtureOf({ storage }: Changeable) {
  const writer = writerOf(storage);
  const at = (path: string): SafePath => `${storage.roots[0]}/${path}` as SafePath;
  const object = writer.objectFor(at("dir"), "objects", "a");
  const within = (path: string): ObjectName => `${object}/${path}` as ObjectName;
  return { writer, at, object, within };
}

function listTests(it: It, fixture: Fixture): void {
  it("lists a tree, in the workspace and in the store, without excluded entries", () => {
    const { writer, at, object } = fixture();
    const names = (isExcluded = (_way: string): boolean => false) =>
      [at("dir"), object].map((place) => [...(writer.entriesIn(place, 5, isExcluded)?.keys() ?? [])].toSorted());
    deepEqual(names(), [ALL, []]);
    writer.move(at("dir"), object, "new");
    deepEqual(names(), [[], ALL]);
    deepEqual(
      names((path) => path === "below"),
      [[], ["", "beside", "link"]],
    );
    deepEqual([...(writer.entriesIn(at("file"), 1, () => false)?.keys() ?? [])], [""]);
  });

  it("lists nothing of a tree with more entries than it may have", () => {
    const { writer, at } = fixture();
    deepEqual(
      [4, 5].map((most) => writer.entriesIn(at("dir"), most, () => false)?.size),
      [undefined, 5],
    );
  });
}

function readTests(it: It, fixture: Fixture): void {
  it("reads entries of a stored tree, by their relative paths", () => {
    const { writer, at, object, within } = fixture();
    const before = writer.snapshot(at("dir/below/deep"));
    writer.move(at("dir"), object, "new");
    const now = writer.snapshot(within("below/deep"));
    deepEqual([now?.version, now?.facts.identity], [before?.version, before?.facts.identity]);
    equal(Buffer.from(writer.contentOf(within("beside")) ?? []).toString(), "dir/beside");
    deepEqual(
      [within("below"), within("nope"), within("nope/deep")].map((place) => writer.stat(place)?.kind),
      ["directory", undefined, undefined],
    );
  });

  it("copies out of a stored tree, and takes over the mode of its entries", async () => {
    const { writer, at, object, within } = fixture();
    writer.setMode(at("dir/beside"), 0o600);
    writer.move(at("dir"), object, "new");
    await writer.stage(at("copy"), { copyOf: within("below") }, {});
    await writer.stage(at("like"), { bytes: Buffer.from("x") }, { like: within("beside") });
    deepEqual([writer.stat(at("copy/deep"))?.kind, writer.stat(at("like"))?.mode], ["file", 0o600]);
  });

  for (const path of ["link/deep", "beside/deep", "../a/beside", "./beside", ""])
    it(`goes nowhere by ${JSON.stringify(path)}`, async () => {
      const { writer, at, object, within } = fixture();
      writer.move(at("dir"), object, "new");
      const given = await Promise.resolve()
        .then(() => writer.stat(within(path)))
        .catch(codeOf);
      ok([null, "invalid_input", "swapped"].some((each) => each === given));
    });
}
