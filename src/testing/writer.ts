import { deepEqual, equal, notEqual, ok, throws } from "node:assert/strict";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { versionOfBytes } from "../base/version.ts";
import type { ObjectName, Place } from "../storage/writer.ts";
import type { Facts, SafePath, Storage } from "../storage/storage.ts";
import { MAKING } from "./writer-making.ts";
import { MOVING } from "./writer-moving.ts";
import { type WriterFixture, type Row, writerOf } from "./writer-row.ts";
import { attempt, pictureOf, withoutAccess } from "./picture.ts";
import type { TestFunctions } from "./test-functions.ts";

const TREE = [
  "dir/below/deep",
  "dir/beside",
  "empty/",
  "file = old",
  "link => file",
  "other",
  "out => ../outside",
  "to-dir => dir",
  "to-nothing => nope",
  "../outside/secret",
];

/** The same tree as `pictureOf` shows it. */
const SEEN = [
  "dir/",
  "dir/below/",
  "dir/below/deep = dir/below/deep",
  "dir/beside = dir/beside",
  "empty/",
  "file = old",
  "link => file",
  "other = other",
  "out => outside_workspace",
  "to-dir => dir",
  "to-nothing => undefined",
];

/** A storage that can be changed, with everything that lies beside its root, as text. */
export interface Changeable {
  readonly storage: Storage;
  outside(): unknown;
}

type Make = (tree: readonly string[]) => Changeable;

/** Tests what every storage with a `StorageWriter` promises. */
export function writerSuite(test: TestFunctions, name: string, make: Make): void {
  test.describe(`StorageWriter: ${name}`, () => {
    rows(test, make);
    refusals(test, make);
    facts(test, make);
    versions(test, make);
    fingerprints(test, make);
    times(test, make);
    objects(test, make);
    interruptions(test, make);
  });
}

function rows({ it }: TestFunctions, make: Make): void {
  for (const { name, act, gives, minus = [], plus = [], kept = {} } of [...MAKING, ...MOVING] as readonly Row[])
    it(name, async () => {
      const { storage, outside } = make(TREE);
      const [fixture, before] = [fixtureOf(storage), outside()];
      const given = await attempt(() => act(fixture));
      deepEqual(
        { given, tree: await pictureOf(storage), outside: outside(), kept: storedObjects(fixture) },
        {
          given: gives,
          tree: [...SEEN.filter((line) => !minus.includes(line)), ...plus].toSorted(),
          outside: before,
          kept,
        },
      );
    });
}

function fixtureOf(storage: Storage): WriterFixture {
  const writer = writerOf(storage);
  const [root] = storage.roots;
  const at = (path: string): SafePath =>
    (path.startsWith("/") ? path : path === "" ? root : `${root}/${path}`) as SafePath;
  return { writer, at, object: (name) => writer.objectFor(at(""), "objects", name) };
}

/** Reads the objects that rows store, which have only these names. */
const storedObjects = ({ writer, object }: WriterFixture): Record<string, string> =>
  Object.fromEntries(
    ["a", "b"].flatMap((name) => {
      const content = writer.contentOf(object(name));
      const kind = writer.stat(object(name))?.kind;
      if (content) return [[name, Buffer.from(content).toString()]];
      return kind === undefined ? [] : [[name, kind]];
    }),
  );

/** Lists places where no operation may act; "nothing" is fine for those that only read or remove. */
const PLACES = [
  { place: "", gives: "outside_workspace" },
  { place: "/", gives: "outside_workspace" },
  { place: "/somewhere/else", gives: "outside_workspace" },
  { place: "$UP/outside/secret", gives: "outside_workspace" },
  { place: "$UP/ROOTS", gives: "outside_workspace" },
  { place: "..", gives: "invalid_input" },
  { place: ".", gives: "invalid_input" },
  { place: "dir/", gives: "invalid_input" },
  { place: "dir/.", gives: "invalid_input" },
  { place: "dir/..", gives: "invalid_input" },
  { place: "dir//beside", gives: "invalid_input" },
  { place: "dir/../file", gives: "invalid_input" },
  { place: "../outside/secret", gives: "invalid_input" },
  { place: "to-dir/beside", gives: "swapped" },
  { place: "to-dir/new", gives: "swapped" },
  { place: "to-dir/below/deep", gives: "swapped" },
  { place: "to-dir/nope/deep", gives: "swapped" },
  { place: "link/below", gives: "swapped" },
  { place: "to-nothing/below", gives: "swapped" },
  { place: "out/secret", gives: "swapped" },
  { place: "out/new", gives: "swapped" },
  { place: "nope/below", gives: "not_found", isNothing: true },
  { place: "nope/below/deep", gives: "not_found", isNothing: true },
  { place: "file/below", gives: "not_a_directory", isNothing: true },
  { place: "file/below/deep", gives: "not_a_directory", isNothing: true },
];

