import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHoldfast, memoryObjects, memoryStorage, objectStorage, type ObjectStore } from "../../src/index.ts";
import { scratch } from "../runtime/scratch.ts";
import { interfered } from "../../src/testing/objects/interference.ts";
import { shownObjects, writeForeign } from "../../src/testing/objects/change-set-fixture.ts";

/** A directory, a bucket and a storage in memory, side by side. */
function scene(wrap: (objects: ObjectStore) => ObjectStore = (objects) => objects) {
  const directory = scratch({ "a.txt": "one\n", "d/b.txt": "b\n", "d/e/c.sh": "c\n" });
  chmodSync(join(directory, "d/e/c.sh"), 0o755);
  const objects = memoryObjects({ "there.txt": Buffer.from("there\n") });
  const memory = memoryStorage({ "m.txt": "m\n" });
  const holdfast = createHoldfast({
    roots: [directory, { name: "bucket", storage: objectStorage(wrap(objects)) }, { name: "mem", storage: memory }],
    stateDirectory: join(scratch(), "state"),
    loopDetection: false,
  });
  onTestFinished(() => holdfast.close());
  const call = async (tool: string, input: Record<string, unknown> = {}) => {
    const { isError, text, data } = await holdfast.call(tool, input);
    return { text: isError ? `failed: ${text}` : text, data };
  };
  return { directory, objects, memory, call };
}

describe("a move from one storage to another", () => {
  it("copies a file, deletes the original, and is undone and made again as one", async () => {
    const { directory, objects, call } = scene();
    const { data } = await call("move", { source: join(directory, "a.txt"), destination: "//bucket/x/a.txt" });
    const moved = ["there.txt = there\n", "x/ = ", "x/a.txt = one\n"];
    expect([existsSync(join(directory, "a.txt")), await shownObjects(objects)]).toEqual([false, moved]);
    expect((await call("history")).data).toMatchObject({ changes: [{ tool: "move" }, { tool: "move" }] });
    expect((await call("undo", { change_id: (data as { change_id: string }).change_id })).text).not.toContain("failed");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n");
    expect(await shownObjects(objects)).toEqual(["there.txt = there\n"]);
    const { changes } = (await call("history")).data as { changes: { change_id: string }[] };
    expect(changes).toHaveLength(4);
    expect((await call("undo", { change_id: changes[0]?.change_id })).text).not.toContain("failed");
    expect([existsSync(join(directory, "a.txt")), await shownObjects(objects)]).toEqual([false, moved]);
  });

  it("takes directories, and undoes the last one without a name", async () => {
    const { directory, memory, call } = scene();
    expect((await call("move", { source: join(directory, "d"), destination: "//mem/d" })).text).not.toContain("failed");
    expect(memory.files()).toEqual({ "m.txt": "m\n", "d/b.txt": "b\n", "d/e/c.sh": "c\n" });
    expect(existsSync(join(directory, "d"))).toBe(false);
    expect((await call("undo")).text).not.toContain("failed");
    expect(memory.files()).toEqual({ "m.txt": "m\n" });
    expect(readFileSync(join(directory, "d/e/c.sh"), "utf8")).toBe("c\n");
    expect(statSync(join(directory, "d/e/c.sh")).mode & 0o777).toBe(0o755);
  });

  it("replaces a file, and brings it back", async () => {
    const { directory, objects, call } = scene();
    const input = { source: "//bucket/there.txt", destination: join(directory, "a.txt"), overwrite: true };
    expect((await call("move", input)).text).not.toContain("failed");
    expect([readFileSync(join(directory, "a.txt"), "utf8"), await shownObjects(objects)]).toEqual(["there\n", []]);
    expect((await call("undo")).text).not.toContain("failed");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n");
    expect(await shownObjects(objects)).toEqual(["there.txt = there\n"]);
  });

  it("takes the copy back when the original cannot be deleted", async () => {
    let hasFailed = false;
    const { directory, objects, call } = scene((store) =>
      interfered(store, {
        async before({ method, key }) {
          if (method !== "remove" || key !== "there.txt" || hasFailed) return;
          hasFailed = true;
          throw new Error("no longer reachable");
        },
      }),
    );
    const { text } = await call("move", { source: "//bucket/there.txt", destination: join(directory, "new.txt") });
    expect(text).toContain('Cannot remove "there.txt": its storage failed');
    expect([existsSync(join(directory, "new.txt")), await shownObjects(objects)]).toEqual([
      false,
      ["there.txt = there\n"],
    ]);
  });

  it("is planned again when somebody writes the original meanwhile", async () => {
    let isWritten = false;
    const { directory, objects, call } = scene((store) =>
      interfered(store, {
        async after({ method, key }) {
          if (method !== "get" || key !== "there.txt" || isWritten) return;
          isWritten = true;
          await writeForeign(objects, "there.txt", "foreign\n");
        },
      }),
    );
    const { text } = await call("move", { source: "//bucket/there.txt", destination: join(directory, "new.txt") });
    expect(text).not.toContain("failed");
    expect(readFileSync(join(directory, "new.txt"), "utf8")).toBe("foreign\n");
    expect(await shownObjects(objects)).toEqual([]);
  });

  it("does not mix a directory with one that somebody has made there meanwhile", async () => {
    const { directory, objects, call } = scene((store) =>
      interfered(store, {
        before({ method, key }) {
          if (method === "get" && key === "x/a") mkdirSync(join(directory, "new"), { recursive: true });
        },
      }),
    );
    await writeForeign(objects, "x/a", "a\n");
    const { text } = await call("move", { source: "//bucket/x", destination: join(directory, "new") });
    expect(text).toContain("failed");
    expect(readdirSync(join(directory, "new"))).toEqual([]);
    expect(await shownObjects(objects)).toEqual(["there.txt = there\n", "x/a = a\n"]);
  });

  it("does not take links", async () => {
    const { directory, call } = scene();
    symlinkSync("b.txt", join(directory, "d/link"));
    const { text } = await call("move", { source: join(directory, "d"), destination: "//mem/d" });
    expect(text).toContain("it is no regular file");
    expect(existsSync(join(directory, "d/b.txt"))).toBe(true);
  });
});

