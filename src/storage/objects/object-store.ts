/**
 * Names an object: plain names with "/" between them and none in front. A key that ends in "/" marks a directory, which
 * exists without it while something lies below.
 */
export type Key = string;

export interface ObjectFacts {
  readonly key: Key;
  readonly size: number;
  readonly modifiedMs: number;
  /** Differs for different contents; better, for every write. */
  readonly tag: string;
}

/** The new content of an object: bytes, or those of another object, which the store copies by itself. */
export type ObjectContent = Uint8Array | { readonly copyOf: Key };

/** States what must be there when an object is written or removed: this tag, or nothing. */
export type When = { readonly match: string } | { readonly absent: true };

/** Comes with every call of a store. */
export interface StoreCallOptions {
  /** Is aborted when nobody waits for the answer any more: the call was cancelled, or took too long. */
  readonly signal: AbortSignal;
}

/**
 * Stores whole objects by key, as S3, WebDAV, HTTP servers and databases do: what the author of a remote storage writes;
 * `objectStorage` makes a `Storage` of it. A write is seen by every read that begins after it was answered. A call that
 * throws may have taken effect or not. `testing/objects/object-store.ts` is the definition.
 */
export interface ObjectStore {
  /** Is false where preconditions are ignored; such a store is only read, unless the operator insists. */
  readonly isConditional: boolean;
  /** Is true when a write survives a power cut once it is answered. */
  readonly isDurable: boolean;
  /** Is true for a store that ends with the process: its history is then kept in memory as well. */
  readonly isEphemeral?: boolean;
  /** Returns null when there is no such object. */
  head(key: Key, options?: StoreCallOptions): Promise<ObjectFacts | null>;
  /**
   * Returns `most` bytes from a byte on, fewer only at the end of the object; null when it is gone or has another tag.
   */
  get(key: Key, tag: string, from: number, most: number, options?: StoreCallOptions): Promise<Uint8Array | null>;
  /** Returns null, and changes nothing, when the precondition does not hold, or when there is nothing to copy. */
  put(key: Key, content: ObjectContent, when: When, options?: StoreCallOptions): Promise<ObjectFacts | null>;
  /** Returns false, and changes nothing, unless the object has this tag. */
  remove(key: Key, match: string, options?: StoreCallOptions): Promise<boolean>;
  /**
   * Lists the objects whose keys begin with a prefix, which is empty or ends in "/". With "entries", those below a
   * further "/" are folded into one with the key up to it, and its size, time and tag mean nothing.
   */
  list(prefix: Key, depth: "entries" | "all", options?: StoreCallOptions): AsyncIterable<ObjectFacts>;
}
