import { describe, expect, it } from "vitest";
import { memoryObjects } from "../../../../src/storage/objects/memory-objects.ts";
import { objectStorage } from "../../../../src/storage/objects/object-storage.ts";
import type { ObjectStore } from "../../../../src/storage/objects/object-store.ts";
import { objectLayout } from "../../../layout.ts";
import { ClassObjects } from "../../../storage/classes.ts";
import { workspaceOn } from "../../storages.ts";
import { type Call, interfered, type Interference, once } from "../../../../src/testing/objects/interference.ts";
import {
  append,
  at,
  changeFixture,
  HOW,
  OBJECT_ROOT,
  shownObjects,
  write,
  whenWritten,
  writeForeign,
} from "../../../../src/testing/objects/change-set-fixture.ts";
import { objectScene } from "./object-scene.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);

/** Changes a store in which something happens. */
const scene = (objects: ObjectStore, interference: Interference) => changeFixture(interfered(objects, interference));

describe("two writers of one object store", () => {
  it("wait for each other in one process", async () => {
    const objects = objectLayout([]);
    const storage = objectStorage(objects).mount(OBJECT_ROOT);
    const [one, other] = [workspaceOn(storage), workspaceOn(storage)];
    await one.writing?.commit({ changes: [write("log", "", null)] }, HOW);
    const texts = Array.from({ length: 20 }, (_, nth) => `${nth} `);
    await Promise.all(
      texts.map(async (text, nth) => (nth % 2 ? one : other).writing?.commit({ changes: [append("log", text)] }, HOW)),
    );
    const [line = ""] = await shownObjects(objects);
    expect(
      line
        .slice("log = ".length)
        .trim()
        .split(" ")
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual([...texts.keys()]);
  });

  it("never lose an edit, whoever is faster", async () => {
    const objects = objectLayout(["a = "]);
    const callers = [objectScene(objects), objectScene(objects)].map(({ call }) => call);
    const edits = Array.from({ length: 10 }, async (_, nth) =>
      callers[nth % 2]?.("write", { path: "a", content: `${nth}\n`, append: true }),
    );
    expect((await Promise.all(edits)).map((answer) => answer?.code)).toEqual(edits.map(() => "ok"));
    const [line = ""] = await shownObjects(objects);
    expect(line.replace("a = ", "").trim().split("\n").map(Number).toSorted()).toEqual([...edits.keys()]);
  });
});

describe("a store that fails", () => {
  it("is not believed when it returns less of an object than there is", async () => {
    const objects = objectLayout([`log = ${"long ".repeat(20)}`]);
    const cut: ObjectStore = { ...objects, get: (key, tag, from) => objects.get(key, tag, from, 20) };
    expect(await scene(cut, {}).commit(append("log", "more"))).toBe("stale");
    expect(await shownObjects(objects)).toEqual([`log = ${"long ".repeat(20)}`]);
  });

  it("keeps the backup of what it cannot read whole", async () => {
    const [old, foreign] = [`${"same ".repeat(20)}old`, `${"same ".repeat(20)}new`];
    const objects = objectLayout([`a = ${old}`, "b = 2"]);
    let most = Infinity;
    const cut: ObjectStore = {
      ...objects,
      get: (key, tag, from, all) => objects.get(key, tag, from, Math.min(all, most)),
    };
    const ours = whenWritten(objects, "a");
    const before = once("put", "b", async () => {
      await ours;
      most = 20;
      await writeForeign(objects, "a", foreign);
      throw new Error("down");
    });
    const { commit, trash } = scene(cut, { before });
    expect(await commit(write("a", "A"), write("b", "B"))).toBe("io");
    most = Infinity;
    expect(await commit(write("c", "C", null))).toBe("ok");
    expect(await shownObjects(objects)).toEqual([`a = ${foreign}`, "b = 2", "c = C"]);
    expect(trash()).toMatchObject([{ path: at("a") }]);
  });

  it("is put back by the next change when it fails for longer", async () => {
    const objects = objectLayout(["a = 1", "b = 2"]);
    let isDown: boolean | undefined;
    const before = ({ method, key }: Call): void => {
      if (method === "put" && key === "b") isDown ??= true;
      if (isDown) throw new Error("down");
    };
    const { commit, writing } = scene(objects, { before });
    expect(await commit(write("a", "A"), write("b", "B"))).toBe("io");
    expect(await shownObjects(objects)).toEqual(["a = A", "b = 2"]);
    expect(writing.counts()).toEqual({ changes: 0, pending: 1 });
    isDown = false;
    expect(await commit(write("c", "C", null))).toBe("ok");
    expect(await shownObjects(objects)).toEqual(["a = 1", "b = 2", "c = C"]);
    expect(writing.counts()).toEqual({ changes: 1, pending: 0 });
  });
});

describe("a store without preconditions", () => {
  it("is checked right before each write, if the operator insists", async () => {
    const objects = { ...memoryObjects({ a: bytes("old") }), isConditional: false };
    const storage = objectStorage(objects, { allowUnconditionalWrites: true }).mount(OBJECT_ROOT);
    const { writing } = workspaceOn(storage);
    await writing?.commit({ changes: [write("a", "one", "old")] }, HOW);
    await expect(writing?.commit({ changes: [write("a", "two", "old")] }, HOW)).rejects.toMatchObject({
      code: "stale",
    });
    expect(await shownObjects(objects)).toEqual(["a = one"]);
    expect(storage.writer?.guarantees).toMatchObject({ file: "none", changeSet: "compensated" });
  });

  it("may be a class, and is changed by one of its mounts after the other", async () => {
    const objects = new ClassObjects({ log: bytes("") }, false);
    const mounts = [1, 2].map(() => objectStorage(objects, { allowUnconditionalWrites: true }).mount(OBJECT_ROOT));
    const texts = Array.from({ length: 10 }, (_, nth) => `${nth}`);
    const workspaces = mounts.map((storage) => workspaceOn(storage));
    await Promise.all(
      texts.map(async (text, nth) => workspaces[nth % 2]?.writing?.commit({ changes: [append("log", text)] }, HOW)),
    );
    const [line = ""] = await shownObjects(objects);
    expect(line.replace("log = ", "").split("").toSorted()).toEqual(texts);
  });

  it("is only read otherwise", () => {
    const objects = { ...memoryObjects(), isConditional: false };
    expect(workspaceOn(objectStorage(objects).mount(OBJECT_ROOT)).writing).toBeUndefined();
  });
});
