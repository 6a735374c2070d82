import type { InnerPath } from "./entry-name.ts";

/** Describes an entry of an archive. Its name is safe; what it declares about its content is not yet proven. */
export interface ArchiveEntry {
  readonly path: InnerPath;
  /** `other` is a device or a FIFO. */
  readonly kind: "file" | "directory" | "symlink" | "other";
  readonly size: number;
  /** Holds the permission bits, without those that change the user. */
  readonly mode: number;
  readonly modifiedMs: number;
  /** The target of a link, as the archive has it. */
  readonly target?: string | undefined;
  /** Says why its content cannot be had. */
  readonly problem?: string | undefined;
  /** Says where its bytes are; 0 for all but files. */
  readonly offset: number;
  readonly packedSize: number;
  /** The method and the checksum in a zip. */
  readonly method?: number | undefined;
  readonly crc?: number | undefined;
}

/** An entry that was left out because of its name. */
export interface RefusedEntry {
  readonly shown: string;
  readonly problem: string;
}

/** Holds what an archive lists, in its own order. */
export interface ArchiveListing {
  readonly entries: readonly ArchiveEntry[];
  readonly refused: readonly RefusedEntry[];
}

/** A file or directory that is packed. Its path is relative and safe. */
export interface PackedEntry {
  readonly path: string;
  readonly kind: "file" | "directory";
  /** Counts the bytes of a file. */
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
}

/** Streams the content of a file that is packed: exactly as many bytes as it declares. */
export type PackedContent<Entry extends PackedEntry> = (entry: Entry) => AsyncIterable<Uint8Array>;

/** Keeps the permission bits of users; setuid, setgid and sticky bits are dropped. */
export const PERMISSION_BITS = 0o777;
