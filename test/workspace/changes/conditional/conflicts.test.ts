import { describe, expect, it } from "vitest";
import { versionOfBytes } from "../../../../src/base/version.ts";
import { memoryObjects } from "../../../../src/storage/objects/memory-objects.ts";
import { objectStorage } from "../../../../src/storage/objects/object-storage.ts";
import type { ObjectStore } from "../../../../src/storage/objects/object-store.ts";
import type { Change } from "../../../../src/workspace/changes/change.ts";
import { OBJECT_ROOT, objectLayout } from "../../../layout.ts";
import { ClassObjects } from "../../../storage/classes.ts";
import { workspaceOn } from "../../storages.ts";
import { type Call, interfered, type Interference } from "./interference.ts";
import { ACCESS, at, HOW, isBackup, objectScene, pendingIn, shownObjects, writeForeign } from "./object-scene.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const write = (key: string, text: string, old?: string | null): Change => ({
  kind: "write",
  path: at(key),
  content: bytes(text),
  expect: typeof old === "string" ? versionOfBytes(bytes(old)) : old,
});

const append = (text: string): Change => ({ kind: "append", path: at("log"), bytes: bytes(text) });

/** Acts once, at the first call that matches. */
function once(method: string, key: string, act: () => unknown): (call: Call) => Promise<void> {
  let isDone = false;
  return async (call) => {
    if (isDone || call.method !== method || call.key !== key) return;
    isDone = true;
    await act();
  };
}

