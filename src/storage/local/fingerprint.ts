import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync } from "node:fs";
import type { TreeEntries } from "../writer.ts";
import type { SafePath } from "../storage.ts";
import { factsOf } from "./facts.ts";
import type { Jail } from "./jail/jail.ts";
import type { EntryRef } from "./entry-ref.ts";
import { isVisited } from "./visit-tree.ts";

/**
 * Names the state of a file or a whole tree without reading any: what is where, how large, and when it last changed. Null for
 * one that has more than `most` entries, or is too deep to be held open on the way down.
 */
export function fingerprintOf(jail: Jail, spot: EntryRef, most: number): string | null {
  const stats = lstatSync(spot.at, { bigint: true, throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) return stateOf(stats);
  const hash = createHash("sha256");
  const isWhole = isVisited(jail, spot, most, (way, found) => {
    hash
      .update(way)
      .update("\0")
      .update(found ? stateOf(found) : "nothing");
    return true;
  });
  return isWhole ? hash.digest("hex") : null;
}

/** Of a directory only what is in it counts: a name that came and went leaves other times, and nothing else. */
const stateOf = (stats: BigIntStats): string => {
  const { dev, ino, mode, size, mtimeNs } = stats;
  return `${dev}:${ino} ${mode} ${stats.isDirectory() ? "" : `${size} ${mtimeNs}`}\n`;
};

/** Lists everything in a tree, the tree itself as "". Null where nothing is, or more than `most` entries, or too deep. */
export function entriesIn(
  jail: Jail,
  spot: EntryRef,
  most: number,
  isLeftOut: (way: string) => boolean,
): TreeEntries | null {
  const entries = new Map<string, ReturnType<typeof factsOf>>();
  const isWhole = isVisited(jail, spot, most, (bytes, stats) => {
    const way = nameOf(bytes);
    if (!stats || isLeftOut(way)) return false;
    entries.set(way, factsOf(stats, way as SafePath));
    return true;
  });
  return isWhole && entries.size > 0 ? entries : null;
}

/** No two names become one: a NUL is in none. */
const nameOf = (way: Buffer): string => (isUtf8(way) ? way.toString() : `\0${way.toString("latin1")}`);
