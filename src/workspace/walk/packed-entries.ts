import type { Entry } from "../../storage/storage.ts";
import { kindOf, signOf } from "../watch/inode-id.ts";

/** Something in a directory: its name, as far as that can be read, and what it is. */
export type Leaf = Pick<Entry, "name" | "kind">;

/**
 * Many entries in one text, in a quarter of the memory: a sign for the kind and the name of each, joined by the one
 * character that no name has.
 */
export const packed = (leaves: readonly Leaf[]): string =>
  leaves.map(({ name, kind }) => signOf(kind) + name).join("/");

export const unpacked = (text: string): readonly Leaf[] =>
  text === "" ? [] : text.split("/").map((leaf) => ({ name: leaf.slice(1), kind: kindOf(leaf) }));
