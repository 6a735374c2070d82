import type { Version } from "../base/version.ts";
import type { StorageWriter } from "./writer.ts";
import type { Facts, Kind, SafePath } from "./facts.ts";

export type { Facts, Kind, SafePath } from "./facts.ts";

/** How firmly links and races are confined; see docs/THREAT_MODEL.md. */
export type Containment = "handle" | "best-effort" | "in-memory";

export interface Entry {
  readonly name: string;
  readonly kind: Kind;
  /** The name's bytes, when they are not valid UTF-8 and `name` can only approximate them. */
  readonly raw?: Buffer;
}

/** A regular file, opened and judged. */
export interface OpenFile {
  readonly facts: Facts;
  /** Fills `into` from `position` on. Gives the bytes read; fewer than asked only at the end of the file. */
  read(into: Uint8Array, position: number): number | Promise<number>;
  /** The open descriptor, which another program can inherit; only where what is shown are the file's own bytes. */
  readonly descriptor?: number;
  /** All of it, where that is at hand. Not to be written to. */
  readonly bytes?: Buffer;
  /** What is really there, where something else is shown instead. */
  readonly original?: OpenFile & { readonly version: Version };
}

/** A directory, opened and judged: what is looked at through it is in this very directory. */
export interface OpenDirectory {
  facts(): Facts;
  entries(): readonly Entry[] | Promise<readonly Entry[]>;
  /** Facts of the entry itself, a link not followed; null when it has vanished or may not be looked at. */
  stat(entry: Entry): Facts | null;
  /** Opens a directory that is an entry of this one. A link is never followed. */
  withDirectory<T>(entry: Entry, use: (directory: OpenDirectory) => Promise<T>): Promise<T>;
  /** The same for a walk, which lets go of it when it has passed. */
  openDirectory(entry: Entry): DirectoryHandle;
}

/**
 * Told a name in a watched directory that may stand for something else now; "." is the directory itself. Also told what
 * the watch was begun for, so that tens of thousands of watches can share one function.
 */
export type Hint<Purpose> = (name: string, purpose: Purpose) => void;

/** A directory that is being watched. */
export interface WatchHandle {
  close(): void;
}

/** A directory that stays open until it is let go. Its facts are to be asked for before. */
export interface DirectoryHandle extends OpenDirectory {
  /** Where it really is. */
  readonly path: SafePath;
  /** What other threads of this process know it by, while it is held; undefined where they cannot read it. */
  readonly sharedPath?: string | undefined;
  /** Its entries; undefined where they are so many that somebody has to wait for them. */
  entriesSync(): readonly Entry[] | undefined;
  /**
   * Hints from now on at what happens in this very directory, wherever it goes, also once it is let go. A hint says
   * that it is worth a look, and no more.
   */
  watch<Purpose>(hint: Hint<Purpose>, purpose: Purpose): WatchHandle;
  close(): void;
}

export interface Capabilities {
  readonly symlinks: boolean;
  readonly permissions: boolean;
  readonly containment: Containment;
}

/** What `look` does with a link in the last place: in every other place links are followed while they stay inside. */
export type LastLink = "follow" | "keep";

/** Where a path leads, every link resolved, whether something is there or not. */
export interface Destination {
  readonly place: SafePath;
  readonly facts: Facts | null;
  /** Directories above it that do not exist, outermost first. */
  readonly missing: readonly SafePath[];
}

/** In bytes; `free` is what this user may still fill. */
export interface Space {
  readonly total: number;
  readonly free: number;
}

/**
 * Bytes by path, under one or more roots. A SafePath is only spelled inside; links, races and special files are the
 * storage's to refuse. `test/contracts/storage.ts` is the definition.
 */
export interface Storage {
  readonly capabilities: Capabilities;
  /** Absolute, real and distinct: the directories that everything must stay in. */
  readonly roots: readonly string[];
  /** Null when nothing is there. */
  stat(path: SafePath, last: LastLink): Promise<Facts | null>;
  /** Where something is, or would be made: through a link too, as long as that stays inside. */
  destination(path: SafePath, last: LastLink): Promise<Destination>;
  withFile<T>(path: SafePath, use: (file: OpenFile) => T | Promise<T>): Promise<T>;
  withDirectory<T>(path: SafePath, use: (directory: OpenDirectory) => T | Promise<T>): Promise<T>;
  /** Opens a directory for a walk; whoever asks lets go of it. */
  openDirectory(path: SafePath): DirectoryHandle | Promise<DirectoryHandle>;
  /** Told when hints may have been lost, of any directory; until the function that it gives is called. */
  onHintsLost(listener: () => void): () => void;
  /** What the disk below a root holds and has left; null where there is no such bound. */
  space(root: string): Space | null;
  /** Whether the system lets us change what is in a root; rules are another matter. */
  isWritable(root: string): boolean;
  /** How it changes things; null where it is only read. */
  readonly writer: StorageWriter | null;
}
