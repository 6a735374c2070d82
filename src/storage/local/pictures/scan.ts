import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { isMissing } from "../errno.ts";
import { errnoOf } from "../../../base/errno.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf } from "../../../base/paths.ts";
import { OWN_NAMES } from "../../../base/product.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { PictureBytes } from "../../picture-entries.ts";
import type { SafePath } from "../../storage.ts";
import type { Handle, Jail } from "../jail/jail.ts";
import type { Kernel } from "../jail/kernel.ts";
import { createEncoder, type Encoder } from "./encoder.ts";

interface ScanOptions {
  readonly most: number;
  readonly checkpoint: Checkpoint;
  /** Names the directory of our own state, which may lie in a root. */
  readonly stateDirectory: string;
}

/**
 * Lists all entries of a root, sorted, without reading any. Leaves out our own files, and names that are not UTF-8,
 * which no path of ours can have. Does not enter other disks. Returns null where there are too many entries.
 */
export async function scanRoot(
  jail: Jail,
  kernel: Kernel | null,
  root: SafePath,
  { most, ...options }: ScanOptions,
): Promise<PictureBytes | null> {
  const encoder = createEncoder();
  const handle = jail.steps.openRoot(root);
  try {
    const { dev } = jail.stats(handle);
    const listable = jail.openSubdirectory(handle, ".");
    try {
      const scan = { jail, kernel, encoder, most, device: dev, ...options };
      return (await scanDirectory(scan, listable ?? handle, root, 0)) ? encoder.bytes() : null;
    } finally {
      if (listable) jail.steps.close(listable);
    }
  } finally {
    jail.steps.close(handle);
  }
}

interface Scan extends ScanOptions {
  readonly jail: Jail;
  readonly kernel: Kernel | null;
  readonly encoder: Encoder;
  readonly device: bigint;
}

/** Returns false where there are too many entries. */
async function scanDirectory(scan: Scan, handle: Handle, path: SafePath, depth: number): Promise<boolean> {
  const pause = scan.checkpoint();
  if (pause) await pause;
  const { encoder, jail, stateDirectory } = scan;
  for (const name of namesIn(jail, handle)) {
    if (name.startsWith(OWN_NAMES) || name.includes("\uFFFD")) continue;
    const added = addEntry(scan, handle, name, depth);
    if (encoder.count() > scan.most) return false;
    if (!added?.isDirectory) continue;
    const inner = childOf(path, name);
    if (inner === stateDirectory) continue;
    const isEntered = added.isSameDisk && depth < LIMITS.openDepth;
    const found = isEntered ? await enter(scan, handle, name, inner, depth) : "closed";
    if (found === "too many") return false;
    if (found === "closed") encoder.markClosed(added.at);
  }
  return true;
}

async function enter(
  scan: Scan,
  parent: Handle,
  name: string,
  path: SafePath,
  depth: number,
): Promise<"whole" | "closed" | "too many"> {
  const handle = scan.jail.openSubdirectory(parent, name) ?? opened(scan.jail, parent, name);
  if (!handle) return "closed";
  try {
    return (await scanDirectory(scan, handle, path, depth + 1)) ? "whole" : "too many";
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error;
    return "closed";
  } finally {
    scan.jail.steps.close(handle);
  }
}

/** Returns undefined for what is no directory any more, or may not be entered. */
function opened(jail: Jail, parent: Handle, name: string): Handle | undefined {
  try {
    const found = jail.steps.step(parent, name, true);
    if (found.kind === "directory") return found.handle;
    if (found.kind !== "missing") jail.steps.close(found.handle);
    return undefined;
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error;
    return undefined;
  }
}

const namesIn = (jail: Jail, handle: Handle): readonly string[] =>
  jail.entries(handle)?.map(({ name }) => name) ?? readdirSync(handle.fsPath).toSorted((a, b) => (a < b ? -1 : 1));

interface AddedEntry {
  readonly at: number;
  readonly isDirectory: boolean;
  readonly isSameDisk: boolean;
}

/** Returns undefined for an entry that has just gone. */
function addEntry(scan: Scan, parent: Handle, name: string, depth: number): AddedEntry | undefined {
  const { kernel, encoder, device } = scan;
  if (kernel && parent.fd !== undefined && kernel.stat(parent.fd, name, STATX)) {
    const at = encoder.addStatx(depth, name, STATX);
    const isDirectory = encoder.isDirectory(at);
    return { at, isDirectory, isSameDisk: isDirectory && encoder.isOn(at, device) };
  }
  const stats = statsOf(childOf(parent.fsPath, name));
  return (
    stats && {
      at: encoder.addStats(depth, name, stats),
      isDirectory: stats.isDirectory(),
      isSameDisk: stats.dev === device,
    }
  );
}

/** Is reused for every entry. */
const STATX = Buffer.alloc(256);

function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
