import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { dirname, join, relative } from "node:path";
import { stateBeside } from "../runtime/scratch.ts";
import type { Laid } from "./scenario-layout.ts";

/** All there is, by path relative to the root, in the notation of a layout. What lies beside the root starts with "..". */
export type Tree = Readonly<Record<string, Laid>>;

/** Returns the root and its siblings without our own state. Times are included only for the paths in `timed`. */
export function treeOf(root: string, timed: ReadonlySet<string> = new Set()): Tree {
  return Object.fromEntries(
    pathsBelow(dirname(root), stateBeside(root)).map((path) => {
      const stats = lstatSync(path);
      const name = `${relative(root, path)}${stats.isDirectory() ? "/" : ""}`;
      return [name, { ...laidAt(path, stats), ...(timed.has(name) && { modified: stats.mtime.toISOString() }) }];
    }),
  );
}

function pathsBelow(folder: string, left: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (path === left) return [];
    return entry.isDirectory() ? [path, ...pathsBelow(path, left)] : [path];
  });
}

function laidAt(path: string, stats: Stats): Laid {
  if (stats.isSymbolicLink()) return { link: readlinkSync(path) };
  const mode = (stats.mode & 0o7777).toString(8);
  return stats.isDirectory() ? { mode } : { mode, ...contentOf(readFileSync(path)) };
}

const contentOf = (bytes: Buffer): Laid =>
  isUtf8(bytes) ? { text: bytes.toString("utf8") } : { base64: bytes.toString("base64") };
