import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHoldfast, memoryObjects, memoryStorage, type MountableStorage, objectStorage } from "../../src/index.ts";
import { scratch } from "../runtime/scratch.ts";

/** An engine on an object store named "bucket", with a storage in memory beside it. */
function bucket() {
  const objects = memoryObjects({ "a.txt": Buffer.from("one\n"), "d/b.txt": Buffer.from("b\n") });
  const roots = [
    { name: "bucket", storage: objectStorage(objects) },
    { name: "scratch", storage: memoryStorage({ "n.txt": "n\n" }) },
  ];
  const holdfast = createHoldfast({ roots, stateDirectory: join(scratch(), "state"), loopDetection: false });
  onTestFinished(() => holdfast.close());
  return { objects, holdfast };
}

describe("an object store as a root", () => {
  it("is read, searched and changed like a directory", async () => {
    const { holdfast, objects } = bucket();
    const call = async (tool: string, input: Record<string, unknown>) => {
      const { isError, text } = await holdfast.call(tool, input);
      return isError ? `failed: ${text}` : text;
    };
    expect(await call("read", { path: "//bucket/d/b.txt" })).toContain("b");
    expect(await call("grep", { pattern: "one", path: "//bucket" })).toContain("a.txt");
    expect(await call("find", { pattern: "**/*.txt", path: "//bucket" })).toContain("d/b.txt");
    expect(await call("tree", { path: "//bucket" })).toContain("b.txt");
    expect(await call("edit", { path: "//bucket/a.txt", oldText: "one", newText: "two" })).toContain("a.txt");
    expect((await objects.head("a.txt"))?.size).toBe(4);
    expect(await call("read", { path: "//bucket/a.txt" })).toContain("two");
    expect(await call("undo", {})).not.toContain("failed");
    expect(await call("read", { path: "//bucket/a.txt" })).toContain("one");
  });

  it("says what it guarantees, and refuses what needs more", async () => {
    const { holdfast } = bucket();
    const { text, data } = await holdfast.call("session", {});
    expect(text).toContain(
      "//bucket: read, write; containment object-store; a change set is put back when a part of it fails; " +
        "a rename copies; no links; no permissions; empty directories may vanish\n" +
        "//scratch: read, write; containment in-memory\n",
    );
    expect(data).toMatchObject({
      roots: [
        {
          containment: "object-store",
          guarantees: { change_set: "compensated", file: "conditional", rename: "copies" },
        },
        { containment: "in-memory", guarantees: { change_set: "atomic" } },
      ],
    });
    expect(data).not.toHaveProperty("guarantees");
    expect((await holdfast.call("watch", { path: "//bucket" })).text).toContain("does not report changes");
  });

  it("says so once where it is the only storage", async () => {
    const holdfast = createHoldfast({ roots: [{ name: "bucket", storage: objectStorage(memoryObjects()) }] });
    onTestFinished(() => holdfast.close());
    const { text, data } = await holdfast.call("session", {});
    expect(text).toContain("//bucket: read, write\n");
    expect(text).toContain("containment object-store");
    expect(text).toContain("changes: a change set is put back when a part of it fails");
    expect(data).toMatchObject({ containment: "object-store", guarantees: { change_set: "compensated" } });
  });
});

const openedDurably = (storage: MountableStorage) => () =>
  createHoldfast({ roots: [{ name: "kv", storage }], durability: "power" }).close();

describe('the durability "power"', () => {
  it.each([
    { name: "an object store", storage: objectStorage(memoryObjects()) },
    { name: "memory", storage: memoryStorage() },
  ])("is refused for $name that does not promise it", ({ storage }) => {
    expect(openedDurably(storage)).toThrow('Cannot use //kv with durability "power": its storage does not promise');
  });

  it.each([
    { name: "a store that promises it", objects: { ...memoryObjects(), isDurable: true } },
    { name: "a store that is only read", objects: { ...memoryObjects(), isConditional: false } },
  ])("is accepted for $name", ({ objects }) => {
    expect(openedDurably(objectStorage(objects))).not.toThrow();
  });
});
