import { describe, expect, it } from "vitest";
import { memoryObjects } from "../../src/storage/objects/memory-objects.ts";
import { objectStorage } from "../../src/storage/objects/object-storage.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import { hostilePathsSuite } from "../../src/testing/hostile-paths.ts";
import { changeSetSuite } from "../../src/testing/objects/change-sets.ts";
import type { MakeObjects } from "../../src/testing/objects/object-fixture.ts";
import { objectStoreSuite } from "../../src/testing/objects/object-store.ts";
import { storageSuite } from "../../src/testing/storage.ts";
import { OBJECT_ROOT } from "../../src/testing/objects/change-set-fixture.ts";
import { objectLayout } from "../layout.ts";
import { ClassFile, ClassObjects } from "./classes.ts";
import { hashedObjects } from "./hashed-objects.ts";

const STORES: Readonly<Record<string, MakeObjects>> = {
  "in memory": memoryObjects,
  "as a class": async (contents) => new ClassObjects(contents),
  "with hashes as tags": hashedObjects,
};

for (const [name, make] of Object.entries(STORES)) {
  objectStoreSuite({ describe, it }, name, make);
  changeSetSuite({ describe, it }, name, make);
}

storageSuite({ describe, it }, { symlinks: false, permissions: false, containment: "object-store" }, (tree) =>
  objectStorage(objectLayout(tree)).mount(OBJECT_ROOT),
);

// Some of these paths are file URIs of the root: it has to look like a directory.
hostilePathsSuite({ describe, it }, { name: "object store", symlinks: false }, (tree) =>
  objectStorage(objectLayout(tree)).mount("/up/ROOT"),
);

hostilePathsSuite({ describe, it }, { name: "files as a class", symlinks: false }, (tree) => {
  const storage = objectStorage(objectLayout(tree)).mount("/up/ROOT");
  return { ...storage, withFile: (path, use) => storage.withFile(path, (file) => use(new ClassFile(file))) };
});

const at = (way: string): SafePath => `${OBJECT_ROOT}/${way}` as SafePath;

describe("an object store as a storage", () => {
  it("shows keys that are paths, and no backups", async () => {
    const keys = ["a/b", "a//c", "./d", "e/../f", "/g", ".holdfast-store/objects/x", "both", "both/below"];
    const storage = objectStorage(objectLayout(keys)).mount(OBJECT_ROOT);
    const names = async (way: string) =>
      storage.withDirectory(at(way), async (directory) =>
        (await directory.entries()).map(({ name, kind }) => `${name} ${kind}`).toSorted(),
      );
    expect([await names(""), await names("a")]).toEqual([["a directory", "both file", "e directory"], ["b file"]]);
    expect(await storage.stat(at(".holdfast-store"), "keep")).toBeNull();
    expect(await storage.stat(at(".holdfast-store/objects"), "keep").catch((error) => error.code)).toBe("not_found");
  });

  it("reads this very object, or fails once it was written again", async () => {
    const objects = objectLayout(["a = one"]);
    const storage = objectStorage(objects).mount(OBJECT_ROOT);
    const read = storage.withFile(at("a"), async (file) => {
      const { tag = "" } = (await objects.head("a")) ?? {};
      await objects.put("a", Buffer.from("two"), { match: tag });
      return file.read(Buffer.alloc(3), 0);
    });
    await expect(read).rejects.toMatchObject({ code: "stale" });
  });

  it("fails when the store returns less than there is", async () => {
    const objects = objectLayout(["a = 0123456789"]);
    const get: typeof objects.get = async (key, tag, from) => objects.get(key, tag, from, 4);
    const storage = objectStorage({ ...objects, get }).mount(OBJECT_ROOT);
    const read = (position: number) => storage.withFile(at("a"), (file) => file.read(Buffer.alloc(10), position));
    await expect(read(0)).rejects.toMatchObject({ code: "stale" });
    expect(await read(6)).toBe(4);
  });

  it("is read-only without conditional writes, unless the operator insists", () => {
    const objects = { ...memoryObjects(), isConditional: false };
    const writers = [{}, { allowUnconditionalWrites: true }].map(
      (options) => objectStorage(objects, options).mount(OBJECT_ROOT).writer?.guarantees.file,
    );
    expect(writers).toEqual([undefined, "none"]);
  });

  it("cannot be watched", async () => {
    const storage = objectStorage(objectLayout(["d/f"])).mount(OBJECT_ROOT);
    const directory = await storage.openDirectory(at("d"));
    expect(() => directory.watch(() => {}, undefined)).toThrow("does not report changes");
  });
});