const bytes = Buffer.from("new");

/** Lists every operation that takes a path, and its result when nothing can be there. */
const USES: Readonly<Record<string, { use: (fixture: WriterFixture, path: SafePath) => unknown; nothing?: unknown }>> =
  {
    stat: { use: ({ writer }, path) => writer.stat(path), nothing: null },
    snapshot: { use: ({ writer }, path) => writer.snapshot(path), nothing: null },
    hasParent: { use: ({ writer }, path) => writer.hasParent(path), nothing: false },
    isEmpty: { use: ({ writer }, path) => writer.isEmpty(path), nothing: true },
    contentOf: { use: ({ writer }, path) => writer.contentOf(path), nothing: null },
    fingerprint: { use: ({ writer }, path) => writer.fingerprint(path, Infinity), nothing: null },
    stage: { use: ({ writer }, path) => writer.stage(path, { bytes }, {}) },
    "stage a copy": { use: ({ writer, at }, path) => writer.stage(path, { copyOf: at("dir") }, {}) },
    "copy from": { use: ({ writer, at }, path) => writer.stage(at("new"), { copyOf: path }, {}) },
    like: { use: ({ writer, at }, path) => writer.stage(at("new"), { bytes }, { like: path }) },
    "move from": { use: ({ writer, at }, path) => writer.move(path, at("new"), "new") },
    "move from, over": { use: ({ writer, at }, path) => writer.move(path, at("file"), "over") },
    "move to": { use: ({ writer, at }, path) => writer.move(at("file"), path, "new") },
    "move to, over": { use: ({ writer, at }, path) => writer.move(at("file"), path, "over") },
    "move a directory": { use: ({ writer, at }, path) => writer.move(at("empty"), path, "new") },
    exchange: { use: ({ writer, at }, path) => writer.exchange(path, at("file")) },
    "exchange with": { use: ({ writer, at }, path) => writer.exchange(at("file"), path) },
    backUp: { use: ({ writer, object }, path) => writer.backUp(path, object("a")) },
    isSameDisk: { use: ({ writer, at }, path) => writer.isSameDisk(at("file"), path) },
    makeDirectory: { use: ({ writer }, path) => writer.makeDirectory(path) },
    setMode: { use: ({ writer }, path) => writer.setMode(path, 0o600) },
    append: { use: ({ writer }, path) => writer.append(path, bytes, 6) },
    truncate: { use: ({ writer }, path) => writer.truncate(path, 0) },
    remove: { use: ({ writer }, path) => writer.remove(path), nothing: undefined },
    erase: { use: ({ writer }, path) => writer.erase(path), nothing: undefined },
  };

function refusals({ it }: TestFunctions, make: Make): void {
  for (const { place, gives, isNothing } of PLACES)
    it(`touches nothing that is not a real path inside: ${place}`, async () => {
      const { storage, outside } = make(TREE);
      const fixture = fixtureOf(storage);
      const path = fixture.at(place.replace("$UP", fixture.at("").replace(/\/ROOT$/, "")));
      const before = outside();
      const given: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const [name, { use, ...rest }] of Object.entries(USES)) {
        given[name] = await attempt(() => use(fixture, path));
        expected[name] = isNothing && "nothing" in rest ? rest.nothing : gives;
      }
      deepEqual(
        { given, tree: await pictureOf(storage), outside: outside(), kept: storedObjects(fixture) },
        {
          given: expected,
          tree: SEEN,
          outside: before,
          kept: {},
        },
      );
    });
}

function facts({ it }: TestFunctions, make: Make): void {
  for (const path of ["file", "dir", "dir/below/deep", "link", "to-dir", "out"])
    it(`returns the facts of ${path} itself`, async () => {
      const { storage } = make(TREE);
      const { writer, at } = fixtureOf(storage);
      // Reading a link changes its access time.
      const looked = withoutAccess((await storage.stat(at(path), "keep")) as Facts);
      deepEqual([writer.stat(at(path)) as Facts, writer.snapshot(at(path))?.facts as Facts].map(withoutAccess), [
        looked,
        looked,
      ]);
    });

  it("knows whether the parent directory exists", () => {
    const { writer, at } = fixtureOf(make(TREE).storage);
    deepEqual(
      ["file", "nope", "dir/nope", "nope/x", "file/x"].map((path) => writer.hasParent(at(path))),
      [true, true, true, false, false],
    );
  });

  it("returns what an exchange put at the first place", () => {
    const { writer, at, object } = fixtureOf(make(TREE).storage);
    const other = writer.stat(at("other"))?.identity;
    const found = writer.exchange(at("file"), at("other"));
    deepEqual([found, (found as Facts).identity], [writer.stat(at("file")), other]);
    writer.move(at("file"), object("a"), "new");
    deepEqual(writer.exchange(object("a"), at("other")), writer.stat(object("a")));
  });

  it("keeps the identity of moved objects, and gives copies another", async () => {
    const { writer, at, object } = fixtureOf(make(TREE).storage);
    const identityAt = (place: Place) => writer.stat(place)?.identity;
    const [file, dir, link] = ["file", "dir", "link"].map((path) => identityAt(at(path)));
    writer.move(at("file"), object("a"), "new");
    writer.move(at("dir"), at("moved"), "new");
    writer.move(at("link"), at("other"), "over");
    await writer.stage(at("copy"), { copyOf: at("moved") }, {});
    deepEqual([identityAt(object("a")), identityAt(at("moved")), identityAt(at("other"))], [file, dir, link]);
    ok(![file, dir, link].includes(identityAt(at("copy"))));
  });
}

