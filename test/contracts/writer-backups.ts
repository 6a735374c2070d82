import { describe, expect, it } from "vitest";
import type { ObjectName } from "../../src/storage/writer.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import type { Changeable } from "./writer.ts";
import { codeOf } from "./storage.ts";
import { writerOf } from "./writer-row.ts";

const TREE = ["dir/below/deep", "dir/beside", "dir/link => below", "file = old", "../outside/secret"];

/** Tests what every storage promises of trees: their entries can be listed, and read in the store as well. */
export function backupTreeContract(name: string, make: (tree: readonly string[]) => Changeable): void {
  const fixture = () => {
    const { storage } = make(TREE);
    const writer = writerOf(storage);
    const at = (way: string): SafePath => `${storage.roots[0]}/${way}` as SafePath;
    const object = writer.objectFor(at("dir"), "objects", "a");
    const within = (way: string): ObjectName => `${object}/${way}` as ObjectName;
    return { writer, at, object, within };
  };
  const ALL = ["", "below", "below/deep", "beside", "link"];

  describe(`Backup trees: ${name}`, () => {
    it("lists a tree, in the workspace and in the store, without excluded entries", () => {
      const { writer, at, object } = fixture();
      const names = (isExcluded = (_way: string): boolean => false) =>
        [at("dir"), object].map((place) => [...(writer.entriesIn(place, 5, isExcluded)?.keys() ?? [])].toSorted());
      expect(names()).toEqual([ALL, []]);
      writer.move(at("dir"), object, "new");
      expect(names()).toEqual([[], ALL]);
      expect(names((way) => way === "below")).toEqual([[], ["", "beside", "link"]]);
      expect([...(writer.entriesIn(at("file"), 1, () => false)?.keys() ?? [])]).toEqual([""]);
    });

    it("lists nothing of a tree with more entries than it may have", () => {
      const { writer, at } = fixture();
      expect([4, 5].map((most) => writer.entriesIn(at("dir"), most, () => false)?.size)).toEqual([undefined, 5]);
    });

    it("reads entries of a stored tree, by their relative paths", () => {
      const { writer, at, object, within } = fixture();
      const before = writer.snapshot(at("dir/below/deep"));
      writer.move(at("dir"), object, "new");
      const now = writer.snapshot(within("below/deep"));
      expect([now?.version, now?.facts.identity]).toEqual([before?.version, before?.facts.identity]);
      expect(Buffer.from(writer.contentOf(within("beside")) ?? []).toString()).toBe("dir/beside");
      expect([within("below"), within("nope"), within("nope/deep")].map((place) => writer.stat(place)?.kind)).toEqual([
        "directory",
        undefined,
        undefined,
      ]);
    });

    it("copies out of a stored tree, and takes over the mode of its entries", async () => {
      const { writer, at, object, within } = fixture();
      writer.setMode(at("dir/beside"), 0o600);
      writer.move(at("dir"), object, "new");
      await writer.stage(at("copy"), { copyOf: within("below") }, {});
      await writer.stage(at("like"), { bytes: Buffer.from("x") }, { like: within("beside") });
      expect([writer.stat(at("copy/deep"))?.kind, writer.stat(at("like"))?.mode]).toEqual(["file", 0o600]);
    });

    it.each(["link/deep", "beside/deep", "../a/beside", "./beside", ""])("goes nowhere by %j", async (way) => {
      const { writer, at, object, within } = fixture();
      writer.move(at("dir"), object, "new");
      const given = await Promise.resolve()
        .then(() => writer.stat(within(way)))
        .catch(codeOf);
      expect([null, "invalid_input", "swapped"]).toContain(given);
    });
  });
}
