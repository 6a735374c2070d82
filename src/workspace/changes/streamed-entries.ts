import type { StreamedEntry } from "../../storage/streamed-tree.ts";
import type { Counted } from "./change.ts";

/** Counts the files of a tree whose contents are streamed, and the bytes that they declare. */
export function countedIn(entries: readonly StreamedEntry[]): Counted {
  const files = entries.filter(({ kind }) => kind === "file");
  return { files: files.length, bytes: files.reduce((sum, { size = 0 }) => sum + size, 0) };
}

/** Returns the path of an entry below the one that a change places; "" for that itself. */
export const pathBelow = (entry: string, path: string): string =>
  entry === "" ? path : path.slice(entry.length + "/".length);
