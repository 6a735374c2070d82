import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync } from "node:fs";
import type { TreeEntries } from "../writer.ts";
import type { SafePath } from "../storage.ts";
import { factsOf } from "./facts-of-stats.ts";
import type { Jail } from "./jail/jail.ts";
import type { EntryRef } from "./entry-ref.ts";
import { tryVisitTree } from "./visit-tree.ts";

/**
 * Hashes the state of a file or a whole tree without reading content: names, sizes and times. Returns null for a tree
 * that has more than `most` entries, or is too deep to keep its directories open on the way down.
 */
export function fingerprintOf(jail: Jail, ref: EntryRef, most: number): string | null {
  const stats = lstatSync(ref.fsPath, { bigint: true, throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) return stateOf(stats);
  const hash = createHash("sha256");
  const isComplete = tryVisitTree(jail, ref, most, (relativePath, found) => {
    hash
      .update(relativePath)
      .update("\0")
      .update(found ? stateOf(found) : "nothing");
    return true;
  });
  return isComplete ? hash.digest("hex") : null;
}

/** Leaves out size and times of a directory: they also change when a name came and went. */
const stateOf = (stats: BigIntStats): string => {
  const { dev, ino, mode, size, mtimeNs } = stats;
  return `${dev}:${ino} ${mode} ${stats.isDirectory() ? "" : `${size} ${mtimeNs}`}\n`;
};

/**
 * Lists everything in a tree, the tree itself as "". Returns null where nothing is there, or more than `most` entries,
 * or a tree too deep.
 */
export function entriesIn(
  jail: Jail,
  ref: EntryRef,
  most: number,
  isExcluded: (relativePath: string) => boolean,
): TreeEntries | null {
  const entries = new Map<string, ReturnType<typeof factsOf>>();
  const isComplete = tryVisitTree(jail, ref, most, (bytes, stats) => {
    const relativePath = pathText(bytes);
    if (!stats || isExcluded(relativePath)) return false;
    entries.set(relativePath, factsOf(stats, relativePath as SafePath));
    return true;
  });
  return isComplete && entries.size > 0 ? entries : null;
}

/** Marks names that are not UTF-8 with a NUL, which is in no name, so that no two names become one. */
const pathText = (relativePath: Buffer): string =>
  isUtf8(relativePath) ? relativePath.toString() : `\0${relativePath.toString("latin1")}`;