describe("a copy from one storage to another", () => {
  it("creates files there, changes nothing here, and is undone", async () => {
    const { directory, objects, memory, call } = scene();
    expect((await call("copy", { source: join(directory, "d"), destination: "//bucket/x/d" })).text).not.toContain(
      "failed",
    );
    expect(await shownObjects(objects)).toEqual(
      expect.arrayContaining(["there.txt = there\n", "x/d/b.txt = b\n", "x/d/e/c.sh = c\n"]),
    );
    expect(readFileSync(join(directory, "d/b.txt"), "utf8")).toBe("b\n");
    expect((await call("history")).data).toMatchObject({ changes: [{ tool: "copy" }] });
    expect((await call("undo")).text).not.toContain("failed");
    expect(await shownObjects(objects)).toEqual(["there.txt = there\n"]);
    expect((await call("copy", { source: "//bucket/there.txt", destination: "//mem/n.txt" })).text).not.toContain(
      "failed",
    );
    expect(memory.files()).toEqual({ "m.txt": "m\n", "n.txt": "there\n" });
  });

  it("is only previewed by a dry run, and replaces what is there only when told", async () => {
    const { directory, objects, call } = scene();
    const input = { source: join(directory, "a.txt"), destination: "//bucket/there.txt" };
    expect((await call("copy", input)).text).toContain("failed");
    expect((await call("copy", { ...input, overwrite: true, dry_run: true })).text).not.toContain("failed");
    expect(await shownObjects(objects)).toEqual(["there.txt = there\n"]);
    expect((await call("copy", { ...input, overwrite: true })).text).not.toContain("failed");
    expect(await shownObjects(objects)).toEqual(["there.txt = one\n"]);
    expect((await call("undo")).text).not.toContain("failed");
    expect(await shownObjects(objects)).toEqual(["there.txt = there\n"]);
  });

  it("reads from a storage that cannot be changed", async () => {
    const { memory, call } = scene((objects) => ({ ...objects, isConditional: false }));
    const input = { source: "//bucket/there.txt", destination: "//mem/n.txt" };
    expect((await call("copy", { ...input, dry_run: true })).text).not.toContain("failed");
    expect((await call("copy", input)).text).not.toContain("failed");
    expect(memory.files()).toEqual({ "m.txt": "m\n", "n.txt": "there\n" });
    expect((await call("move", { ...input, destination: "//mem/o.txt" })).text).toContain("its storage is read-only");
  });

  it("is planned again when somebody writes the original meanwhile", async () => {
    let isWritten = false;
    const { directory, objects, call } = scene((store) =>
      interfered(store, {
        async after({ method, key }) {
          if (method !== "get" || key !== "there.txt" || isWritten) return;
          isWritten = true;
          await writeForeign(objects, "there.txt", "foreign\n");
        },
      }),
    );
    const { text } = await call("copy", { source: "//bucket/there.txt", destination: join(directory, "new.txt") });
    expect(text).not.toContain("failed");
    expect(readFileSync(join(directory, "new.txt"), "utf8")).toBe("foreign\n");
  });
});

