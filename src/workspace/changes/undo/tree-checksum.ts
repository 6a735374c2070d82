import { hash } from "node:crypto";
import type { FileState } from "../change.ts";

/**
 * Tells whether an entry of a tree was touched. A copy to another disk keeps all of it, although it gets another inode.
 */
export type EntryState = Pick<FileState, "kind" | "mode" | "size" | "modifiedMs">;

/**
 * Sums the hashes of all entries, in any order. It uses only what the history also records of single files: so the
 * checksum of a tree before some of its files were changed can be computed again.
 */
export function treeChecksum(entries: Iterable<readonly [relativePath: string, state: EntryState]>): string {
  let sum = 0n;
  for (const [relativePath, state] of entries)
    sum += BigInt(`0x${hash("sha256", textOf(relativePath, state), "hex").slice(0, DIGITS)}`);
  return `s-${BigInt.asUintN(DIGITS * 4, sum).toString(16)}`;
}

/** Makes a collision of sums as unlikely as one of versions. */
const DIGITS = 32;

const textOf = (relativePath: string, { kind, mode, size, modifiedMs }: EntryState): string =>
  `${relativePath}\0${kind} ${mode} ${kind === "directory" ? "" : `${size} ${modifiedMs}`}`;
