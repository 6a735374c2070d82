import type { Checkpoint } from "../base/time-slicing.ts";
import type { Facts, ObjectName, SafePath } from "./facts.ts";

/**
 * One root of a copy-on-write view: an overlay shows the root to a command, and what the command changes lands in
 * `upper`. It is in the store of the root, so that a rename takes it from there into the root.
 */
export interface ViewLayer {
  /** The real path of the root. */
  readonly root: SafePath;
  /** Names the directory that holds `upper` and `work`. */
  readonly object: ObjectName;
  /** The real paths that the overlay is mounted with. */
  readonly upper: string;
  readonly work: string;
  /** Says when the view began, in nanoseconds, by the clock that stamps changes of files. */
  readonly startNs: string;
}

/** Something that a command created, replaced or removed. */
export interface HarvestedEntry {
  readonly path: SafePath;
  /** Describes what the command left; null where it removed what was there. */
  readonly left: LeftEntry | null;
  /** Is true for a directory of the root whose permissions the command may have changed: its entries stay. */
  readonly isMerged?: boolean | undefined;
  /** Is true when it began as a copy of what was in the root. */
  readonly isCopied?: boolean | undefined;
}

/** Describes what a command left on a view. */
export interface LeftEntry {
  readonly object: ObjectName;
  readonly kind: Facts["kind"];
  readonly size: number;
  readonly mode: number;
  /** Counts the contents of a whole directory, which is moved as one. */
  readonly counted?: { readonly files: number; readonly bytes: number } | undefined;
  /** Is true for a directory that holds a repository of git. */
  readonly hasGit?: boolean | undefined;
  /** Lists every name in a directory and below once, so that rules about none of them need no look into it. */
  readonly names?: readonly string[] | undefined;
}

/** Something that is not applied, or not as the command left it. */
export interface RefusedEntry {
  readonly path: string;
  readonly reason: string;
}

/** Lists what a command left on one layer. */
export interface LayerHarvest {
  readonly entries: readonly HarvestedEntry[];
  readonly refused: readonly RefusedEntry[];
  /** Counts all that is refused: `refused` lists only the first. */
  readonly refusedCount: number;
}

/** Describes a tree of a root. */
export interface TreeSurvey {
  readonly files: number;
  readonly bytes: number;
  /** Says when anything in the tree was last changed, in nanoseconds, with metadata. */
  readonly changedNs: bigint;
}

/** Keeps the directories of views in the stores of their roots. */
export interface ViewDirectories {
  /** Returns false where the system lacks what `harvest` needs. */
  canCreate(): boolean;
  /** Creates the empty directories for one root. */
  create(root: SafePath, object: ObjectName): ViewLayer;
  /**
   * Lists what a command left, after all its processes are gone. A new directory is one entry; what cannot be applied
   * is removed from it. Throws `too_large` for more than `most` entries.
   */
  harvest(layer: ViewLayer, most: number, checkpoint: Checkpoint): Promise<LayerHarvest>;
  /** Readies an entry to be moved: removes the marks of the overlay, and has the disk keep what it holds. */
  prepare(object: ObjectName): Promise<void>;
  /** Returns when entries of a directory last came or went, in nanoseconds; null when it is gone. */
  changedNs(directory: SafePath): bigint | null;
  /** Looks at a whole tree; null when nothing is there. */
  survey(path: SafePath, checkpoint: Checkpoint): Promise<TreeSurvey | null>;
}
