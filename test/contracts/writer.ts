import { describe, expect, it } from "vitest";
import { Fault } from "../../src/base/errors.ts";
import { LIMITS } from "../../src/base/limits.ts";
import { versionOfBytes } from "../../src/base/version.ts";
import type { ObjectName, Place } from "../../src/storage/writer.ts";
import type { Facts, SafePath, Storage } from "../../src/storage/storage.ts";
import { MAKING } from "./writer-making.ts";
import { MOVING } from "./writer-moving.ts";
import { type WriterFixture, type Row, writerOf } from "./writer-row.ts";
import { attempt, pictureOf } from "./picture.ts";

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

/** Tests what every storage with a writer promises. `make` builds a tree in the notation of `layout`. */
export function writerContract(name: string, make: Make): void {
  describe(`StorageWriter contract: ${name}`, () => {
    rows(make);
    refusals(make);
    facts(make);
    versions(make);
    fingerprints(make);
    times(make);
    objects(make);
    interruptions(make);
  });
}

function rows(make: Make): void {
  it.each<Row>([...MAKING, ...MOVING])("$name", async ({ act, gives, minus = [], plus = [], kept = {} }) => {
    const { storage, outside } = make(TREE);
    const [fixture, before] = [fixtureOf(storage), outside()];
    const given = await attempt(() => act(fixture));
    expect({ given, tree: await pictureOf(storage), outside: outside(), kept: storedObjects(fixture) }).toEqual({
      given: gives,
      tree: [...SEEN.filter((line) => !minus.includes(line)), ...plus].toSorted(),
      outside: before,
      kept,
    });
  });
}

