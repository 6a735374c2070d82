import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { directoryFrom, type MemoryTree } from "../src/storage/memory/nodes.ts";
import { createMemoryStorage } from "../src/storage/memory/storage.ts";
import { memoryObjects } from "../src/storage/objects/memory-objects.ts";
import type { ObjectStore } from "../src/storage/objects/object-store.ts";
import type { Storage } from "../src/storage/storage.ts";
import { type TreeEntry, treeEntries, treeObjects } from "../src/testing/tree.ts";

/** Builds a tree in the notation of `treeEntries` and returns its root, gone when the test ends. */
export function layout(lines: readonly string[]): string {
  const top = mkdtempSync(join(realpathSync(tmpdir()), "layout-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "ROOT");
  mkdirSync(root);
  for (const entry of treeEntries(lines, root)) {
    const path = join(root, entry.path);
    mkdirSync(dirname(path), { recursive: true });
    if (entry.kind === "link") symlinkSync(entry.target, path);
    else if (entry.kind === "directory") mkdirSync(path, { recursive: true });
    else writeFileSync(path, entry.text);
  }
  return root;
}

/** The same tree in memory. There is nothing beside its root. */
export function memoryLayout(lines: readonly string[], root = "/up/ROOT"): Storage {
  const planted = {};
  for (const entry of treeEntries(lines, root).filter(({ path }) => !path.startsWith("../")))
    plant(planted, entry.path.split("/"), leafOf(entry));
  return createMemoryStorage(root, directoryFrom(planted));
}

function leafOf(entry: TreeEntry): MemoryTree {
  if (entry.kind === "directory") return {};
  return entry.kind === "link" ? entry.target : Buffer.from(entry.text);
}

type Folder = { [name: string]: MemoryTree };

function plant(folder: Folder, [name = "", ...rest]: readonly string[], leaf: MemoryTree): void {
  if (rest.length > 0) return plant((folder[name] ??= {}) as Folder, rest, leaf);
  folder[name] = leaf instanceof Uint8Array || typeof leaf === "string" ? leaf : { ...(folder[name] as Folder) };
}

/** The same tree in an object store, without links. */
export const objectLayout = (lines: readonly string[]): ObjectStore => memoryObjects(treeObjects(lines));
