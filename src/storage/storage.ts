import type { Version } from "../base/version.ts";
import type { Cancellation } from "../base/time-slicing.ts";
import type { GuardedStore } from "./objects/guarded-store.ts";
import type { State } from "./state.ts";
import type { Guarantees, StorageWriter } from "./writer.ts";
import type { Facts, Kind, SafePath } from "./facts.ts";

export type { Facts, Kind, SafePath } from "./facts.ts";

/** Says how firmly links and races are confined; see docs/THREAT_MODEL.md. */
export type Containment = "handle" | "best-effort" | "in-memory" | "object-store";

export interface Entry {
  readonly name: string;
  readonly kind: Kind;
  /** Holds the bytes of the name when they are not valid UTF-8 and `name` can only approximate them. */
  readonly raw?: Buffer;
}

/** A regular file that was opened and then checked. */
export interface OpenFile {
  readonly facts: Facts;
  /** Fills `into` from `position` on. Returns the bytes read; fewer than requested only at the end of the file. */
  read(into: Uint8Array, position: number): number | Promise<number>;
  /** The open descriptor, which another program can inherit; set only where the file's own bytes are shown. */
  readonly descriptor?: number;
  /** Holds the whole content where it is in memory. It must not be written to. */
  readonly bytes?: Buffer;
  /** The file on the disk, where something else is shown instead. */
  readonly original?: OpenFile & { readonly version: Version };
}

/** A directory that was opened and then checked: everything seen through it is in this very directory. */
export interface OpenDirectory {
  facts(): Facts;
  entries(): readonly Entry[] | Promise<readonly Entry[]>;
  /** Returns facts of the entry itself, a link not followed; null when it has vanished or may not be read. */
  stat(entry: Entry): Facts | null;
  /** Opens a directory that is an entry of this one. A link is never followed. */
  withDirectory<T>(entry: Entry, use: (directory: OpenDirectory) => Promise<T>): Promise<T>;
  /** Opens one for a walk, which closes it when it is done. */
  openDirectory(entry: Entry): DirectoryHandle;
}

/**
 * Receives a name in a watched directory that may refer to something else now; "." is the directory itself. It also
 * receives the purpose that the watch was created with, so that tens of thousands of watches can share one function.
 */
export type Hint<Purpose> = (name: string, purpose: Purpose) => void;

/** Ends the watch of a directory. */
export interface WatchHandle {
  close(): void;
}

/** A directory that stays open until it is closed. Its facts must be read before. */
export interface DirectoryHandle extends OpenDirectory {
  /** The real path of the directory. */
  readonly path: SafePath;
  /**
   * Sends hints from now on about this very directory, wherever it moves, also after it is closed. A hint only says
   * that a name is worth a look.
   */
  watch<Purpose>(hint: Hint<Purpose>, purpose: Purpose): WatchHandle;
  close(): void;
}

export interface Capabilities {
  readonly symlinks: boolean;
  readonly permissions: boolean;
  readonly containment: Containment;
}

/** Says what happens to a link in the last place; in every other place links are followed while they stay inside. */
export type LastLink = "follow" | "keep";

/** The place that a path leads to, every link resolved, whether something is there or not. */
export interface Destination {
  readonly place: SafePath;
  readonly facts: Facts | null;
  /** Lists the directories above it that do not exist, outermost first. */
  readonly missing: readonly SafePath[];
}

/** Is in bytes; `free` is what this user may still fill. */
export interface Space {
  readonly total: number;
  readonly free: number;
}

/**
 * Reads bytes by path, under one or more roots. A SafePath is only spelled inside a root; the storage refuses links,
 * races and special files. `testing/storage.ts` is the definition.
 */
export interface Storage {
  readonly capabilities: Capabilities;
  /** Lists the directories that confine everything: absolute, real and distinct. */
  readonly roots: readonly string[];
  /** Returns null when nothing is there. */
  stat(path: SafePath, last: LastLink): Promise<Facts | null>;
  /** Returns where something is, or would be created: through a link too, as long as that stays inside. */
  destination(path: SafePath, last: LastLink): Promise<Destination>;
  withFile<T>(path: SafePath, use: (file: OpenFile) => T | Promise<T>): Promise<T>;
  withDirectory<T>(path: SafePath, use: (directory: OpenDirectory) => T | Promise<T>): Promise<T>;
  /** Opens a directory for a walk; the caller closes it. */
  openDirectory(path: SafePath): DirectoryHandle | Promise<DirectoryHandle>;
  /** Calls `listener` when hints of any directory may have been lost, until the returned function is called. */
  onHintsLost(listener: () => void): () => void;
  /** Returns size and free space of the disk of a root; null where there is no such bound. */
  space(root: string): Space | null;
  /** Returns whether the system lets us change a root; rules are another matter. */
  isWritable(root: string): boolean;
  /** Returns the same files for one call: it no longer waits for them once it is cancelled. Is absent on a disk. */
  during?(call: Cancellation): StorageReader;
  /** Changes the storage; null where it is read-only. */
  readonly writer: Writer | null;
  /** Keeps the history and the trash of a storage that does not outlive the process. Others use the state directory. */
  readonly state?: State;
}

/** Reads one storage, or several at once. */
export type StorageReader = Omit<Storage, "writer" | "state">;

/** Maps the scheme of a URL to a function that opens its storage. The host of the URL is the name of the storage. */
export type StorageRegistry = Readonly<Record<string, (url: string) => MountableStorage>>;

/** A storage that a program passes as a root. It is told where its files begin. */
export interface MountableStorage {
  /** Returns the storage with this one root, such as "//scratch": every path that it is asked for begins with it. */
  mount(root: string): Storage;
}

/**
 * Changes a storage: synchronously, in steps that one process makes under one lock, or by one conditional write per
 * object. `workspace/changes/engines.ts` has an engine for each.
 */
export type Writer =
  | { readonly kind: "transactional"; readonly guarantees: Guarantees; readonly writer: StorageWriter }
  | {
      readonly kind: "conditional";
      readonly guarantees: Guarantees;
      readonly objects: GuardedStore;
      /** Reads what the engine keeps of replaced and removed objects. */
      readonly backups: StorageReader;
    };
