import { type BigIntStats, chmodSync, lstatSync, unlinkSync } from "node:fs";
import { LIMITS } from "../../../base/limits.ts";
import { childOf } from "../../../base/paths.ts";
import type { Facts, SafePath } from "../../storage.ts";
import { eraseAt } from "../erase.ts";
import { factsOf } from "../facts-of-stats.ts";
import { kindOfStats, rawEntry } from "../jail/jail.ts";
import type { Harvesting, UpperEntry } from "./harvesting.ts";
import { removeMarks } from "./overlay-marks.ts";
import { namesIn } from "./survey.ts";

/** Describes a directory that a command made. */
interface NewTree {
  files: number;
  bytes: number;
  /** Is true when something was removed from it: then it began as a directory of the root. */
  hasWhiteouts: boolean;
  /** Is true when it holds a repository of git. */
  hasGit: boolean;
}

/** Counts a directory that is moved as one, and removes from it what must not be applied, with the marks inside. */
export async function cleanTree(harvesting: Harvesting, { at, path }: Omit<UpperEntry, "object">): Promise<NewTree> {
  const tree: NewTree = { files: 0, bytes: 0, hasWhiteouts: false, hasGit: false };
  await cleanDirectory(harvesting, tree, { at, path }, 0);
  return tree;
}

type Entry = Omit<UpperEntry, "object">;

async function cleanDirectory(
  harvesting: Harvesting,
  tree: NewTree,
  { at, path }: Entry,
  depth: number,
): Promise<void> {
  await harvesting.checkpoint();
  if (depth > LIMITS.openDepth) return;
  const handle = harvesting.jail.openDirectory(at);
  try {
    for (const name of namesIn(handle.rawPath ?? handle.fsPath) ?? []) {
      const entry = { at: rawEntry(handle, name), path: childOf(path, name.toString()) };
      const stats = lstatSync(entry.at, { bigint: true });
      if (await isDropped(harvesting, tree, entry, stats)) continue;
      removeMarks(harvesting.kernel, entry.at);
      tree.hasGit ||= name.toString().toLowerCase() === ".git";
      if (stats.isDirectory()) await cleanDirectory(harvesting, tree, entry, depth + 1);
      else countFile(harvesting, tree, entry, stats);
    }
  } finally {
    harvesting.jail.steps.close(handle);
  }
}

async function isDropped(harvesting: Harvesting, tree: NewTree, entry: Entry, stats: BigIntStats): Promise<boolean> {
  if (isWhiteout(stats)) {
    tree.hasWhiteouts = true;
    unlinkSync(entry.at);
    return true;
  }
  const reason = whyRefused(harvesting, stats, null);
  if (reason === undefined) return false;
  harvesting.refuse(entry.path, reason);
  await eraseAt(harvesting.jail, entry.at);
  return true;
}

function countFile(harvesting: Harvesting, tree: NewTree, entry: Entry, stats: BigIntStats): void {
  tree.files++;
  if (!stats.isFile()) return;
  tree.bytes += Number(stats.size);
  dropSetIdBits(harvesting, entry, stats, 0);
}

/** Detects what stands for a removed entry. */
export const isWhiteout = (stats: BigIntStats): boolean => stats.isCharacterDevice() && stats.rdev === 0n;

/** Returns why an entry is not applied; undefined when it is. */
export function whyRefused({ owners }: Harvesting, stats: BigIntStats, lower: Facts | null): string | undefined {
  if (kindOfStats(stats) === "other") return "it is a FIFO, socket or device";
  if (owners.has(stats.uid)) return undefined;
  return factsOf(stats, "" as SafePath).owner === lower?.owner ? undefined : "it belongs to another user";
}

/** Clears the set-id bits that a file of the root did not have; returns the permissions that are left. */
export function dropSetIdBits(
  { refuse }: Harvesting,
  { at, path }: Entry,
  stats: BigIntStats,
  allowed: number,
): number {
  const mode = Number(stats.mode & 0o7777n);
  const dropped = stats.isFile() ? mode & SET_ID & ~allowed : 0;
  if (dropped === 0) return mode;
  chmodSync(at, mode & ~dropped);
  refuse(path, "its set-id bits were dropped");
  return mode & ~dropped;
}

const SET_ID = 0o6000;
