import { isUtf8 } from "node:buffer";
import { type BigIntStats, chmodSync, lstatSync, type Stats, unlinkSync } from "node:fs";
import { LIMITS } from "../../../base/limits.ts";
import { childOf } from "../../../base/paths.ts";
import type { Facts, SafePath } from "../../storage.ts";
import { eraseAt } from "../erase.ts";
import { factsOf } from "../facts-of-stats.ts";
import { kindOfStats, rawEntry } from "../jail/jail.ts";
import type { Harvesting, UpperEntry } from "./harvesting.ts";
import { marksOf, removeMarks } from "./overlay-marks.ts";
import { namesIn } from "./survey.ts";

/** Describes a directory that a command made. */
interface NewTree {
  files: number;
  bytes: number;
  /** Is true when something was removed from it: then it began as a directory of the root. */
  hasWhiteouts: boolean;
  /** Is true when it holds a repository of git. */
  hasGit: boolean;
  /** Holds every name in it once; undefined where there are too many, or one is not UTF-8. */
  names: Set<string> | undefined;
}

/** Counts a directory that is moved as one, and removes from it what must not be applied, with the marks inside. */
export async function cleanTree(harvesting: Harvesting, { at, path }: Entry): Promise<NewTree> {
  const tree: NewTree = { files: 0, bytes: 0, hasWhiteouts: false, hasGit: false, names: new Set() };
  await cleanDirectory(harvesting, tree, { at, path }, 0);
  return tree;
}

type Entry = Omit<UpperEntry, "object">;

/**
 * Cleans one directory. Only directories have marks, and copies of files of the root: the overlay marks a directory as
 * impure before it gets one. That mark goes last, so that a harvest which is cut short can be made again.
 */
async function cleanDirectory(
  harvesting: Harvesting,
  tree: NewTree,
  { at, path }: Entry,
  depth: number,
): Promise<void> {
  const { checkpoint, jail, kernel } = harvesting;
  await checkpoint();
  const marks = marksOf(kernel, at);
  const handle = jail.openDirectory(at);
  try {
    for (const bytes of namesIn(handle.rawPath ?? handle.fsPath) ?? []) {
      const name = bytes.toString();
      const entry = { at: rawEntry(handle, bytes), path: childOf(path, name) };
      const stats = lstatSync(entry.at);
      if (mustDrop(harvesting, stats, depth)) {
        await drop(harvesting, tree, entry, stats, depth);
        continue;
      }
      noteName(tree, name, bytes);
      if (stats.isDirectory()) await cleanDirectory(harvesting, tree, entry, depth + 1);
      else countFile(harvesting, tree, entry, stats);
      if (marks.has("impure") && !stats.isDirectory()) removeMarks(kernel, entry.at);
    }
  } finally {
    jail.steps.close(handle);
  }
  // The marks of the tree itself say what it is, until it is moved.
  if (depth > 0 && marks.size > 0) removeMarks(kernel, at);
}

const mustDrop = (harvesting: Harvesting, stats: Stats, depth: number): boolean =>
  isWhiteout(stats) || whyDropped(harvesting, stats, depth) !== undefined;

const whyDropped = (harvesting: Harvesting, stats: Stats, depth: number): string | undefined =>
  stats.isDirectory() && depth >= LIMITS.openDepth ? "its directories are too deep" : whyRefusedNew(harvesting, stats);

async function drop(harvesting: Harvesting, tree: NewTree, entry: Entry, stats: Stats, depth: number): Promise<void> {
  if (isWhiteout(stats)) {
    tree.hasWhiteouts = true;
    return unlinkSync(entry.at);
  }
  harvesting.refuse(entry.path, whyDropped(harvesting, stats, depth) ?? "");
  await eraseAt(harvesting.jail, entry.at);
}

function noteName(tree: NewTree, name: string, bytes: Buffer): void {
  tree.hasGit ||= name.toLowerCase() === ".git";
  if (tree.names === undefined || tree.names.has(name)) return;
  tree.names = isUtf8(bytes) && tree.names.size < LIMITS.viewTreeNames ? tree.names.add(name) : undefined;
}

function countFile(harvesting: Harvesting, tree: NewTree, entry: Entry, stats: Stats): void {
  tree.files++;
  if (!stats.isFile()) return;
  tree.bytes += stats.size;
  dropSetIdBits(harvesting, entry, stats, 0);
}

/** Detects what stands for a removed entry. */
export const isWhiteout = (stats: Stats | BigIntStats): boolean =>
  stats.isCharacterDevice() && Number(stats.rdev) === 0;

/** Returns why an entry is not applied; undefined when it is. */
export function whyRefused(harvesting: Harvesting, stats: BigIntStats, lower: Facts | null): string | undefined {
  const reason = whyRefusedNew(harvesting, stats);
  return reason === FOREIGN && factsOf(stats, "" as SafePath).owner === lower?.owner ? undefined : reason;
}

function whyRefusedNew({ owners }: Harvesting, stats: Stats | BigIntStats): string | undefined {
  if (kindOfStats(stats) === "other") return "it is a FIFO, socket or device";
  return owners.has(Number(stats.uid)) ? undefined : FOREIGN;
}

const FOREIGN = "it belongs to another user";

/** Clears the set-id bits that a file of the root did not have; returns the permissions that are left. */
export function dropSetIdBits(
  { refuse }: Harvesting,
  { at, path }: Entry,
  stats: Stats | BigIntStats,
  allowed: number,
): number {
  const mode = Number(stats.mode) & 0o7777;
  const dropped = stats.isFile() ? mode & SET_ID & ~allowed : 0;
  if (dropped === 0) return mode;
  chmodSync(at, mode & ~dropped);
  refuse(path, "its set-id bits were dropped");
  return mode & ~dropped;
}

const SET_ID = 0o6000;
