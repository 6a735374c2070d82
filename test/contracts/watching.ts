import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Fault } from "../../src/base/errors.ts";
import type { StorageWriter } from "../../src/storage/writer.ts";
import type { SafePath, Storage } from "../../src/storage/storage.ts";
import { WHILE_BUSY } from "../work.ts";

const TREE = ["dir/file = one", "dir/other = two", "dir/sub/deep = three", "beside = four"];

/** What is made last: hints come in the order of what happened, so whoever has heard of it has heard of all before. */
const LAST = "zz-last";
let made = 0;

/** Something that happens to a storage; paths are relative to the root. */
interface Row {
  readonly name: string;
  readonly act: (writer: StorageWriter, at: (way: string) => SafePath) => unknown;
  /** What a watch of "dir" is hinted at. */
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
  { name: "what is deeper", act: (writer, at) => writer.remove(at("dir/sub/deep")), hints: [] },
  { name: "what is elsewhere", act: (writer, at) => writer.remove(at("beside")), hints: [] },
];

/** What every storage that can be watched promises: a hint for each name that stands for something else, and no other. */
export function watchingContract(name: string, make: (tree: readonly string[]) => Storage): void {
  describe(`Watching contract: ${name}`, () => {
    it.each(ROWS)("hints at $name", async ({ act, hints }) => {
      const { writer, at, hinted } = await watchOf(make(TREE), "dir");
      await act(writer, at);
      expect(await hinted()).toEqual(hints);
    });

    it("follows the directory itself, wherever it goes", async () => {
      const { writer, at, hinted } = await watchOf(make(TREE), "dir");
      writer.move(at("dir"), at("moved"), "new");
      await hinted("moved");
      await writer.stage(at("moved/new"), { bytes: Buffer.from("new") }, {});
      expect(await hinted("moved")).toEqual(["new"]);
    });

    it("is silent once it is closed", async () => {
      const { writer, at, hinted, close } = await watchOf(make(TREE), "dir");
      close();
      writer.remove(at("dir/file"));
      expect(await hinted()).toEqual([]);
    });

    it("every watch of one directory is its own", async () => {
      const storage = make(TREE);
      const [one, other] = [await watchOf(storage, "dir"), await watchOf(storage, "dir")];
      one.close();
      one.writer.remove(one.at("dir/file"));
      expect([await one.hinted(), await other.hinted()]).toEqual([[], ["file"]]);
    });
  });
}

interface Watched {
  readonly writer: StorageWriter;
  at(way: string): SafePath;
  /** Names since the last time, each once, without what a hand makes only for a moment; where it is by now. */
  hinted(way?: string): Promise<readonly string[]>;
  close(): void;
}

async function watchOf(storage: Storage, way: string): Promise<Watched> {
  const at = (name: string): SafePath => `${storage.roots[0]}/${name}` as SafePath;
  if (!storage.writer) throw new Fault("io", "Cannot change anything: this storage is only read");
  const { writer } = storage;
  const [names, heard] = [new Set<string>(), new Set<string>()];
  const directory = await storage.openDirectory(at(way));
  const watch = directory.watch((name, to) => void to.add(name), names);
  // Hears also when the other is closed.
  const witness = directory.watch((name, to) => void to.add(name), heard);
  onTestFinished(() => [watch, witness].forEach((each) => each.close()));
  directory.close();
  return {
    writer,
    at,
    async hinted(now = way) {
      const last = `${LAST}-${++made}`;
      writer.makeDirectory(at(`${now}/${last}`));
      await vi.waitUntil(() => heard.has(last), WHILE_BUSY);
      const seen = [...names]
        .filter((name) => !(name === "." || name.startsWith(".holdfast-") || name.startsWith(LAST)))
        .toSorted();
      names.clear();
      return seen;
    },
    close: () => watch.close(),
  };
}
