import { lstatSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { STORE_NAME } from "../../src/base/product.ts";
import { versionOfBytes } from "../../src/base/version.ts";
import type { StorageWriter, ObjectName, Place } from "../../src/storage/writer.ts";
import { writerOf } from "../../src/testing/writer-row.ts";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import { layout } from "../layout.ts";
import { race, refusalOf, type Try, UNHARMED } from "./race.ts";

/**
 * Lists every name that the writer uses inside, to exist outside too, so that nothing fails there because it is
 * missing.
 */
const SAME = ["file", "moved", "log", "deep/file", "objects/kept", "objects/moved", "objects/staged"];
const TREE = [
  "dir/file = inside",
  "dir/log = inside",
  "dir/deep/file = inside",
  "dir.link => ../outside",
  "file = inside",
  "file.link => ../outside/file",
  `${STORE_NAME}/objects/`,
  `${STORE_NAME}.link => ../outside`,
  "naive/dir/",
  "naive/link => ../../bait",
  ...SAME.map((name) => `../outside/${name} = a secret`),
  "../bait/",
];
const SWAPPED = ["dir", "dir.link", "file", "file.link", STORE_NAME, `${STORE_NAME}.link`, "naive/dir", "naive/link"];

const ROUNDS = [1, 2, 3, 4];
const TRIES = 25_000;
const REFUSALS = ["swapped", "not_found", "not_a_directory", "exists", "stale", "not_empty", "invalid_input"];

it.each(ROUNDS)("no swap leads a write outside, where a check by name is fooled, round %i", async () => {
  const root = layout(TREE);
  const outside = join(dirname(root), "outside");
  const before = everythingIn(outside);
  const result = await race({
    swapped: SWAPPED.map((name) => join(root, name)),
    times: TRIES,
    tries: triesIn(root),
    refusals: REFUSALS,
    alongside(count) {
      if (count % 20 === 0) writeNaively(root, join(root, "naive/dir"), `${count}`);
    },
  });
  const secrets = filesIn(root).filter((path) => readFileSync(path, "utf8") === "a secret");
  const naive = { tries: TRIES / 20, leaks: readdirSync(join(dirname(root), "bait")).length };
  console.log(`Raced writes: ${JSON.stringify({ ...result, naive })}`);
  expect(result).toMatchObject(UNHARMED);
  expect(everythingIn(outside)).toEqual(before);
  expect(secrets).toEqual([]);
  expect(naive.leaks).toBeGreaterThan(0);
});

/** Does what everyone writes first: resolves the directory, checks that it is inside, then writes into it. */
function writeNaively(root: string, directory: string, name: string): void {
  try {
    if (realpathSync(directory).startsWith(`${root}/`)) writeFileSync(join(directory, name), "");
  } catch {
    return;
  }
}

/** Lists all that a change could change: the ctime reveals each, even one that was rolled back. */
function everythingIn(directory: string): readonly unknown[] {
  const ways = ["", ...readdirSync(directory, { recursive: true, encoding: "utf8" })].toSorted();
  return ways.map((way) => {
    const { ino, mode, nlink, size, mtimeNs, ctimeNs } = lstatSync(join(directory, way), { bigint: true });
    return { way, ino, mode, nlink, size, mtimeNs, ctimeNs };
  });
}

/** Lists the files below the root and in the store beside it, without following links. */
const filesIn = (root: string): readonly string[] =>
  [root, join(dirname(root), "state")]
    .flatMap((top) => readdirSync(top, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Names an object in the store of the root, which is swapped too. */
const swapped = (name: string) => `0/objects/${name}` as ObjectName;

/** Makes operations that undo each other sooner or later; that a name is taken or gone is no harm. */
function triesIn(root: string): readonly Try[] {
  const writing = { stateDirectory: join(dirname(root), "state"), durability: "process" } as const;
  const writer = writerOf(createLocalStorage([root], { containment: "handle", writerOptions: writing }));
  const at = (way: string) => join(root, way) as SafePath;
  const safe = (name: string) => writer.objectFor(at("file"), "objects", name);
  return [
    ...looking(writer, [at("file"), at("dir/file"), at("dir/deep/file"), swapped("kept")]),
    ...copying(writer, at("file"), at("copy")),
    ...copying(writer, at("dir/file"), at("dir/copy")),
    ...copying(writer, at("dir/file"), swapped("copy")),
    ...copying(writer, at("dir/deep"), safe("copy")),
    ...backingUp(writer, [at("file"), at("dir/file")], [safe("kept"), swapped("kept")]),
    ...moving(writer, at("dir/moved"), [at("moved"), at("dir/deep/moved"), safe("moved"), swapped("moved")]),
    ...changing(writer, [at("file"), at("dir/log"), at("dir/deep/file")]),
    ...making(writer, [at("dir/new"), at("dir/deep/new"), at("dir/deep")]),
  ].map((attempt) => async () => {
    try {
      return (await attempt()) ?? "inside";
    } catch (error) {
      return refusalOf(error);
    }
  });
}

/** Returns nothing, or what escaped. */
type Attempt = () => Promise<string | void> | string | void;

const bytes = Buffer.from("inside");
const SECRET = versionOfBytes(Buffer.from("a secret"));

/** Reports the secret. The place may be swapped by now: then there is nothing to check, and the next try is as good. */
function checkForSecret(writer: StorageWriter, place: Place): string | void {
  const versions = [place, `${place}/file` as Place].map(
    (each) => isFile(writer, each) && writer.snapshot(each)?.version,
  );
  if (versions.includes(SECRET)) return `escaped: ${place} holds the secret`;
}

const isFile = (writer: StorageWriter, place: Place): boolean => {
  try {
    return writer.stat(place)?.kind === "file";
  } catch {
    return false;
  }
};

const looking = (writer: StorageWriter, places: readonly Place[]): Attempt[] =>
  places.flatMap((place) => [
    () => (writer.snapshot(place)?.version === SECRET ? `escaped: saw ${place}` : undefined),
    () => void writer.fingerprint(place, Infinity),
  ]);

const copying = (writer: StorageWriter, from: Place, to: Place): Attempt[] => [
  () => writer.stage(to, { copyOf: from }, {}).then(() => checkForSecret(writer, to)),
  () => writer.erase(to),
];

const backingUp = (writer: StorageWriter, paths: readonly SafePath[], objects: readonly ObjectName[]): Attempt[] =>
  paths.flatMap((path) =>
    objects.flatMap((object): Attempt[] => [
      () => {
        writer.backUp(path, object);
        return String(writer.contentOf(object)) === "a secret" ? `escaped: backed up ${path}` : undefined;
      },
      () => writer.remove(object),
    ]),
  );

const moving = (writer: StorageWriter, home: Place, places: readonly Place[]): Attempt[] =>
  places.flatMap((place): Attempt[] => [
    () => writer.stage(home, { bytes }, {}),
    () => writer.move(home, place, "new"),
    () => writer.move(place, home, "over"),
    () => writer.remove(place),
  ]);

const changing = (writer: StorageWriter, paths: readonly SafePath[]): Attempt[] =>
  paths.flatMap((path): Attempt[] => [
    () => writer.append(path, bytes, bytes.length),
    () => writer.append(path, bytes, "a secret".length),
    () => writer.truncate(path, bytes.length),
    () => writer.setMode(path, 0o600),
    () => writer.setMode(path, 0o644),
  ]);

const making = (writer: StorageWriter, places: readonly Place[]): Attempt[] =>
  places.flatMap((place): Attempt[] => [
    () => writer.stage(place, { bytes }, { mode: 0o600 }),
    () => writer.remove(place),
    () => writer.makeDirectory(place as SafePath),
    () => writer.remove(place),
  ]);
