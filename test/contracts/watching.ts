import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Fault } from "../../src/base/errors.ts";
import type { Hands } from "../../src/storage/writer.ts";
import type { SafePath, Storage } from "../../src/storage/storage.ts";
import { WHILE_BUSY } from "../work.ts";

const TREE = ["dir/file = one", "dir/other = two", "dir/sub/deep = three", "beside = four"];

/** What is made last: hints come in the order of what happened, so whoever has heard of it has heard of all before. */
const LAST = "zz-last";
let made = 0;

/** Something that happens to a storage; paths are relative to the root. */
interface Row {
  readonly name: string;
  readonly act: (hands: Hands, at: (way: string) => SafePath) => unknown;
  /** What a watch of "dir" is hinted at. */
  readonly hints: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    name: "something new",
    act: (hands, at) => hands.stage(at("dir/new"), { bytes: Buffer.from("new") }, {}),
    hints: ["new"],
  },
  { name: "a new directory", act: (hands, at) => hands.makeDirectory(at("dir/new")), hints: ["new"] },
  { name: "a longer file", act: (hands, at) => hands.append(at("dir/file"), Buffer.from("!"), 3), hints: ["file"] },
  { name: "a shorter file", act: (hands, at) => hands.cut(at("dir/file"), 1), hints: ["file"] },
  { name: "another mode", act: (hands, at) => hands.setMode(at("dir/file"), 0o600), hints: ["file"] },
  { name: "a file that goes", act: (hands, at) => hands.remove(at("dir/file")), hints: ["file"] },
  {
    name: "a rename",
    act: (hands, at) => hands.move(at("dir/file"), at("dir/name"), "new"),
    hints: ["file", "name"],
  },
  {
    name: "a file over another",
    act: (hands, at) => hands.move(at("beside"), at("dir/file"), "over"),
    hints: ["file"],
  },
  { name: "a file that moves out", act: (hands, at) => hands.move(at("dir/file"), at("out"), "new"), hints: ["file"] },
  { name: "what is deeper", act: (hands, at) => hands.remove(at("dir/sub/deep")), hints: [] },
  { name: "what is elsewhere", act: (hands, at) => hands.remove(at("beside")), hints: [] },
];

/** What every storage that can be watched promises: a hint for each name that stands for something else, and no other. */
export function watchingContract(name: string, make: (tree: readonly string[]) => Storage): void {
  describe(`Watching contract: ${name}`, () => {
    it.each(ROWS)("hints at $name", async ({ act, hints }) => {
      const { hands, at, hinted } = await watchOf(make(TREE), "dir");
      await act(hands, at);
      expect(await hinted()).toEqual(hints);
    });

    it("follows the directory itself, wherever it goes", async () => {
      const { hands, at, hinted } = await watchOf(make(TREE), "dir");
      hands.move(at("dir"), at("moved"), "new");
      await hinted("moved");
      await hands.stage(at("moved/new"), { bytes: Buffer.from("new") }, {});
      expect(await hinted("moved")).toEqual(["new"]);
    });

    it("is silent once it is closed", async () => {
      const { hands, at, hinted, close } = await watchOf(make(TREE), "dir");
      close();
      hands.remove(at("dir/file"));
      expect(await hinted()).toEqual([]);
    });

    it("every watch of one directory is its own", async () => {
      const storage = make(TREE);
      const [one, other] = [await watchOf(storage, "dir"), await watchOf(storage, "dir")];
      one.close();
      one.hands.remove(one.at("dir/file"));
      expect([await one.hinted(), await other.hinted()]).toEqual([[], ["file"]]);
    });
  });
}

interface Watched {
  readonly hands: Hands;
  at(way: string): SafePath;
  /** Names since the last time, each once, without what a hand makes only for a moment; where it is by now. */
  hinted(way?: string): Promise<readonly string[]>;
  close(): void;
}

async function watchOf(storage: Storage, way: string): Promise<Watched> {
  const at = (name: string): SafePath => `${storage.roots[0]}/${name}` as SafePath;
  if (!storage.hands) throw new Fault("io", "Cannot change anything: this storage is only read");
  const { hands } = storage;
  const [names, heard] = [new Set<string>(), new Set<string>()];
  const directory = await storage.hold(at(way));
  const watch = directory.watch((name, to) => void to.add(name), names);
  // Hears also when the other is closed.
  const witness = directory.watch((name, to) => void to.add(name), heard);
  onTestFinished(() => [watch, witness].forEach((each) => each.close()));
  directory.close();
  return {
    hands,
    at,
    async hinted(now = way) {
      const last = `${LAST}-${++made}`;
      hands.makeDirectory(at(`${now}/${last}`));
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