function fixtureOf(storage: Storage): WriterFixture {
  const writer = writerOf(storage);
  const [root] = storage.roots;
  const at = (way: string): SafePath => (way.startsWith("/") ? way : way === "" ? root : `${root}/${way}`) as SafePath;
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

function refusals(make: Make): void {
  it.each(PLACES)("touches nothing that is not a real path inside: $place", async ({ place, gives, isNothing }) => {
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
    expect({ given, tree: await pictureOf(storage), outside: outside(), kept: storedObjects(fixture) }).toEqual({
      given: expected,
      tree: SEEN,
      outside: before,
      kept: {},
    });
  });
}

function facts(make: Make): void {
  it.each(["file", "dir", "dir/below/deep", "link", "to-dir", "out"])("returns the facts of %s itself", async (way) => {
    const { storage } = make(TREE);
    const { writer, at } = fixtureOf(storage);
    // Reading a link changes its access time.
    const looked = { ...(await storage.stat(at(way), "keep")), accessedMs: expect.any(Number) };
    expect([writer.stat(at(way)), writer.snapshot(at(way))?.facts]).toEqual([looked, looked]);
  });

  it("knows whether the parent directory exists", () => {
    const { writer, at } = fixtureOf(make(TREE).storage);
    expect(["file", "nope", "dir/nope", "nope/x", "file/x"].map((way) => writer.hasParent(at(way)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("returns what an exchange put at the first place", () => {
    const { writer, at, object } = fixtureOf(make(TREE).storage);
    const other = writer.stat(at("other"))?.identity;
    const found = writer.exchange(at("file"), at("other"));
    expect([found, (found as Facts).identity]).toEqual([writer.stat(at("file")), other]);
    writer.move(at("file"), object("a"), "new");
    expect(writer.exchange(object("a"), at("other"))).toEqual(writer.stat(object("a")));
  });

  it("keeps the identity of moved objects, and gives copies another", async () => {
    const { writer, at, object } = fixtureOf(make(TREE).storage);
    const identityAt = (place: Place) => writer.stat(place)?.identity;
    const [file, dir, link] = ["file", "dir", "link"].map((way) => identityAt(at(way)));
    writer.move(at("file"), object("a"), "new");
    writer.move(at("dir"), at("moved"), "new");
    writer.move(at("link"), at("other"), "over");
    await writer.stage(at("copy"), { copyOf: at("moved") }, {});
    expect([identityAt(object("a")), identityAt(at("moved")), identityAt(at("other"))]).toEqual([file, dir, link]);
    expect([file, dir, link]).not.toContain(identityAt(at("copy")));
  });
}

function versions(make: Make): void {
  it("versions small files by their content, as readers see it", async () => {
    const { writer, at, object } = fixtureOf(make(TREE).storage);
    writer.backUp(at("file"), object("a"));
    const version = versionOfBytes(Buffer.from("old"));
    expect([writer.snapshot(at("file"))?.version, writer.snapshot(object("a"))?.version]).toEqual([version, version]);
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
  it.each(changes)("gives a large file another version after $name", async ({ change }) => {
    const fixture = fixtureOf(make(TREE).storage);
    const { writer, at } = fixture;
    await writer.stage(at("large"), { bytes: large }, {});
    const before = writer.snapshot(at("large"))?.version;
    expect(writer.snapshot(at("large"))?.version).toBe(before);
    await nextClockTick(fixture);
    await change(fixture);
    expect(writer.snapshot(at("large"))?.version).not.toBe(before);
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

function fingerprints(make: Make): void {
  it.each(TREE_CHANGES)("gives a tree another fingerprint after $name", async ({ change }) => {
    const fixture = fixtureOf(make(TREE).storage);
    const { writer, at } = fixture;
    const before = [writer.fingerprint(at("dir"), Infinity), writer.fingerprint(at("empty"), Infinity)];
    expect([writer.fingerprint(at("dir"), Infinity), writer.fingerprint(at("empty"), Infinity)]).toEqual(before);
    await nextClockTick(fixture);
    await change(fixture);
    expect(writer.fingerprint(at("dir"), Infinity)).not.toBe(before[0]);
    expect(writer.fingerprint(at("empty"), Infinity)).toBe(before[1]);
  });
}

function times(make: Make): void {
  it.each(["file", "dir", "link"])("keeps the times of a copied %s only when asked to", async (way) => {
    const fixture = fixtureOf(make(TREE).storage);
    const { writer, at, object } = fixture;
    await nextClockTick(fixture);
    await writer.stage(at("kept"), { copyOf: at(way) }, { keepTimes: true });
    await writer.stage(object("a"), { copyOf: at(way) }, { keepTimes: true });
    await writer.stage(at("new"), { copyOf: at(way) }, {});
    const [was = 0, kept, inStore, now = 0] = [at(way), at("kept"), object("a"), at("new")].map(
      (place) => writer.stat(place)?.modifiedMs,
    );
    expect([kept, inStore, now > was]).toEqual([was, was, true]);
  });

  it("keeps the times of what is inside a copied tree", async () => {
    const fixture = fixtureOf(make(TREE).storage);
    const { writer, at } = fixture;
    await nextClockTick(fixture);
    await writer.stage(at("kept"), { copyOf: at("dir") }, { keepTimes: true });
    const modifiedAt = (way: string) => writer.stat(at(way))?.modifiedMs;
    expect(modifiedAt("kept/below/deep")).toBe(modifiedAt("dir/below/deep"));
    expect(modifiedAt("kept/below")).toBe(modifiedAt("dir/below"));
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

function objects(make: Make): void {
  it("gives objects distinct names, by folder and name", () => {
    const { writer, at } = fixtureOf(make(TREE).storage);
    const names = [
      writer.objectFor(at("file"), "objects", "x"),
      writer.objectFor(at("file"), "objects", "y"),
      writer.objectFor(at("file"), "trash", "x"),
    ];
    expect(new Set(names).size).toBe(3);
    expect(writer.objectFor(at("nope/below"), "objects", "x")).toBe(names[0]);
    expect(names.map((name) => writer.stat(name))).toEqual([null, null, null]);
  });

  it.each(["", ".", "..", "a/b", "../a"])("refuses to store anything as %j", (name) => {
    const { writer, at } = fixtureOf(make(TREE).storage);
    expect(() => writer.objectFor(at("file"), "objects", name)).toThrow(Fault);
  });

  it.each(["x", "state/x", "state/../x", "state/objects/..", "state/objects/a/b", "9/objects/x", ""])(
    "has nothing under a name that it never gave: %j",
    async (name) => {
      const { writer } = fixtureOf(make(TREE).storage);
      const given = await attempt(() => writer.contentOf(name as ObjectName));
      expect(["invalid_input", "not_found", null]).toContain(given);
    },
  );

  it("names no object for what lies outside", () => {
    const { writer } = fixtureOf(make(TREE).storage);
    expect(() => writer.objectFor("/somewhere/else" as SafePath, "objects", "x")).toThrow(Fault);
  });
}

/** Makes a checkpoint in which something happens, the `nth` time. */
const checkpointAt = (nth: number, happen: () => unknown) => async () => {
  if (--nth === 0) await happen();
};

function interruptions(make: Make): void {
  it.each([1, 2, 3, 4])("leaves nothing of a copy that is cancelled at step %i", async (nth) => {
    const { storage } = make(TREE);
    const { writer, at, object } = fixtureOf(storage);
    for (const place of [at("new"), object("a")]) {
      const checkpoint = checkpointAt(nth, () => Promise.reject(new Fault("cancelled", "Cannot go on")));
      expect(await attempt(() => writer.stage(place, { copyOf: at("dir") }, { checkpoint }))).toBe("cancelled");
      expect(writer.stat(place)).toBe(null);
    }
    expect(await pictureOf(storage)).toEqual(SEEN);
  });

  it.each(["file", "dir", "link"])("does not touch what took the place while %s was copied", async (way) => {
    const { storage } = make(TREE);
    const { writer, at } = fixtureOf(storage);
    const checkpoint = checkpointAt(1, async () => {
      writer.makeDirectory(at("new"));
      await writer.stage(at("new/theirs"), { bytes }, {});
    });
    expect(await attempt(() => writer.stage(at("new"), { copyOf: at(way) }, { checkpoint }))).toBe("exists");
    expect(await pictureOf(storage)).toEqual([...SEEN, "new/", "new/theirs = new"].toSorted());
  });

  it("does many operations at once, each whole", async () => {
    const { storage } = make(TREE);
    const { writer, at } = fixtureOf(storage);
    const names = Array.from({ length: 50 }, (_, index) => `copy-${index}`);
    await Promise.all(names.map((name) => writer.stage(at(name), { copyOf: at("dir") }, {})));
    await Promise.all(names.map((name) => writer.erase(at(name))));
    expect(await pictureOf(storage)).toEqual(SEEN);
  });
}
