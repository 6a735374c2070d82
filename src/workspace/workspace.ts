import { Fault } from "../base/errors.ts";
import type { Containment, SafePath, Space, Storage } from "../storage/storage.ts";
import type { State } from "../storage/state.ts";
import type { ChangeRecord, ChangeSet } from "./changes/change.ts";
import { commit, type CommitOptions, dryRun } from "./changes/commit.ts";
import { createHistory } from "./changes/history.ts";
import type { RootName } from "./confine.ts";
import { locatePath } from "./locate.ts";
import { createJournal } from "./changes/journal/journal.ts";
import { createLineIndexes } from "./read/line-index.ts";
import { createPruner } from "./changes/trash/prune.ts";
import { createRecentChanges, type RecentChanges } from "./changes/recent-changes.ts";
import { recover } from "./changes/journal/recovery.ts";
import { createTrash, type Retention, type Trash } from "./changes/trash/trash.ts";
import { createView, type Prober, type FullHistory, type Searcher, type View, type AccessCallbacks } from "./view.ts";
import type { Watch } from "./watch/watch.ts";
import type { WatchFilter } from "./watch/events.ts";
import type { WatchAllowance } from "./watch/watched-tree.ts";

/** Gives access to the files, the history and the trash of some roots. */
export interface Workspace {
  readonly roots: readonly RootName[];
  readonly containment: Containment;
  /** Resolves a path by its spelling. */
  locate(path: string): Promise<SafePath>;
  view(access: AccessCallbacks): View;
  /** Reports events from now on, as far as the caller may see them. */
  watch(filter: WatchFilter, access: AccessCallbacks, allowance: WatchAllowance): Promise<Watch>;
  /** Returns the space on the disk of a root; null where it is unknown. */
  space(root: RootName): Space | null;
  /** Checks whether the system lets us write in a root. */
  isWritable(root: RootName): boolean;
  /** Is undefined for a read-only workspace. */
  readonly writing: WriteAccess | undefined;
  /** Returns a workspace with the same files and history for other roots, which must lie within these. */
  within(roots: readonly RootName[]): Workspace;
}

/** Changes the files of a workspace. */
export interface WriteAccess {
  /** Recovers what an exited process left unfinished. Returns undefined once that is done. */
  ready(): Promise<void> | undefined;
  /** Makes all changes or none; throws `stale` when a plan no longer fits. */
  commit(set: ChangeSet, how: CommitOptions): Promise<ChangeRecord>;
  /** Changes nothing; throws what a commit would refuse because of the disk. */
  dryRun(set: ChangeSet): void;
  readonly history: FullHistory;
  readonly prober: Prober;
  readonly trash: Trash;
  readonly recent: RecentChanges;
  /** Counts the changes in the history, and those that exited processes left unfinished. */
  counts(): { readonly changes: number; readonly pending: number };
}

export interface WritingOptions {
  readonly state: State;
  readonly retention: Retention;
  /** Allows reading the history, but no changes. */
  readonly isReadOnly: boolean;
  readonly searcher: Searcher;
}

export function createWorkspace(storage: Storage, roots: readonly RootName[], options: WritingOptions): Workspace {
  const linesOf = createLineIndexes();
  const writing = createWriting(storage, options);
  const { history, prober } = writing;
  const { searcher } = options;
  const within = (names: readonly RootName[]): Workspace => ({
    roots: names,
    containment: storage.capabilities.containment,
    locate: (path) => locatePath(storage, names, path),
    view: (access) => createView({ storage, roots: names, linesOf, history, prober, searcher }, access),
    async watch(filter, access, allowance) {
      const { createWatch } = await import("./watch/watch.ts");
      return createWatch(filter, {
        view: this.view(access),
        recent: writing.recent,
        allowance,
        onHintsLost: storage.onHintsLost,
      });
    },
    space: ({ real }) => storage.space(real),
    isWritable: ({ real }) => storage.isWritable(real),
    writing: options.isReadOnly ? undefined : writing,
    within,
  });
  return within(roots);
}

function createWriting({ writer }: Storage, { state, retention }: WritingOptions): WriteAccess {
  if (!writer) throw new Fault("io", "Cannot change anything here: this storage is read-only");
  const journal = createJournal(state);
  const history = createHistory(writer, journal);
  const trash = createTrash(writer, state, retention);
  const committer = {
    writer,
    state,
    journal,
    beforeCommit: trash.note,
    afterCommit: trash.forget,
    rescue: trash.rescue,
  };
  const prune = createPruner({ writer, state, journal, trash });
  let recovery: Promise<void> | undefined;
  let isReady = false;
  return {
    ready() {
      if (isReady) return undefined;
      // Reading continues whatever happens; no change can be made before recovery has succeeded.
      recovery ??= recover(committer)
        .catch(() => {})
        .then(() => void (isReady = true));
      return recovery;
    },
    async commit(set, how) {
      const record = await commit(committer, set, how);
      void prune(record);
      return record;
    },
    dryRun: (set) => dryRun(committer, set),
    history: {
      ...history,
      snapshot: writer.snapshot,
      contentOf: writer.contentOf,
      trash: trash.items,
      trashItem: trash.item,
    },
    prober: writer,
    trash,
    recent: createRecentChanges(journal),
    counts: () => ({
      changes: [...journal.records()].length,
      pending: journal.unfinishedTransactions().reduce((sum, { sets }) => sum + sets.length, 0),
    }),
  };
}
