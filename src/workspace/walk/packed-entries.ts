import type { Entry } from "../../storage/storage.ts";
import { kindOfDigit, kindDigit } from "../watch/inode-id.ts";

/** Something in a directory: its name, as far as that can be read, and what it is. */
export type PackedEntry = Pick<Entry, "name" | "kind">;

/**
 * Many entries in one text, in a quarter of the memory: a sign for the kind and the name of each, joined by the one
 * character that no name has.
 */
export const packEntries = (leaves: readonly PackedEntry[]): string =>
  leaves.map(({ name, kind }) => kindDigit(kind) + name).join("/");

export const unpackEntries = (text: string): readonly PackedEntry[] =>
  text === "" ? [] : text.split("/").map((leaf) => ({ name: leaf.slice(1), kind: kindOfDigit(leaf) }));
