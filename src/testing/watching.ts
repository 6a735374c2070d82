import { deepEqual, ok } from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { StorageWriter } from "../storage/writer.ts";
import type { SafePath, Storage, WatchHandle } from "../storage/storage.ts";
import type { TestFunctions } from "./test-functions.ts";
import { writerOf } from "./writer-row.ts";

const TREE = ["dir/file = one", "dir/other = two", "dir/sub/deep = three", "beside = four"];

/** Is created last: hints keep their order, so once its hint has arrived, all earlier ones have. */
const LAST = "zz-last";
let made = 0;

/** Is long enough for a busy machine. */
const MOST_WAITED_MS = 30_000;
const PAUSE_MS = 10;

/** A change of a storage; paths are relative to the root. */
interface Row {
  readonly name: string;
  readonly act: (writer: StorageWriter, at: (path: string) => SafePath) => unknown;
  /** Lists the names that a watch of "dir" gets hints for. */
  readonly hints: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    name: "something new",
    act: (writer, at) => writer.stage(at("dir/new"), { bytes: Buffer.from("new") }, {}),
    hints: ["new"],
  },
  { name: "a new directory", act: (writer, at) => writer.makeDirectory(at("dir/new")), hints: ["new"] },
  { name: "a longer file", act: (writer, at) => writer.append(at("dir/file"), Buffer.from("!"), 3), hints: ["file"] },
  { name: "a shorter file", act: (writer, at) => writer.truncate(at("dir/file"), 1), hints: ["file"] },
  { name: "another mode", act: (writer, at) => writer.setMode(at("dir/file"), 0o600), hints: ["file"] },
  { name: "a file that goes", act: (writer, at) => writer.remove(at("dir/file")), hints: ["file"] },
  {
    name: "a rename",
    act: (writer, at) => writer.move(at("dir/file"), at("dir/name"), "new"),
    hints: ["file", "name"],
  },
  {
    name: "a file over another",
    act: (writer, at) => writer.move(at("beside"), at("dir/file"), "over"),
    hints: ["file"],
  },
  {
    name: "a file that moves out",
    act: (writer, at) => writer.move(at("dir/file"), at("out"), "new"),
    hints: ["file"],
  },
  { name: "a change deeper in the tree", act: (writer, at) => writer.remove(at("dir/sub/deep")), hints: [] },
  { name: "a change elsewhere", act: (writer, at) => writer.remove(at("beside")), hints: [] },
];

/**
 * Tests what every storage that can be watched promises: a hint for each name that refers to another object, and no
 * other.
 */
export function watchingSuite(
  { describe, it }: TestFunctions,
  name: string,
  make: (tree: readonly string[]) => Storage,
): void {
  describe(`Watching: ${name}`, () => {
    for (const { name: title, act, hints } of ROWS)
      it(`sends a hint for ${title}`, () =>
        withWatches(async (watch) => {
          const { writer, at, hinted } = await watch(make(TREE), "dir");
          await act(writer, at);
          deepEqual(await hinted(), hints);
        }));

    it("follows the directory itself, wherever it goes", () =>
      withWatches(async (watch) => {
        const { writer, at, hinted } = await watch(make(TREE), "dir");
        writer.move(at("dir"), at("moved"), "new");
        await hinted("moved");
        await writer.stage(at("moved/new"), { bytes: Buffer.from("new") }, {});
        deepEqual(await hinted("moved"), ["new"]);
      }));

    it("sends no hint once it is closed", () =>
      withWatches(async (watch) => {
        const { writer, at, hinted, close } = await watch(make(TREE), "dir");
        close();
        writer.remove(at("dir/file"));
        deepEqual(await hinted(), []);
      }));

    it("watches of one directory are independent", () =>
      withWatches(async (watch) => {
        const storage = make(TREE);
        const [one, other] = [await watch(storage, "dir"), await watch(storage, "dir")];
        one.close();
        one.writer.remove(one.at("dir/file"));
        deepEqual([await one.hinted(), await other.hinted()], [[], ["file"]]);
      }));
  });
}

type Watch = (storage: Storage, path: string) => Promise<Watched>;

/** Ends all watches of a test with it. */
async function withWatches(test: (watch: Watch) => Promise<void>): Promise<void> {
  const opened: WatchHandle[] = [];
  try {
    await test((storage, path) => watchOf(storage, path, opened));
  } finally {
    for (const handle of opened) handle.close();
  }
}

interface Watched {
  readonly writer: StorageWriter;
  at(path: string): SafePath;
  /**
   * Returns the names since the last call, each once, without temporary ones; `path` is where the directory is by now.
   */
  hinted(path?: string): Promise<readonly string[]>;
  close(): void;
}

async function watchOf(storage: Storage, path: string, opened: WatchHandle[]): Promise<Watched> {
  const at = (name: string): SafePath => `${storage.roots[0]}/${name}` as SafePath;
  const writer = writerOf(storage);
  const [names, witnessed] = [new Set<string>(), new Set<string>()];
  const directory = await storage.openDirectory(at(path));
  const watch = directory.watch((name, to) => void to.add(name), names);
  // Still receives hints when the other watch is closed.
  const witness = directory.watch((name, to) => void to.add(name), witnessed);
  opened.push(watch, witness);
  directory.close();
  return {
    writer,
    at,
    async hinted(now = path) {
      const last = `${LAST}-${++made}`;
      writer.makeDirectory(at(`${now}/${last}`));
      for (let waited = 0; !witnessed.has(last) && waited < MOST_WAITED_MS; waited += PAUSE_MS)
        await setTimeout(PAUSE_MS);
      ok(witnessed.has(last), "no hint came for a new directory");
      const seen = [...names]
        .filter((name) => !(name === "." || name.startsWith(".holdfast-") || name.startsWith(LAST)))
        .toSorted();
      names.clear();
      return seen;
    },
    close: () => watch.close(),
  };
}
