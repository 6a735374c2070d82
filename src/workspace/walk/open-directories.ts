import type { Entry, DirectoryHandle, SafePath } from "../../storage/storage.ts";

/** A directory of a walk, open for as long as some of its own wait to be entered from it. */
export interface OpenDirectoryRef {
  readonly place: SafePath;
  /** Undefined until it is needed: what is in it may be known without opening it. */
  directory: DirectoryHandle | undefined;
  /** Where it is opened from then. */
  readonly from?: { readonly above: OpenDirectoryRef; readonly entry: Entry };
  uses: number;
  /** Of these, how many are of another thread. */
  lent: number;
}

export interface OpenDirectories {
  readonly count: number;
  hold(directory: DirectoryHandle): OpenDirectoryRef;
  /** One that is opened when it is needed. */
  promise(above: OpenDirectoryRef, entry: Entry, place: SafePath): OpenDirectoryRef;
  /** Throws when it is no longer there. */
  opened(holder: OpenDirectoryRef): DirectoryHandle;
  use(holder: OpenDirectoryRef): void;
  release(holder: OpenDirectoryRef): void;
  /** Open until what it gives is called, also beyond the end of the walk. */
  lend(holder: OpenDirectoryRef): () => void;
  /** Closes all that nobody else reads. */
  end(): void;
}

export function createOpenDirectories(): OpenDirectories {
  const open = new Set<OpenDirectoryRef>();
  let hasEnded = false;
  const close = (holder: OpenDirectoryRef): void => {
    open.delete(holder);
    holder.directory?.close();
  };
  const use = (holder: OpenDirectoryRef): void => void holder.uses++;
  const release = (holder: OpenDirectoryRef): void => {
    if (--holder.uses > 0) return;
    if (holder.directory) close(holder);
    else if (holder.from) release(holder.from.above);
  };
  const opened = (holder: OpenDirectoryRef): DirectoryHandle => {
    if (!holder.directory) {
      const { above, entry } = holder.from as NonNullable<OpenDirectoryRef["from"]>;
      holder.directory = opened(above).enter(entry);
      open.add(holder);
      release(above);
    }
    return holder.directory;
  };
  return {
    get count() {
      return open.size;
    },
    hold(directory) {
      const holder: OpenDirectoryRef = { place: directory.path, directory, uses: 1, lent: 0 };
      open.add(holder);
      return holder;
    },
    promise(above, entry, place) {
      use(above);
      return { place, directory: undefined, from: { above, entry }, uses: 1, lent: 0 };
    },
    opened,
    use,
    release,
    lend(holder) {
      use(holder);
      holder.lent++;
      return () => {
        holder.lent--;
        if (!hasEnded) release(holder);
        else if (holder.lent === 0) close(holder);
      };
    },
    end() {
      hasEnded = true;
      for (const holder of open) if (holder.lent === 0) close(holder);
    },
  };
}
