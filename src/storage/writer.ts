import type { Checkpoint } from "../base/time-slicing.ts";
import type { Facts, ObjectName, SafePath } from "./facts.ts";
import type { PictureDirectories } from "./pictures.ts";
import type { StreamedTree } from "./streamed-tree.ts";
import type { ViewDirectories } from "./views.ts";

export type { ObjectName } from "./facts.ts";
export type { StreamedEntry, StreamedTree } from "./streamed-tree.ts";

/** Says what holds when a storage is changed. The session tool shows it; a change that needs more is refused. */
export interface Guarantees {
  /** "atomic": it happens as a whole, also after a crash. "compensated": parts are put back when a later one fails. */
  readonly changeSet: "atomic" | "compensated";
  /**
   * Protects a file that another program writes at the same moment: by an atomic exchange (by a check right before the
   * rename where the system has none), by a precondition that the storage checks, or not at all.
   */
  readonly file: "exchange" | "conditional" | "none";
  /** "constant": a rename takes the same time for every size. "copies": it copies all bytes. */
  readonly rename: "constant" | "copies";
  /** Is true when a change survives a power cut. */
  readonly durable: boolean;
  readonly links: boolean;
  readonly permissions: boolean;
  /** Is true when a copy can keep the times of its source. */
  readonly times: boolean;
  /** Is false where a directory that holds nothing may vanish. */
  readonly directories: boolean;
}

/** A place in the workspace, by its real path, or in a store. */
export type Place = SafePath | ObjectName;

/** The content of a new object: bytes, a copy of an existing file, link or tree, or a tree whose contents are streamed. */
export type Content = { readonly bytes: Uint8Array } | { readonly copyOf: Place } | { readonly streamed: StreamedTree };

export interface Staging {
  /** Names a file whose mode and owner the new one takes over. */
  readonly like?: Place | undefined;
  /** Sets the permission bits; the default are those of `like` or of the source of a copy, else the usual ones. */
  readonly mode?: number | undefined;
  /** Makes copies keep the times of their source. */
  readonly keepTimes?: boolean | undefined;
  readonly checkpoint?: Checkpoint | undefined;
}

/** With "power", changes survive a power cut, at the price of waiting for the disk. */
export type Durability = "process" | "power";

/** The object at a place now, with the version that a reader would get. */
export interface Snapshot {
  readonly facts: Facts;
  readonly version: string;
}

/** Maps relative paths of a tree to facts; the top is "". */
export type TreeEntries = ReadonlyMap<string, Facts>;

/**
 * Changes a storage. Each operation does one thing, whole or not at all, at exactly the place named: where a link or
 * another directory has replaced one on the way, nothing is touched and the fault is `swapped`. The last name is never
 * followed. All but `stage`, `erase` and `treeBytes` are synchronous, so that nothing of ours comes between two of
 * them. `testing/writer.ts` is the definition.
 */
export interface StorageWriter {
  /** Returns what is there now; null when nothing is there, or no directory to hold it. */
  stat(place: Place): Facts | null;
  /** Returns the facts with the version, which may require reading the content. */
  snapshot(place: Place): Snapshot | null;
  /** Returns whether the parent directory exists; of an object, whether its store can be reached. */
  hasParent(place: Place): boolean;
  /** Returns true for a directory without entries, and where nothing is there. */
  isEmpty(path: SafePath): boolean;
  /**
   * Changes when anything in a tree does: names, kinds, sizes, times. Is null for nothing, and for more than `most`
   * entries.
   */
  fingerprint(place: Place, most: number): string | null;
  /** Adds up the sizes of all files of a tree; unreadable directories count as nothing. */
  treeBytes(place: Place): Promise<number>;
  /**
   * Lists a tree, or the one object that is there; excluded directories are not entered. Is null for nothing, and for
   * more than `most` entries.
   */
  entriesIn(place: Place, most: number, isExcluded: (relativePath: string) => boolean): TreeEntries | null;
  /** Creates something new at a free place, with all its content. Leaves nothing behind when it fails. */
  stage(place: Place, content: Content, staging: Staging): Promise<void>;
  /** Renames. "new" refuses an occupied place with `exists`; "over" replaces a file. A link moves as itself. */
  move(from: Place, to: Place, how: "new" | "over"): void;
  /**
   * Swaps two objects atomically, and returns what is at the first place then. Where that is not supported, nothing has
   * changed.
   */
  exchange(one: Place, other: Place): Facts | null | "unsupported";
  /** Returns true when a move between the two places is one rename. */
  isSameDisk(from: Place, to: Place): boolean;
  /** Returns true for a mount point: its name then belongs to the system. */
  isMounted(path: SafePath): boolean;
  /** Hard-links a file where nothing else can change it, else copies it. */
  backUp(path: Place, to: Place): void;
  makeDirectory(path: SafePath): void;
  setMode(path: SafePath, mode: number): void;
  /** Appends bytes to a file that must be `size` long. */
  append(path: SafePath, bytes: Uint8Array, size: number): void;
  /** Overwrites the content in place, from the start: if it is interrupted, the rest is still the old content. */
  rewrite(path: SafePath, bytes: Uint8Array): void;
  truncate(path: SafePath, size: number): void;
  /** Removes a file, a link or an empty directory; nothing there is fine. */
  remove(place: Place): void;
  /** Removes a whole tree, entry by entry, following no link; nothing there is fine. */
  erase(place: Place): Promise<void>;
  /** Names an object in the store on the disk of this path. */
  objectFor(path: SafePath, folder: "objects" | "trash" | "views" | "pictures", name: string): ObjectName;
  /** Returns the content of a file from a byte on, at most `most` bytes; null when there is none. */
  contentOf(place: Place, from?: number, most?: number): Uint8Array | null;
  /** Keeps copy-on-write views of commands; undefined where there are none. */
  readonly views?: ViewDirectories | undefined;
  /** Takes pictures for commands that change files themselves; undefined where there are none. */
  readonly pictures?: PictureDirectories | undefined;
}
