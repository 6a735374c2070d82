import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { childOf } from "../../base/paths.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";

/** Finds paths in trees again and again, and reads only those directories whose names may have changed since. */
export interface TreeCache {
  /** Returns the paths below some directories that match now. Follows no links, and does not enter what matches. */
  matching(tops: readonly string[], matches: (path: string) => boolean, checkpoint: Checkpoint): Promise<string[]>;
}

/**
 * Remembers the directories of a tree, and those names that `mayMatch` accepts. A directory that has not changed is
 * recognised by its inode and its change time, which no program can set.
 */
export function createTreeCache(mayMatch: (path: string) => boolean, nowMs: () => number = Date.now): TreeCache {
  let known: ReadonlyMap<string, KnownDirectory> = new Map();
  return {
    async matching(tops, matches, checkpoint) {
      const seen = new Map<string, KnownDirectory>();
      const found: string[] = [];
      const queue = [...tops];
      for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
        const pause = checkpoint();
        if (pause) await pause;
        const directory = lookAt(path, known.get(path), { mayMatch, nowMs });
        if (directory === "gone") continue;
        if (directory === "closed") {
          found.push(path);
          continue;
        }
        seen.set(path, directory);
        const matched = new Set(directory.candidates.filter(matches));
        found.push(...matched);
        queue.push(...directory.directories.filter((each) => !matched.has(each)));
      }
      known = seen;
      return found;
    },
  };
}

interface KnownDirectory {
  readonly device: bigint;
  readonly inode: bigint;
  readonly changedNs: bigint;
  /** Says that a later change would have another time: the clock of the disk had moved on when it was read. */
  readonly isSettled: boolean;
  readonly directories: readonly string[];
  readonly candidates: readonly string[];
}

interface Reading {
  readonly mayMatch: (path: string) => boolean;
  readonly nowMs: () => number;
}

/** Returns what is in a directory. One that we cannot list is closed: we cannot tell what is in it. */
function lookAt(path: string, known: KnownDirectory | undefined, reading: Reading): KnownDirectory | "gone" | "closed" {
  try {
    const stats = lstatSync(path, { bigint: true });
    if (!stats.isDirectory()) return "gone";
    return known?.isSettled && isSame(known, stats) ? known : readDirectory(path, stats, reading);
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EACCES") return "closed";
    if (code === "ENOENT" || code === "ENOTDIR") return "gone";
    throw error;
  }
}

const isSame = (known: KnownDirectory, { dev, ino, ctimeNs }: BigIntStats): boolean =>
  known.inode === ino && known.changedNs === ctimeNs && known.device === dev;

/** Expects the facts of the directory from before: what changes while it is read is noticed the next time. */
function readDirectory(path: string, { dev, ino, ctimeNs }: BigIntStats, { mayMatch, nowMs }: Reading): KnownDirectory {
  const isSettled = BigInt(nowMs()) - ctimeNs / NS_PER_MS > COARSEST_CLOCK_MS;
  const entries = readdirSync(path, { withFileTypes: true });
  return {
    device: dev,
    inode: ino,
    changedNs: ctimeNs,
    isSettled,
    directories: entries.filter((entry) => entry.isDirectory()).map(({ name }) => childOf(path, name)),
    candidates: entries.map(({ name }) => childOf(path, name)).filter(mayMatch),
  };
}

const NS_PER_MS = 1_000_000n;
/** Disks note times in steps of up to two seconds. */
const COARSEST_CLOCK_MS = 2000n;
