import type { Checkpoint } from "../base/time-slicing.ts";
import type { Facts, SafePath } from "./facts.ts";

declare const stored: unique symbol;

/**
 * Names something in a store: what was replaced or deleted, out of reach of every tool. Made by `objectFor`. What lies in
 * a kept directory can be looked at and copied from by the names that lead to it, after that of the directory.
 */
export type ObjectName = string & { readonly [stored]: true };

/** Where something is: in the workspace, by its real path, or in a store. */
export type Place = SafePath | ObjectName;

/** What a new object is made of: bytes, or a copy of a file, link or tree that exists. */
export type Content = { readonly bytes: Uint8Array } | { readonly copyOf: Place };

export interface Staging {
  /** A file whose mode and owner the new one takes over. */
  readonly like?: Place | undefined;
  /** Permission bits; otherwise those of `like` or of what is copied, else the usual ones. */
  readonly mode?: number | undefined;
  /** Copies keep the times of what they copy. */
  readonly keepTimes?: boolean | undefined;
  readonly checkpoint?: Checkpoint | undefined;
}

/** "power": what is done survives a power cut, at the price of waiting for the disk. */
export type Durability = "process" | "power";

/** What is at a place now, and the version a reader would be told of it. */
export interface Snapshot {
  readonly facts: Facts;
  readonly version: string;
}

/** What is in a tree, by the way there from its top, which is "" itself. */
export type TreeEntries = ReadonlyMap<string, Facts>;

/**
 * How a storage changes things. Each hand does one thing, whole or not at all, at exactly the place named: where a link
 * or another directory took the place of one on the way, nothing is touched and the fault is `swapped`. The last name
 * is never followed. All but `stage` and `erase` are done when they return, so that nothing of ours comes between two
 * of them. `test/contracts/hands.ts` is the definition.
 */
export interface StorageWriter {
  /** What is there now; null when nothing is, or no directory to hold it. */
  stat(place: Place): Facts | null;
  /** The same with its version, which may mean reading it. */
  snapshot(place: Place): Snapshot | null;
  /** Whether the directory that a place is in exists. */
  hasParent(path: SafePath): boolean;
  /** Whether a directory has no entries, or nothing is there. */
  isEmpty(path: SafePath): boolean;
  /** Changes when anything in a tree does: names, kinds, sizes, times. Null for nothing, and for more than `most` entries. */
  fingerprint(place: Place, most: number): string | null;
  /** How many bytes all files of a tree have; what cannot be looked into counts for nothing. */
  treeBytes(place: Place): Promise<number>;
  /**
   * Lists a tree, or the one thing that is there; what is left out is not entered. Null for nothing, and for more than
   * `most` entries.
   */
  entriesIn(place: Place, most: number, isLeftOut: (relativePath: string) => boolean): TreeEntries | null;
  /** Makes something new at a free place, with all its content. Leaves nothing behind when it fails. */
  stage(place: Place, content: Content, staging: Staging): Promise<void>;
  /** Renames. "new" refuses an occupied place with `exists`; "over" replaces a file. A link moves as itself. */
  move(from: Place, to: Place, how: "new" | "over"): void;
  /** Two things take each other's place, in one instant. False where that cannot be done: then nothing was. */
  exchange(one: Place, other: Place): boolean;
  /** True when a move between the two places is one rename. */
  isSameDisk(from: Place, to: Place): boolean;
  /** Whether something else than the directory around it is mounted there: its name then belongs to the system. */
  isMounted(path: SafePath): boolean;
  /** Gives a file a second name where nothing else can change it, else copies it there. */
  backUp(path: Place, to: Place): void;
  makeDirectory(path: SafePath): void;
  setMode(path: SafePath, mode: number): void;
  /** Adds bytes to the end of a file that must be `size` long. */
  append(path: SafePath, bytes: Uint8Array, size: number): void;
  /** Gives a file another content in place, from its start on: cut off in between, it has the rest of the old one. */
  rewrite(path: SafePath, bytes: Uint8Array): void;
  /** Shortens a file. */
  truncate(path: SafePath, size: number): void;
  /** Removes a file, a link or an empty directory; nothing there is fine. */
  remove(place: Place): void;
  /** Removes a whole tree, entry by entry, following no link; nothing there is fine. */
  erase(place: Place): Promise<void>;
  /** A name in the store on the disk of this path. */
  objectFor(path: SafePath, folder: "objects" | "trash", name: string): ObjectName;
  /** The whole content of a file, or what is in it from a byte on, `most` of it; null when there is none. */
  contentOf(place: Place, from?: number, most?: number): Uint8Array | null;
}
