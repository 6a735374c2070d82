import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { LIMITS } from "../../base/limits.ts";
import { type Jail, rawEntry } from "./jail/jail.ts";
import type { EntryRef } from "./entry-ref.ts";

/**
 * Called for everything in a tree, the tree itself first, by the bytes of the names that lead to it; its stats are undefined
 * when it has just gone. A directory for which it gives false is not entered.
 */
export type TreeVisitor = (way: Buffer, stats: BigIntStats | undefined) => boolean;

/** Visits a tree in the order of its names. False where it has more than `most` entries, or is too deep to be held open. */
export function isVisited(jail: Jail, { at }: EntryRef, most: number, visit: TreeVisitor): boolean {
  return isSeen({ jail, visit, left: most }, Buffer.from(at), NO_NAME, 0);
}

const NO_NAME = Buffer.alloc(0);
const SLASH = Buffer.from("/");

interface Visiting {
  readonly jail: Jail;
  readonly visit: TreeVisitor;
  /** Entries that may still come. */
  left: number;
}

function isSeen(visiting: Visiting, at: Buffer, way: Buffer, depth: number): boolean {
  if (visiting.left-- <= 0 || depth > LIMITS.heldDepth) return false;
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  const isEntered = visiting.visit(way, stats);
  return !isEntered || !stats?.isDirectory() || isDirectorySeen(visiting, at, way, depth);
}

/** Names are taken byte for byte. */
function isDirectorySeen(visiting: Visiting, at: Buffer, way: Buffer, depth: number): boolean {
  const { hold, steps } = visiting.jail;
  const held = hold(at);
  try {
    return readdirSync(held.raw ?? held.reach, "buffer")
      .toSorted(Buffer.compare)
      .every((name) => {
        const inner = way.length === 0 ? name : Buffer.concat([way, SLASH, name]);
        return isSeen(visiting, rawEntry(held, name), inner, depth + 1);
      });
  } finally {
    steps.close(held);
  }
}
