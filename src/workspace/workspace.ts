import { Fault } from "../base/errors.ts";
import type { Containment, SafePath, Space, Storage } from "../storage/storage.ts";
import type { State } from "../storage/state.ts";
import type { ChangeRecord, ChangeSet } from "./changes/change.ts";
import { commit, type CommitOptions, dryRun } from "./changes/commit.ts";
import { createHistory } from "./changes/history.ts";
import type { RootName } from "./confine.ts";
import { createJournal } from "./changes/journal/journal.ts";
import { createLineIndexes } from "./read/line-index.ts";
import { createPruner } from "./changes/trash/prune.ts";
import { createRecentChanges, type RecentChanges } from "./changes/recent-changes.ts";
import { recover } from "./changes/journal/recovery.ts";
import type { ReadAheadWorker } from "./walk/worker/job.ts";
import { createTrash, type Retention, type Trash } from "./changes/trash/trash.ts";
import {
  createView,
  type Prober,
  locatePath,
  type FullHistory,
  type Searcher,
  type View,
  type AccessCallbacks,
} from "./view.ts";
import type { Watch } from "./watch/watch.ts";
import type { WatchFilter } from "./watch/events.ts";
import type { WatchAllowance } from "./watch/watched-tree.ts";

/** The one handle to files. */
export interface Workspace {
  readonly roots: readonly RootName[];
  readonly containment: Containment;
  /** The place a path means, by its spelling. */
  locate(path: string): Promise<SafePath>;
  view(viewer: AccessCallbacks): View;
  /** Tells what happens from now on, as far as the viewer may see it. */
  watch(wish: WatchFilter, viewer: AccessCallbacks, allowance: WatchAllowance): Promise<Watch>;
  /** The disk below a root; null where there is none. */
  space(root: RootName): Space | null;
  /** Whether the system lets us change what is in a root. */
  isWritable(root: RootName): boolean;
  /** Undefined where nothing can be changed. */
  readonly writing: WriteAccess | undefined;
  /** The same files and the same past by other roots, which must lie within its own. */
  within(roots: readonly RootName[]): Workspace;
}

/** How a workspace is changed. */
export interface WriteAccess {
  /** Finishes or takes back what a process that ended left half done. Nothing to wait for after the first time. */
  ready(): Promise<void> | undefined;
  /** All or none; throws `stale` when a plan no longer fits. */
  commit(set: ChangeSet, how: CommitOptions): Promise<ChangeRecord>;
  /** Changes nothing; throws what a commit would refuse for what the disk is. */
  dryRun(set: ChangeSet): void;
  readonly past: FullHistory;
  readonly prober: Prober;
  readonly trash: Trash;
  readonly recent: RecentChanges;
  /** Changes that the history keeps, and those that processes which ended left half done. */
  counts(): { readonly changes: number; readonly pending: number };
}

export interface WritingOptions {
  readonly state: State;
  readonly retention: Retention;
  /** What happened can be looked at; nothing more can happen. */
  readonly isReadOnly: boolean;
  readonly searcher: Searcher;
  readonly worker: ReadAheadWorker;
}

export function createWorkspace(storage: Storage, roots: readonly RootName[], options: WritingOptions): Workspace {
  const linesOf = createLineIndexes();
  const writing = createWriting(storage, options);
  const { past, prober } = writing;
  const { searcher, worker } = options;
  const within = (names: readonly RootName[]): Workspace => ({
    roots: names,
    containment: storage.capabilities.containment,
    locate: async (path) => locatePath(storage, names, path),
    view: (viewer) => createView({ storage, roots: names, linesOf, past, prober, searcher, worker }, viewer),
    async watch(wish, viewer, allowance) {
      const { createWatch } = await import("./watch/watch.ts");
      return createWatch(wish, {
        view: this.view(viewer),
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
      // Reading goes on whatever happens; a change cannot be made before this has succeeded.
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
    past: {
      ...history,
      see: writer.snapshot,
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