function versions({ it }: TestFunctions, make: Make): void {
  it("versions small files by their content, as readers see it", async () => {
    const { writer, at, object } = fixtureOf(make(TREE).storage);
    writer.backUp(at("file"), object("a"));
    const version = versionOfBytes(Buffer.from("old"));
    deepEqual([writer.snapshot(at("file"))?.version, writer.snapshot(object("a"))?.version], [version, version]);
  });

  const large = Buffer.alloc(LIMITS.hashedBytes + 1);
  const changes: readonly { readonly name: string; change(fixture: WriterFixture): unknown }[] = [
    { name: "append", change: ({ writer, at }) => writer.append(at("large"), bytes, large.length) },
    { name: "truncate", change: ({ writer, at }) => writer.truncate(at("large"), large.length - 1) },
    { name: "setMode", change: ({ writer, at }) => writer.setMode(at("large"), 0o600) },
    {
      name: "move over",
      change: async ({ writer, at }) => {
        await writer.stage(at("new"), { copyOf: at("large") }, { keepTimes: true });
        writer.move(at("new"), at("large"), "over");
      },
    },
  ];
  for (const { name, change } of changes)
    it(`gives a large file another version after ${name}`, async () => {
      const fixture = fixtureOf(make(TREE).storage);
      const { writer, at } = fixture;
      await writer.stage(at("large"), { bytes: large }, {});
      const before = writer.snapshot(at("large"))?.version;
      equal(writer.snapshot(at("large"))?.version, before);
      await nextClockTick(fixture);
      await change(fixture);
      notEqual(writer.snapshot(at("large"))?.version, before);
    });
}

const TREE_CHANGES: readonly { readonly name: string; change(fixture: WriterFixture): unknown }[] = [
  { name: "a new file", change: ({ writer, at }) => writer.stage(at("dir/below/new"), { bytes }, {}) },
  { name: "a new directory", change: ({ writer, at }) => writer.makeDirectory(at("dir/below/new")) },
  { name: "a lost file", change: ({ writer, at }) => writer.remove(at("dir/below/deep")) },
  { name: "a longer file", change: ({ writer, at }) => writer.append(at("dir/below/deep"), bytes, 14) },
  { name: "another mode", change: ({ writer, at }) => writer.setMode(at("dir/below/deep"), 0o600) },
  { name: "another name", change: ({ writer, at }) => writer.move(at("dir/beside"), at("dir/beside2"), "new") },
  { name: "another file", change: ({ writer, at }) => writer.move(at("other"), at("dir/beside"), "over") },
];

function fingerprints({ it }: TestFunctions, make: Make): void {
  for (const { name, change } of TREE_CHANGES)
    it(`gives a tree another fingerprint after ${name}`, async () => {
      const fixture = fixtureOf(make(TREE).storage);
      const { writer, at } = fixture;
      const before = [writer.fingerprint(at("dir"), Infinity), writer.fingerprint(at("empty"), Infinity)];
      deepEqual([writer.fingerprint(at("dir"), Infinity), writer.fingerprint(at("empty"), Infinity)], before);
      await nextClockTick(fixture);
      await change(fixture);
      notEqual(writer.fingerprint(at("dir"), Infinity), before[0]);
      equal(writer.fingerprint(at("empty"), Infinity), before[1]);
    });
}

