import type { SafePath } from "../storage/storage.ts";
import type { Place, Snapshot, TreeEntries } from "../storage/writer.ts";

/**
 * Looks at places in the workspace or in the store, without access checks. A `StorageWriter` is one that answers at
 * once.
 */
export interface Prober {
  snapshot(place: Place): Awaitable<Snapshot | null>;
  hasParent(path: SafePath): Awaitable<boolean>;
  fingerprint(place: Place, most: number): Awaitable<string | null>;
  entriesIn(place: Place, most: number, isExcluded: (relativePath: string) => boolean): Awaitable<TreeEntries | null>;
  contentOf(place: Place, from?: number, most?: number): Awaitable<Uint8Array | null>;
}

type Awaitable<T> = T | Promise<T>;
