import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createLocalStorage } from "../../../../src/storage/local/local.ts";
import type { Containment, SafePath } from "../../../../src/storage/storage.ts";
import type { PictureDirectories } from "../../../../src/storage/pictures.ts";
import { entriesOfPicture, type PictureBytes } from "../../../../src/storage/picture-entries.ts";
import { comparePictures } from "../../../../src/workspace/changes/pictures/compare.ts";
import { scratch, stateBeside } from "../../../runtime/scratch.ts";

const TREE = { "a.txt": "a\n", "d/e/f": "f\n", "d.txt": "between d and d/e\n", "d/ü": "name\n", "z/empty": null };

function picturesOf(root: string, containment?: Containment): PictureDirectories {
  const writerOptions = { stateDirectory: stateBeside(root), durability: "process" } as const;
  const { writer } = createLocalStorage([root], { containment, writerOptions });
  const found = writer?.kind === "transactional" ? writer.writer.pictures : undefined;
  if (!found) throw new Error("This storage takes no pictures");
  return found;
}

async function scanned(root: string, containment?: Containment, most = 1000): Promise<PictureBytes> {
  const bytes = await picturesOf(root, containment).scan(root as SafePath, most, () => {});
  if (!bytes) throw new Error("There are too many entries");
  return bytes;
}

it("lists every entry, a directory before what is in it, and nothing of ours", async () => {
  const root = scratch({ ...TREE, ".holdfast-store/x": "ours\n", link: { link: "a.txt" } });
  const entries = [...entriesOfPicture(await scanned(root))].map(({ path, kind }) => `${kind} ${path}`);
  expect(entries).toEqual([
    "file a.txt",
    "directory d",
    "directory d/e",
    "file d/e/f",
    "file d/ü",
    "file d.txt",
    "symlink link",
    "directory z",
    "directory z/empty",
  ]);
});

it("is the same whether the kernel or Node is asked", async () => {
  const root = scratch(TREE);
  const [one, other] = [await scanned(root), await scanned(root, "best-effort")];
  expect([...entriesOfPicture(one)]).toEqual([...entriesOfPicture(other)]);
  expect(comparePictures(one, other)).toEqual([]);
});

it("is refused where there are too many entries", async () => {
  const root = scratch(TREE);
  expect(await picturesOf(root).scan(root as SafePath, 5, () => {})).toBeNull();
});

it.each([
  { name: "nothing", change: () => {}, gives: [] },
  { name: "a new file", change: (at: At) => writeFileSync(at("b"), ""), gives: ["+b"] },
  { name: "a new tree", change: (at: At) => mkdirSync(at("d/n/o"), { recursive: true }), gives: ["+d/n", "+d/n/o"] },
  { name: "another content", change: (at: At) => writeFileSync(at("d/e/f"), "other\n"), gives: ["~d/e/f"] },
  { name: "another mode", change: (at: At) => chmodSync(at("d/e"), 0o700), gives: ["~d/e"] },
  {
    name: "a deleted tree",
    change: (at: At) => rmSync(at("d"), { recursive: true }),
    gives: ["-d", "-d/e", "-d/e/f", "-d/ü"],
  },
  {
    name: "a renamed tree",
    change: (at: At) => renameSync(at("d/e"), at("d/x")),
    gives: ["-d/e", "-d/e/f", "+d/x", "+d/x/f"],
  },
  {
    name: "a file in place of a directory",
    change: (at: At) => {
      rmSync(at("d/e"), { recursive: true });
      writeFileSync(at("d/e"), "");
    },
    gives: ["~d/e", "-d/e/f"],
  },
  {
    name: "a link in place of a file",
    change: (at: At) => {
      rmSync(at("a.txt"));
      symlinkSync("d", at("a.txt"));
    },
    gives: ["~a.txt"],
  },
])("tells $name", async ({ change, gives }) => {
  const root = scratch(TREE);
  const before = await scanned(root);
  change((name) => join(root, name));
  const found = comparePictures(before, await scanned(root));
  expect(found.map(({ path, before: was, after: is }) => `${was ? (is ? "~" : "-") : "+"}${path}`)).toEqual(gives);
});

type At = (name: string) => string;

it("closes every directory of a scan that is cancelled", async () => {
  const root = scratch(TREE);
  const pictures = picturesOf(root);
  const cancelled = (): Promise<unknown> =>
    pictures.scan(root as SafePath, 1000, () => Promise.reject(new Error("cancelled")));
  await expect(cancelled()).rejects.toThrow("cancelled");
  const open = readdirSync("/proc/self/fd").length;
  await expect(cancelled()).rejects.toThrow("cancelled");
  expect(readdirSync("/proc/self/fd").length).toBe(open);
});
