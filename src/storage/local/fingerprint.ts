import { createHash, type Hash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { LIMITS } from "../../base/limits.ts";
import { type Jail, rawEntry } from "./jail.ts";
import type { Spot } from "./places.ts";

/**
 * Names the state of a file or a whole tree without reading any: what is where, how large, and when it last changed. Null for
 * one that has more than `most` entries, or is too deep to be held open on the way down.
 */
export function fingerprintOf(jail: Jail, { at }: Spot, most: number): string | null {
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  if (stats && !stats.isDirectory()) return factsOf(stats);
  const tally: Tally = { hash: createHash("sha256"), left: most };
  return isAdded(jail, Buffer.from(at), tally, 0) ? tally.hash.digest("hex") : null;
}

interface Tally {
  readonly hash: Hash;
  /** Entries that may still come. */
  left: number;
}

/** Names are taken byte for byte. */
function isAdded(jail: Jail, at: Buffer, tally: Tally, depth: number): boolean {
  if (tally.left-- <= 0 || depth > LIMITS.heldDepth) return false;
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  tally.hash.update(stats ? factsOf(stats) : "nothing");
  return !stats?.isDirectory() || isDirectoryAdded(jail, at, tally, depth);
}

/** Of a directory only what is in it counts: a name that came and went leaves other times, and nothing else. */
const factsOf = (stats: BigIntStats): string => {
  const { dev, ino, mode, size, mtimeNs } = stats;
  return `${dev}:${ino} ${mode} ${stats.isDirectory() ? "" : `${size} ${mtimeNs}`}\n`;
};

function isDirectoryAdded(jail: Jail, at: Buffer, tally: Tally, depth: number): boolean {
  const held = jail.hold(at);
  try {
    for (const name of readdirSync(held.raw ?? held.reach, "buffer").toSorted(Buffer.compare)) {
      tally.hash.update(name).update("\0");
      if (!isAdded(jail, rawEntry(held, name), tally, depth + 1)) return false;
    }
    tally.hash.update("/");
    return true;
  } finally {
    jail.steps.close(held);
  }
}
