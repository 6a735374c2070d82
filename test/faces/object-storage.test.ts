import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHoldfast, memoryObjects, memoryStorage, objectStorage } from "../../src/index.ts";
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
      "changes: a change set is put back when a part of it fails; a rename copies; no links; no permissions; " +
        "empty directories may vanish",
    );
    expect(data).toMatchObject({ guarantees: { change_set: "compensated", file: "conditional", rename: "copies" } });
    expect((await holdfast.call("watch", { path: "//bucket" })).text).toContain("does not report changes");
  });
});
