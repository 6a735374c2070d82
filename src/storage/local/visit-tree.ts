import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { LIMITS } from "../../base/limits.ts";
import { type Jail, rawEntry } from "./jail/jail.ts";
import type { EntryRef } from "./entry-ref.ts";

/**
 * Is called for everything in a tree, the tree itself first, with the bytes of the relative path; the stats are
 * undefined when the entry has just gone. A directory for which it returns false is not entered.
 */
export type TreeVisitor = (relativePath: Buffer, stats: BigIntStats | undefined) => boolean;

/** Visits a tree in the order of its names. Returns false where it has more than `most` entries, or is too deep. */
export function tryVisitTree(jail: Jail, { fsPath }: EntryRef, most: number, visit: TreeVisitor): boolean {
  return tryVisit({ jail, visit, left: most }, Buffer.from(fsPath), NO_NAME, 0);
}

const NO_NAME = Buffer.alloc(0);
const SLASH = Buffer.from("/");

interface TreeVisit {
  readonly jail: Jail;
  readonly visit: TreeVisitor;
  /** Counts the entries that may still come. */
  left: number;
}

function tryVisit(state: TreeVisit, at: Buffer, relativePath: Buffer, depth: number): boolean {
  if (state.left-- <= 0 || depth > LIMITS.openDepth) return false;
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  const isEntered = state.visit(relativePath, stats);
  return !isEntered || !stats?.isDirectory() || tryVisitDirectory(state, at, relativePath, depth);
}

/** Takes names byte for byte. */
function tryVisitDirectory(visiting: TreeVisit, at: Buffer, relativePath: Buffer, depth: number): boolean {
  const { openDirectory, steps } = visiting.jail;
  const handle = openDirectory(at);
  try {
    return readdirSync(handle.rawPath ?? handle.fsPath, "buffer")
      .toSorted(Buffer.compare)
      .every((name) => {
        const inner = relativePath.length === 0 ? name : Buffer.concat([relativePath, SLASH, name]);
        return tryVisit(visiting, rawEntry(handle, name), inner, depth + 1);
      });
  } finally {
    steps.close(handle);
  }
}
