import type { Entry, HeldDirectory, SafePath } from "../../storage/storage.ts";

/** A directory of a walk, open for as long as some of its own wait to be entered from it. */
export interface Holder {
  readonly place: SafePath;
  /** Undefined until it is needed: what is in it may be known without opening it. */
  directory: HeldDirectory | undefined;
  /** Where it is opened from then. */
  readonly from?: { readonly above: Holder; readonly entry: Entry };
  uses: number;
  /** Of these, how many are of another thread. */
  lent: number;
}

export interface Holders {
  readonly count: number;
  hold(directory: HeldDirectory): Holder;
  /** One that is opened when it is needed. */
  promise(above: Holder, entry: Entry, place: SafePath): Holder;
  /** Throws when it is no longer there. */
  opened(holder: Holder): HeldDirectory;
  use(holder: Holder): void;
  release(holder: Holder): void;
  /** Open until what it gives is called, also beyond the end of the walk. */
  lend(holder: Holder): () => void;
  /** Closes all that nobody else reads. */
  end(): void;
}

export function createHolders(): Holders {
  const open = new Set<Holder>();
  let hasEnded = false;
  const close = (holder: Holder): void => {
    open.delete(holder);
    holder.directory?.close();
  };
  const use = (holder: Holder): void => void holder.uses++;
  const release = (holder: Holder): void => {
    if (--holder.uses > 0) return;
    if (holder.directory) close(holder);
    else if (holder.from) release(holder.from.above);
  };
  const opened = (holder: Holder): HeldDirectory => {
    if (!holder.directory) {
      const { above, entry } = holder.from as NonNullable<Holder["from"]>;
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
      const holder: Holder = { place: directory.path, directory, uses: 1, lent: 0 };
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
