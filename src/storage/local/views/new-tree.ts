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
      const plain = plainEntry(harvesting, handle.fd, name, bytes);
      if (plain?.kind === "file" && !marks.has("impure")) {
        noteName(tree, name, bytes);
        tree.files++;
        tree.bytes += plain.size;
        continue;
      }
      const entry = { at: rawEntry(handle, bytes), path: childOf(path, name) };
      if (plain?.kind === "directory" && depth < LIMITS.openDepth) {
        noteName(tree, name, bytes);
        await cleanDirectory(harvesting, tree, entry, depth + 1);
        continue;
      }
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

interface PlainEntry {
  readonly kind: "file" | "directory";
  readonly size: number;
}

/**
 * Describes a file or a directory of which nothing has to be dropped. An install has a hundred thousand of them: a path
 * through an open directory takes about twice as long as a plain one. Returns undefined for all that needs
 * a closer look.
 */
function plainEntry(
  { kernel, owners }: Harvesting,
  directory: number | undefined,
  name: string,
  bytes: Buffer,
): PlainEntry | undefined {
  if (directory === undefined || !isUtf8(bytes) || !kernel.stat(directory, name, STATX)) return undefined;
  const [mode = 0, uid = -1] = [STATX_HALVES[STATX_MODE], STATX_WORDS[STATX_UID]];
  const kind = PLAIN_KINDS.get(mode & FILE_TYPE);
  if (kind === undefined || !owners.has(uid) || (kind === "file" && (mode & SET_ID) !== 0)) return undefined;
  return { kind, size: Number(STATX_LONGS[STATX_SIZE]) };
}

/** One `struct statx`, which is read before the next call, and where its fields are in units of their own size. */
const STATX = Buffer.allocUnsafeSlow(256);
const STATX_HALVES = new Uint16Array(STATX.buffer);
const STATX_WORDS = new Uint32Array(STATX.buffer);
const STATX_LONGS = new BigUint64Array(STATX.buffer);
const [STATX_UID, STATX_MODE, STATX_SIZE] = [5, 14, 5];
const FILE_TYPE = 0o170000;
const PLAIN_KINDS: ReadonlyMap<number, PlainEntry["kind"]> = new Map([
  [0o100000, "file"],
  [0o040000, "directory"],
]);

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