function times({ it }: TestFunctions, make: Make): void {
  for (const path of ["file", "dir", "link"])
    it(`keeps the times of a copied ${path} only when asked to`, async () => {
      const fixture = fixtureOf(make(TREE).storage);
      const { writer, at, object } = fixture;
      await nextClockTick(fixture);
      await writer.stage(at("kept"), { copyOf: at(path) }, { keepTimes: true });
      await writer.stage(object("a"), { copyOf: at(path) }, { keepTimes: true });
      await writer.stage(at("new"), { copyOf: at(path) }, {});
      const [was = 0, kept, inStore, now = 0] = [at(path), at("kept"), object("a"), at("new")].map(
        (place) => writer.stat(place)?.modifiedMs,
      );
      deepEqual([kept, inStore, now > was], [was, was, true]);
    });

  it("keeps the times of what is inside a copied tree", async () => {
    const fixture = fixtureOf(make(TREE).storage);
    const { writer, at } = fixture;
    await nextClockTick(fixture);
    await writer.stage(at("kept"), { copyOf: at("dir") }, { keepTimes: true });
    const modifiedAt = (path: string) => writer.stat(at(path))?.modifiedMs;
    equal(modifiedAt("kept/below/deep"), modifiedAt("dir/below/deep"));
    equal(modifiedAt("kept/below"), modifiedAt("dir/below"));
  });
}

/** Waits until something new gets another time: the disk decides how fine its clock is. */
async function nextClockTick({ writer, at }: WriterFixture): Promise<void> {
  const now = async (): Promise<number | undefined> => {
    await writer.stage(at("clock"), { bytes }, {});
    const made = writer.stat(at("clock"))?.modifiedMs;
    writer.remove(at("clock"));
    return made;
  };
  for (const before = await now(); before === (await now()););
}

function objects({ it }: TestFunctions, make: Make): void {
  it("gives objects distinct names, by folder and name", () => {
    const { writer, at } = fixtureOf(make(TREE).storage);
    const names = [
      writer.objectFor(at("file"), "objects", "x"),
      writer.objectFor(at("file"), "objects", "y"),
      writer.objectFor(at("file"), "trash", "x"),
    ];
    equal(new Set(names).size, 3);
    equal(writer.objectFor(at("nope/below"), "objects", "x"), names[0]);
    deepEqual(
      names.map((name) => writer.stat(name)),
      [null, null, null],
    );
  });

  for (const name of ["", ".", "..", "a/b", "../a"])
    it(`refuses to store anything as ${JSON.stringify(name)}`, () => {
      const { writer, at } = fixtureOf(make(TREE).storage);
      throws(() => writer.objectFor(at("file"), "objects", name), Fault);
    });

  for (const name of ["x", "state/x", "state/../x", "state/objects/..", "state/objects/a/b", "9/objects/x", ""])
    it(`has nothing under a name that it never gave: ${JSON.stringify(name)}`, async () => {
      const { writer } = fixtureOf(make(TREE).storage);
      const given = await attempt(() => writer.contentOf(name as ObjectName));
      ok(["invalid_input", "not_found", null].some((each) => each === given));
    });

  it("names no object for what lies outside", () => {
    const { writer } = fixtureOf(make(TREE).storage);
    throws(() => writer.objectFor("/somewhere/else" as SafePath, "objects", "x"), Fault);
  });
}

/** Makes a checkpoint in which something happens, the `nth` time. */
const checkpointAt = (nth: number, happen: () => unknown) => async () => {
  if (--nth === 0) await happen();
};

function interruptions({ it }: TestFunctions, make: Make): void {
  for (const nth of [1, 2, 3, 4])
    it(`leaves nothing of a copy that is cancelled at step ${nth}`, async () => {
      const { storage } = make(TREE);
      const { writer, at, object } = fixtureOf(storage);
      for (const place of [at("new"), object("a")]) {
        const checkpoint = checkpointAt(nth, () => Promise.reject(new Fault("cancelled", "Cannot go on")));
        equal(await attempt(() => writer.stage(place, { copyOf: at("dir") }, { checkpoint })), "cancelled");
        equal(writer.stat(place), null);
      }
      deepEqual(await pictureOf(storage), SEEN);
    });

  for (const path of ["file", "dir", "link"])
    it(`does not touch what took the place while ${path} was copied`, async () => {
      const { storage } = make(TREE);
      const { writer, at } = fixtureOf(storage);
      const checkpoint = checkpointAt(1, async () => {
        writer.makeDirectory(at("new"));
        await writer.stage(at("new/theirs"), { bytes }, {});
      });
      equal(await attempt(() => writer.stage(at("new"), { copyOf: at(path) }, { checkpoint })), "exists");
      deepEqual(await pictureOf(storage), [...SEEN, "new/", "new/theirs = new"].toSorted());
    });

  it("does many operations at once, each whole", async () => {
    const { storage } = make(TREE);
    const { writer, at } = fixtureOf(storage);
    const names = Array.from({ length: 50 }, (_, index) => `copy-${index}`);
    await Promise.all(names.map((name) => writer.stage(at(name), { copyOf: at("dir") }, {})));
    await Promise.all(names.map((name) => writer.erase(at(name))));
    deepEqual(await pictureOf(storage), SEEN);
  });
}
