import type { DirectoryHandle } from "../../storage/storage.ts";

/** A reference-counted directory of a walk. It stays open while directories in it wait to be opened from it. */
export interface OpenDirectoryRef {
  readonly directory: DirectoryHandle;
  refCount: number;
}

export interface OpenDirectories {
  readonly count: number;
  /** Adds an open directory with one reference, which the caller releases. */
  add(directory: DirectoryHandle): OpenDirectoryRef;
  retain(ref: OpenDirectoryRef): void;
  release(ref: OpenDirectoryRef): void;
  /** Closes every directory that is still open. */
  end(): void;
}

export function createOpenDirectories(): OpenDirectories {
  const open = new Set<OpenDirectoryRef>();
  return {
    get count() {
      return open.size;
    },
    add(directory) {
      const ref: OpenDirectoryRef = { directory, refCount: 1 };
      open.add(ref);
      return ref;
    },
    retain: (ref) => void ref.refCount++,
    release(ref) {
      if (--ref.refCount > 0) return;
      open.delete(ref);
      ref.directory.close();
    },
    end() {
      for (const { directory } of open) directory.close();
      open.clear();
    },
  };
}
