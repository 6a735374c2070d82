import type { Entry, DirectoryHandle, SafePath } from "../../storage/storage.ts";

/** A reference-counted directory of a walk. It stays open while directories in it wait to be opened from it. */
export interface OpenDirectoryRef {
  readonly place: SafePath;
  /** Is undefined until it is needed, since the entries may be known from the read-ahead without opening it. */
  directory: DirectoryHandle | undefined;
  /** The open parent from which a lazy directory is opened. */
  readonly from?: { readonly above: OpenDirectoryRef; readonly entry: Entry };
  refCount: number;
  /** Counts the references that the worker thread holds; they are part of `refCount`. */
  lentCount: number;
}

export interface OpenDirectories {
  readonly count: number;
  add(directory: DirectoryHandle): OpenDirectoryRef;
  /** Adds a directory that is opened on first use. */
  addLazy(above: OpenDirectoryRef, entry: Entry, place: SafePath): OpenDirectoryRef;
  /** Returns the handle; opens a lazy directory first, and throws if it is gone. */
  handleOf(ref: OpenDirectoryRef): DirectoryHandle;
  retain(ref: OpenDirectoryRef): void;
  release(ref: OpenDirectoryRef): void;
  /** Keeps the directory open until the returned function is called, even after the end of the walk. */
  lend(ref: OpenDirectoryRef): () => void;
  /** Closes every directory that is not lent to the worker thread. */
  end(): void;
}

export function createOpenDirectories(): OpenDirectories {
  const open = new Set<OpenDirectoryRef>();
  let hasEnded = false;
  const close = (ref: OpenDirectoryRef): void => {
    open.delete(ref);
    ref.directory?.close();
  };
  const retain = (ref: OpenDirectoryRef): void => void ref.refCount++;
  const release = (ref: OpenDirectoryRef): void => {
    if (--ref.refCount > 0) return;
    if (ref.directory) close(ref);
    else if (ref.from) release(ref.from.above);
  };
  const handleOf = (ref: OpenDirectoryRef): DirectoryHandle => {
    if (!ref.directory) {
      const { above, entry } = ref.from as NonNullable<OpenDirectoryRef["from"]>;
      ref.directory = handleOf(above).openDirectory(entry);
      open.add(ref);
      release(above);
    }
    return ref.directory;
  };
  return {
    get count() {
      return open.size;
    },
    add(directory) {
      const ref: OpenDirectoryRef = { place: directory.path, directory, refCount: 1, lentCount: 0 };
      open.add(ref);
      return ref;
    },
    addLazy(above, entry, place) {
      retain(above);
      return { place, directory: undefined, from: { above, entry }, refCount: 1, lentCount: 0 };
    },
    handleOf,
    retain,
    release,
    lend(ref) {
      retain(ref);
      ref.lentCount++;
      return () => {
        ref.lentCount--;
        if (!hasEnded) release(ref);
        else if (ref.lentCount === 0) close(ref);
      };
    },
    end() {
      hasEnded = true;
      for (const ref of open) if (ref.lentCount === 0) close(ref);
    },
  };
}
