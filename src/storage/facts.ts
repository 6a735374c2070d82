declare const safe: unique symbol;

/**
 * An absolute path that is spelled inside a root: no empty and no inner "." segment. Only `workspace/confine.ts`
 * makes one from an untrusted string. The storage confines where it leads on the disk.
 */
export type SafePath = string & { readonly [safe]: true };

declare const stored: unique symbol;

/**
 * Names an object in a store: a backup of something replaced or deleted, which no tool can reach. `objectFor` makes
 * one. Entries of a stored directory can be read and copied by appending their names to that of the directory.
 */
export type ObjectName = string & { readonly [stored]: true };

/** Lists the types of directory entries. `other` is a FIFO, socket or device: listed, never opened. */
export const KINDS = ["file", "directory", "symlink", "other"] as const;

export type Kind = (typeof KINDS)[number];

/** Holds the metadata of one object. */
export interface Facts {
  /** The real path of the object: every link is resolved. */
  readonly path: SafePath;
  readonly kind: Kind;
  readonly size: number;
  readonly modifiedMs: number;
  readonly createdMs: number;
  /** The time of the last read, as far as the disk records it. */
  readonly accessedMs: number;
  readonly mode: number;
  /** Counts the names (hard links) of the object. */
  readonly links: number;
  /** A name where the system knows one, else a number. */
  readonly owner: string;
  /** Identifies this very object until it is replaced. */
  readonly identity: string;
  /** Joins the nanosecond times of content and metadata. */
  readonly times: string;
}
