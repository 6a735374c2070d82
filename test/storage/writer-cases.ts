import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ObjectName } from "../../src/storage/writer.ts";
import { writerOf } from "../../src/testing/writer-row.ts";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import { codeOf } from "../../src/testing/picture.ts";
import { layout } from "../layout.ts";

/** Lists both ways to confine a local writer. */
export const CONTAINMENTS = ["handle", "best-effort"] as const;

/** Opens the writer of a new tree. Its state lies beside it, on the same disk. */
export function openWriter(
  containment: (typeof CONTAINMENTS)[number],
  tree: readonly string[],
  inner: readonly string[] = [],
) {
  const root = layout(tree);
  const roots = [root, ...inner.map((way) => join(root, way))];
  const writing = { stateDirectory: join(dirname(root), "state"), durability: "process" } as const;
  const writer = writerOf(createLocalStorage(roots, { containment, writerOptions: writing }));
  const at = (way: string) => join(root, way) as SafePath;
  return { root, writer, at, object: (name: string): ObjectName => writer.objectFor(at("x"), "objects", name) };
}

export const statsAt = (path: string) => {
  const { mode, uid, gid } = lstatSync(path);
  return { mode: mode & 0o7777, uid, gid };
};

/** Returns the result, or the code of the fault. */
export function refusal(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return codeOf(error);
  }
}