it("refuses every other change of several storages", async () => {
  const { directory, call } = scene();
  const patch = ["a.txt", "//bucket/there.txt"].map(
    (name) => `*** Delete File: ${name.startsWith("//") ? name : join(directory, name)}`,
  );
  const { text } = await call("apply_patch", { input: ["*** Begin Patch", ...patch, "*** End Patch"].join("\n") });
  expect(text).toContain("they are in different storages");
  expect(text).toContain("only a move or a copy leads from one to another");
});

describe("an undo of many changes in several storages", () => {
  it("names the roots, and undoes each by its root", async () => {
    const { directory, objects, call } = scene();
    const started = new Date(Date.now() - 1000).toISOString();
    const paths = [join(directory, "d/new.txt"), "//bucket/x/new.txt", "//bucket/there.txt", join(directory, "a.txt")];
    for (const path of paths) await call("write", { path, content: "new\n", overwrite: true });
    const { text } = await call("undo", { since: started });
    expect(text).toContain(`Undo each storage by itself: path: `);
    expect(text).toContain(`path: "//bucket"`);
    expect(text).toContain(`path: ${JSON.stringify(directory)}`);
    expect((await call("undo", { since: started, path: "//bucket" })).text).not.toContain("failed");
    expect(await shownObjects(objects)).toEqual(["there.txt = there\n"]);
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("new\n");
    expect((await call("undo", { since: started, path: directory })).text).not.toContain("failed");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n");
    expect(existsSync(join(directory, "d/new.txt"))).toBe(false);
    expect((await call("undo", { since: started, path: "//bucket" })).text).toContain("no change");
  });

  it("takes both halves of a move back, though only one is named", async () => {
    const { directory, objects, call } = scene();
    await call("move", { source: join(directory, "a.txt"), destination: "//bucket/a.txt" });
    expect((await call("undo", { path: "//bucket" })).text).not.toContain("failed");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n");
    expect(await shownObjects(objects)).toEqual(["there.txt = there\n"]);
  });
});

it("undoes a change below a path, and not again", async () => {
  const { directory, call } = scene();
  const patch = ["*** Begin Patch", "*** Add File: d/x.txt", "+x", "*** Add File: e.txt", "+e", "*** End Patch"];
  await call("apply_patch", { input: patch.join("\n") });
  expect((await call("undo", { path: join(directory, "d") })).text).not.toContain("failed");
  expect([existsSync(join(directory, "d/x.txt")), existsSync(join(directory, "e.txt"))]).toEqual([false, true]);
  expect((await call("undo", { path: join(directory, "d/x.txt") })).text).toContain("failed");
  expect((await call("undo", {})).text).not.toContain("failed");
  expect(existsSync(join(directory, "e.txt"))).toBe(false);
});
