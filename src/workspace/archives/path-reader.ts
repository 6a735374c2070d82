import { mayBeInArchive } from "../../base/archive-path.ts";
import type { SafePath, StorageReader } from "../../storage/storage.ts";
import { type MountedArchives, mountArchives, type MountOptions } from "./mounted-archives.ts";

/** Chooses what reads a path. A path that cannot lead into an archive costs one look at its spelling. */
export interface PathReader {
  storageFor(place: SafePath): StorageReader;
  /** Throws for a path inside an archive. Returns undefined where nothing has to be looked at. */
  requireOutside(place: SafePath): Promise<void> | undefined;
}

export function createPathReader(storage: StorageReader, options: MountOptions): PathReader {
  let mounted: MountedArchives | undefined;
  const archives = (): MountedArchives => (mounted ??= mountArchives(storage, options));
  return {
    storageFor: (place) => (mayBeInArchive(place) ? archives() : storage),
    requireOutside: (place) => (mayBeInArchive(place) ? archives().requireOutside(place) : undefined),
  };
}