/** Commits to a store in which something happens; returns the code of the fault. */
function scene(objects: ObjectStore, interference: Interference) {
  const { workspace, stateHome } = objectScene(interfered(objects, interference));
  const commit = async (...changes: readonly Change[]): Promise<string> => {
    try {
      await workspace.writing?.commit({ changes }, HOW);
      return "ok";
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  };
  return { workspace, stateHome, commit, trash: () => workspace.view(ACCESS).history.trash() };
}

describe("two writers of one object store", () => {
  it("let one win, and tell the other to plan again", async () => {
    const objects = objectLayout(["a = old"]);
    // Two machines: each has a state of its own.
    const commits = ["one", "two", "three"].map((text) => scene(objects, {}).commit(write("a", text, "old")));
    expect((await Promise.all(commits)).toSorted()).toEqual(["ok", "stale", "stale"]);
    expect(await shownObjects(objects)).toEqual([expect.stringMatching(/^a = (?:one|two|three)$/)]);
  });

  it("wait for each other in one process", async () => {
    const objects = objectLayout([]);
    const storage = objectStorage(objects).mount(OBJECT_ROOT);
    const [one, other] = [workspaceOn(storage), workspaceOn(storage)];
    await one.writing?.commit({ changes: [write("log", "", null)] }, HOW);
    const texts = Array.from({ length: 20 }, (_, nth) => `${nth} `);
    await Promise.all(
      texts.map(async (text, nth) => (nth % 2 ? one : other).writing?.commit({ changes: [append(text)] }, HOW)),
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

describe("a put that is refused in the middle", () => {
  it.each(["a", "b", "c"])("puts back the others when somebody has written %s", async (key) => {
    const objects = objectLayout(["a = 1", "b = 2", "c = 3"]);
    const before = once("put", key, () => writeForeign(objects, key, "foreign"));
    const { commit, stateHome, trash } = scene(objects, { before });
    expect(await commit(write("a", "A"), write("b", "B"), write("c", "C"), write("d", "D"))).toBe("stale");
    const left = ["a = 1", "b = 2", "c = 3"].map((line) => (line.startsWith(key) ? `${key} = foreign` : line));
    expect(await shownObjects(objects)).toEqual(left);
    expect([pendingIn(stateHome), await shownObjects(objects, isBackup), trash()]).toEqual([[], [], []]);
  });

  it("keeps what somebody wrote over ours, and what was there before", async () => {
    const objects = objectLayout(["a = 1", "b = 2"]);
    const before = once("put", "b", async () => {
      await writeForeign(objects, "a", "foreign");
      await writeForeign(objects, "b", "foreign too");
    });
    const { commit, trash, workspace } = scene(objects, { before });
    expect(await commit(write("a", "A"), write("b", "B"))).toBe("stale");
    expect(await shownObjects(objects)).toEqual(["a = foreign", "b = foreign too"]);
    const [item, ...others] = trash();
    expect(others).toEqual([]);
    expect(item).toMatchObject({ path: at("a"), session: "recovery", bytes: 1 });
    const kept = await workspace.view(ACCESS).history.contentOf(item?.object as never);
    expect(Buffer.from(kept ?? []).toString()).toBe("1");
  });

  it("does not bring back what somebody has removed", async () => {
    const objects = objectLayout(["a = 1", "b = 2"]);
    const before = once("put", "b", async () => {
      await writeForeign(objects, "a", null);
      await writeForeign(objects, "b", "foreign");
    });
    const { commit, trash } = scene(objects, { before });
    expect(await commit(write("a", "A"), write("b", "B"))).toBe("stale");
    expect(await shownObjects(objects)).toEqual(["b = foreign"]);
    expect(trash()).toMatchObject([{ path: at("a") }]);
  });

  it("removes a copy whose source was changed meanwhile", async () => {
    const objects = objectLayout(["d/a = 1", "d/b = 2"]);
    const before = once("put", "e/b", () => writeForeign(objects, "d/a", "foreign"));
    const { commit } = scene(objects, { before });
    expect(await commit({ kind: "copy", path: at("d"), to: at("e"), replaces: null })).toBe("stale");
    expect(await shownObjects(objects)).toEqual(["d/a = foreign", "d/b = 2"]);
  });

  it("leaves a file that came into a directory while it was moved", async () => {
    const objects = objectLayout(["d/a = 1"]);
    const before = once("put", "e/a", () => writeForeign(objects, "d/new", "foreign"));
    const { commit } = scene(objects, { before });
    expect(await commit({ kind: "move", path: at("d"), to: at("e"), replaces: null })).toBe("ok");
    expect(await shownObjects(objects)).toEqual(["d/new = foreign", "e/a = 1"]);
  });
});

describe("a store that fails", () => {
  it.each(["before", "after"] as const)("is put back when a call fails %s it was made", async (moment) => {
    const objects = objectLayout(["a = 1", "b = 2"]);
    const fail = once("put", "b", () => {
      throw new Error("timed out");
    });
    const { commit, stateHome } = scene(objects, { [moment]: fail });
    expect(await commit(write("a", "A"), write("b", "B"), { kind: "remove", path: at("a"), into: "trash" })).toBe("io");
    expect(await shownObjects(objects)).toEqual(["a = 1", "b = 2"]);
    expect([pendingIn(stateHome), await shownObjects(objects, isBackup)]).toEqual([[], []]);
  });

  it("is not believed when it returns less of an object than there is", async () => {
    const objects = objectLayout([`log = ${"long ".repeat(20)}`]);
    const cut: ObjectStore = { ...objects, get: (key, tag, from) => objects.get(key, tag, from, 20) };
    expect(await scene(cut, {}).commit(append("more"))).toBe("stale");
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
    const before = once("put", "b", async () => {
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
    const { commit, stateHome, workspace } = scene(objects, { before });
    expect(await commit(write("a", "A"), write("b", "B"))).toBe("io");
    expect(await shownObjects(objects)).toEqual(["a = A", "b = 2"]);
    expect(workspace.writing?.counts()).toEqual({ changes: 0, pending: 1 });
    isDown = false;
    expect(await commit(write("c", "C", null))).toBe("ok");
    expect(await shownObjects(objects)).toEqual(["a = 1", "b = 2", "c = C"]);
    expect(pendingIn(stateHome)).toEqual([]);
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
    expect(writing?.guarantees).toMatchObject({ file: "none", changeSet: "compensated" });
  });

  it("may be a class, and is changed by one of its mounts after the other", async () => {
    const objects = new ClassObjects({ log: bytes("") }, false);
    const mounts = [1, 2].map(() => objectStorage(objects, { allowUnconditionalWrites: true }).mount(OBJECT_ROOT));
    const texts = Array.from({ length: 10 }, (_, nth) => `${nth}`);
    const workspaces = mounts.map((storage) => workspaceOn(storage));
    await Promise.all(
      texts.map(async (text, nth) => workspaces[nth % 2]?.writing?.commit({ changes: [append(text)] }, HOW)),
    );
    const [line = ""] = await shownObjects(objects);
    expect(line.replace("log = ", "").split("").toSorted()).toEqual(texts);
  });

  it("is only read otherwise", () => {
    const objects = { ...memoryObjects(), isConditional: false };
    expect(workspaceOn(objectStorage(objects).mount(OBJECT_ROOT)).writing).toBeUndefined();
  });
});
