import { fstatSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createHoldfast, memoryObjects, objectStorage } from "../../src/index.ts";
import { createState } from "../../src/storage/local/state/state.ts";
import { makeZip } from "../content/archives/make-zip.ts";
import { scratch } from "../runtime/scratch.ts";

const synced = vi.hoisted(() => new Set<number>());

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const fsyncSync = (fd: number): void => {
    synced.add(fstatSync(fd).ino);
    fs.fsyncSync(fd);
  };
  return { ...fs, fsyncSync };
});

// A file that is gone may leave its number to another.
beforeEach(() => synced.clear());

const isSynced = (path: string): boolean => synced.has(statSync(path).ino);

describe.each([
  { durability: "power", isDurable: true },
  { durability: "process", isDurable: false },
] as const)("state with the durability $durability", ({ durability, isDurable }) => {
  it("waits for the disk, or not, after lines were appended", () => {
    const home = scratch();
    createState(home, durability).append("lines", "one\n");
    expect(isSynced(join(home, "lines"))).toBe(isDurable);
  });

  it.each([
    { name: "written", make: (home: string) => createState(home, durability).write("folder/file", "text") },
    { name: "appended to", make: (home: string) => createState(home, durability).append("folder/file", "line\n") },
    {
      name: "moved",
      make(home: string) {
        writeFileSync(join(home, "old"), "text");
        createState(home, durability).move("old", "folder/file");
      },
    },
  ])("waits for the entries of a new directory and a file that is $name", ({ make }) => {
    const home = scratch();
    make(home);
    expect([home, join(home, "folder")].map(isSynced)).toEqual([isDurable, isDurable]);
  });

  it("keeps the history of an object store in the same way", async () => {
    const stateDirectory = join(scratch(), "state");
    const storage = objectStorage({ ...memoryObjects(), isDurable, isEphemeral: false });
    const holdfast = createHoldfast({ roots: [{ name: "bucket", storage }], stateDirectory, durability });
    onTestFinished(() => holdfast.close());
    expect(await holdfast.call("write", { path: "a", content: "a" })).toMatchObject({ isError: false });
    const storages = join(stateDirectory, "storages");
    const [journal] = readdirSync(storages, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\/pending\/./.test(name),
    );
    expect(isSynced(join(storages, journal ?? ""))).toBe(isDurable);
  });

  it("waits for the entries of directories that an archive only implies", async () => {
    const root = scratch();
    const options = { stateDirectory: join(scratch(), "state"), profile: "full" as const, durability };
    const holdfast = createHoldfast({ roots: [root], ...options });
    onTestFinished(() => holdfast.close());
    writeFileSync(join(root, "a.zip"), makeZip([{ name: "b/c", content: "text" }]));
    const extracted = await holdfast.call("extract", { archive: "a.zip", into: "new" });
    expect(extracted).toMatchObject({ isError: false });
    expect(["new", "new/b", "new/b/c"].map((name) => isSynced(join(root, name)))).toEqual(
      Array.from({ length: 3 }, () => isDurable),
    );
  });
});
