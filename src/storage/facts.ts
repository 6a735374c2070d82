declare const safe: unique symbol;

/**
 * An absolute path that is spelled inside a root: no empty and no inner "." segment. Only `workspace/confine.ts` makes
 * one from an untrusted string. Where it leads on the disk is the storage's to confine.
 */
export type SafePath = string & { readonly [safe]: true };

/** What a directory entry is. `other` is a FIFO, socket or device: seen, never opened. */
export type Kind = "file" | "directory" | "symlink" | "other";

/** What a look at one object tells. */
export interface Facts {
  /** Where the object really is: every link resolved. */
  readonly path: SafePath;
  readonly kind: Kind;
  readonly size: number;
  readonly modifiedMs: number;
  readonly createdMs: number;
  /** When it was last read, as far as the disk keeps account of that. */
  readonly accessedMs: number;
  readonly mode: number;
  /** How many names the object has. */
  readonly links: number;
  /** A name where the system tells it, else a number. */
  readonly owner: string;
  /** Names this very object until it is replaced. */
  readonly identity: string;
  /** Nanosecond times of content and metadata, as one string. */
  readonly times: string;
}
