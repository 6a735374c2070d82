import type { Entry, DirectoryHandle, SafePath } from "../../storage/storage.ts";

/** A directory of a walk, open for as long as some of its own wait to be entered from it. */
export interface OpenDirectoryRef {
  readonly place: SafePath;
  /** Undefined until it is needed: what is in it may be known without opening it. */
  directory: DirectoryHandle | undefined;
  /** Where it is opened from then. */
  readonly from?: { readonly above: OpenDirectoryRef; readonly entry: Entry };
  refCount: number;
  /** Of these, how many are of another thread. */
  lentCount: number;
}

export interface OpenDirectories {
  readonly count: number;
  add(directory: DirectoryHandle): OpenDirectoryRef;
  /** One that is opened when it is needed. */
  addLazy(above: OpenDirectoryRef, entry: Entry, place: SafePath): OpenDirectoryRef;
  /** Throws when it is no longer there. */
  handleOf(holder: OpenDirectoryRef): DirectoryHandle;
  retain(holder: OpenDirectoryRef): void;
  release(holder: OpenDirectoryRef): void;
  /** Open until what it gives is called, also beyond the end of the walk. */
  lend(holder: OpenDirectoryRef): () => void;
  /** Closes all that nobody else reads. */
  end(): void;
}

export function createOpenDirectories(): OpenDirectories {
  const open = new Set<OpenDirectoryRef>();
  let hasEnded = false;
  const close = (ref: OpenDirectoryRef): void => {
    open.delete(ref);
    ref.directory?.close();
  };
  const use = (holder: OpenDirectoryRef): void => void holder.refCount++;
  const release = (holder: OpenDirectoryRef): void => {
    if (--holder.refCount > 0) return;
    if (holder.directory) close(holder);
    else if (holder.from) release(holder.from.above);
  };
  const opened = (holder: OpenDirectoryRef): DirectoryHandle => {
    if (!holder.directory) {
      const { above, entry } = holder.from as NonNullable<OpenDirectoryRef["from"]>;
      holder.directory = opened(above).openDirectory(entry);
      open.add(holder);
      release(above);
    }
    return holder.directory;
  };
  return {
    get count() {
      return open.size;
    },
    add(directory) {
      const holder: OpenDirectoryRef = { place: directory.path, directory, refCount: 1, lentCount: 0 };
      open.add(holder);
      return holder;
    },
    addLazy(above, entry, place) {
      use(above);
      return { place, directory: undefined, from: { above, entry }, refCount: 1, lentCount: 0 };
    },
    handleOf: opened,
    retain: use,
    release,
    lend(holder) {
      use(holder);
      holder.lentCount++;
      return () => {
        holder.lentCount--;
        if (!hasEnded) release(holder);
        else if (holder.lentCount === 0) close(holder);
      };
    },
    end() {
      hasEnded = true;
      for (const holder of open) if (holder.lentCount === 0) close(holder);
    },
  };
}
