import type { Checkpoint } from "../base/time-slicing.ts";
import type { ObjectName, SafePath } from "./facts.ts";
import type { PictureBytes, PictureEntry } from "./picture-entries.ts";

/** Takes pictures of roots, and keeps copies of their files in the store, in the same directories as in the root. */
export interface PictureDirectories {
  /** Lists all entries of a root without reading them; null where they are more than `most`. */
  scan(root: SafePath, most: number, checkpoint: Checkpoint): Promise<PictureBytes | null>;
  /** Creates a directory in the store. */
  create(object: ObjectName): void;
  /** Does the same for the copies of a directory of the root, with its mode and owner. One that exists is fine. */
  createLike(object: ObjectName, path: SafePath, mode: number): void;
  /** Sets the mode of a directory of copies before it is moved. */
  setMode(object: ObjectName, mode: number): void;
}

/** Checks that a place holds a whole copy of an entry: its time is set after its content. */
export const isCopyOf = (
  entry: PictureEntry,
  copy: Pick<PictureEntry, "kind" | "size" | "modifiedMs"> | null,
): boolean => copy?.kind === entry.kind && copy.size === entry.size && copy.modifiedMs === entry.modifiedMs;
