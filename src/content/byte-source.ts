/** Reads bytes at any position. An open file is one. */
export interface ByteSource {
  readonly size: number;
  /** Fills `into` from `position` on. Returns the bytes read; fewer than requested only at the end. */
  read(into: Uint8Array, position: number): number | Promise<number>;
}

/** Reads bytes that are in memory. */
export const bytesInMemory = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (into, position) => bytes.subarray(position).copy(into),
});
