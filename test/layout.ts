import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { directoryFrom, type MemoryTree } from "../src/storage/memory/nodes.ts";
import { createMemoryStorage } from "../src/storage/memory/storage.ts";
import { memoryObjects } from "../src/storage/objects/memory-objects.ts";
import type { ObjectStore } from "../src/storage/objects/object-store.ts";
import type { Storage } from "../src/storage/storage.ts";

/**
 * Builds a tree and returns its root, gone when the test ends. "d/" is a directory, "f" a file that holds its own
 * name, "f = text" a file that holds the text, "a => b" a link, "../x" lies beside the root.
 */
export function layout(lines: readonly string[]): string {
  const top = mkdtempSync(join(realpathSync(tmpdir()), "layout-"));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "ROOT");
  mkdirSync(root);
  for (const line of lines) {
    const { name, target, text } = planOf(line, root);
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (target !== undefined) symlinkSync(target, path);
    else if (name.endsWith("/")) mkdirSync(path, { recursive: true });
    else writeFileSync(path, text);
  }
  return root;
}

/** The same tree in memory. There is nothing beside its root. */
export function memoryLayout(lines: readonly string[]): Storage {
  const root = "/up/ROOT";
  const planted = {};
  for (const line of lines.filter((each) => !each.startsWith("../"))) {
    const { name, target, text } = planOf(line, root);
    const leaf = target ?? (name.endsWith("/") ? {} : Buffer.from(text));
    plant(planted, name.replace(/\/$/, "").split("/"), leaf);
  }
  return createMemoryStorage(root, directoryFrom(planted));
}

/** Fills in what a line or path leaves open: $ABS is the root, $OUT the directory beside it, $UP the name above. */
export const spelled = (text: string, root: string): string =>
  text
    .replaceAll("$ABS", () => root)
    .replaceAll("$OUT", () => join(dirname(root), "outside"))
    .replaceAll("$UP", () => basename(dirname(root)));

function planOf(line: string, root: string): { name: string; target?: string; text: string } {
  const [name, target] = spelled(line, root).split(" => ") as [string, string?];
  if (target !== undefined) return { name, target, text: "" };
  const [file, text = file] = name.split(" = ") as [string, string?];
  return { name: file, text };
}

type Folder = { [name: string]: MemoryTree };

function plant(folder: Folder, [name = "", ...rest]: readonly string[], leaf: MemoryTree): void {
  if (rest.length > 0) return plant((folder[name] ??= {}) as Folder, rest, leaf);
  folder[name] = leaf instanceof Uint8Array || typeof leaf === "string" ? leaf : { ...(folder[name] as Folder) };
}

/** The same tree in an object store, without links. */
export function objectLayout(lines: readonly string[]): ObjectStore {
  const plans = lines.filter((line) => !line.startsWith("../") && !line.includes(" => "));
  return memoryObjects(
    Object.fromEntries(
      plans.map((line) => {
        const { name, text } = planOf(line, OBJECT_ROOT);
        return [name, name.endsWith("/") ? new Uint8Array() : Buffer.from(text)];
      }),
    ),
  );
}

export const OBJECT_ROOT = "//ROOT";
