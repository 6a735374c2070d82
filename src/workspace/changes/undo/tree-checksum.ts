import { hash } from "node:crypto";
import type { FileState } from "../change.ts";

/** What tells whether an entry of a tree was touched. A copy to another disk keeps all of it, and gets another inode. */
export type EntryState = Pick<FileState, "kind" | "mode" | "size" | "modifiedMs">;

/**
 * Names the state of a tree by a sum over its entries, in any order. It is made of nothing but what the history records of
 * single files as well: what a tree was before some of them were changed can be worked out again.
 */
export function treeChecksum(entries: Iterable<readonly [way: string, state: EntryState]>): string {
  let sum = 0n;
  for (const [way, state] of entries) sum += BigInt(`0x${hash("sha256", textOf(way, state), "hex").slice(0, DIGITS)}`);
  return `s-${BigInt.asUintN(DIGITS * 4, sum).toString(16)}`;
}

/** As many as make a clash as unlikely as one of versions, after adding up. */
const DIGITS = 32;

const textOf = (way: string, { kind, mode, size, modifiedMs }: EntryState): string =>
  `${way}\0${kind} ${mode} ${kind === "directory" ? "" : `${size} ${modifiedMs}`}`;
