/** New files and directories whose contents come as streams, so that none of them has to be in memory as a whole. */
export interface StreamedTree {
  /** Names what the contents come from, and its version: two trees of the same source and entries are the same. */
  readonly source: string;
  /** Lists all of it, in the order in which contents are read. A directory comes before what is in it. */
  readonly entries: readonly StreamedEntry[];
  /** Opens the contents for as long as `use` runs. Throws `stale` where the source is another one by now. */
  withContents<T>(use: (bytesOf: BytesOf) => Promise<T>): Promise<T>;
}

export type BytesOf = (entry: StreamedEntry) => AsyncIterable<Uint8Array>;

export interface StreamedEntry {
  /** Is relative to the top, which is "" itself. All its names are plain ones. */
  readonly path: string;
  readonly kind: "file" | "directory";
  /** Counts the bytes of a file, where that is known before they are read. */
  readonly size?: number | undefined;
  /** Sets the permission bits; the default are the usual ones. */
  readonly mode?: number | undefined;
  readonly modifiedMs?: number | undefined;
  /** Names an entry before this one that has the same content. */
  readonly copyOf?: string | undefined;
}
