import type { Containment, SafePath, Space, Storage } from "../storage/storage.ts";
import type { State } from "../storage/state.ts";
import type { Guarantees } from "../storage/writer.ts";
import type { ChangeRecord, ChangeSet } from "./changes/change.ts";
import type { ChangeEngine } from "./changes/change-engine.ts";
import type { CommitOptions } from "./changes/commit.ts";
import { engineFor } from "./changes/engines.ts";
import { createHistory } from "./changes/history.ts";
import type { RootName } from "./confine.ts";
import { locatePath } from "./locate.ts";
import { createJournal, type Journal } from "./changes/journal/journal.ts";
import { createLineIndexes } from "./read/line-index.ts";
import { createRecentChanges } from "./changes/recent-changes.ts";
import type { Retention, Trash } from "./changes/trash/trash.ts";
import type { Prober } from "./prober.ts";
import { createReadingProber } from "./reading-prober.ts";
import { createView, type FullHistory, type Searcher, type View, type AccessCallbacks } from "./view.ts";
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
  readonly guarantees: Guarantees;
  readonly trash: Trash;
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
  const { state, retention, searcher } = options;
  const linesOf = createLineIndexes();
  const journal = createJournal(state);
  const engine = engineFor(storage.writer, { state, journal, retention });
  const prober = engine?.prober ?? createReadingProber(storage);
  const history = createFullHistory(prober, journal, engine?.trash);
  const recent = createRecentChanges(journal);
  const writing = engine && !options.isReadOnly ? createWriting(engine, journal) : undefined;
  const within = (names: readonly RootName[]): Workspace => ({
    roots: names,
    containment: storage.capabilities.containment,
    locate: (path) => locatePath(storage, names, path),
    view: (access) => createView({ storage, roots: names, linesOf, history, prober, searcher }, access),
    async watch(filter, access, allowance) {
      const { createWatch } = await import("./watch/watch.ts");
      return createWatch(filter, {
        view: this.view(access),
        recent,
        allowance,
        onHintsLost: storage.onHintsLost,
      });
    },
    space: ({ real }) => storage.space(real),
    isWritable: ({ real }) => storage.isWritable(real),
    writing,
    within,
  });
  return within(roots);
}

/** Reads records from the journal and contents from the store. The trash of a storage that is only read is empty. */
const createFullHistory = (prober: Prober, journal: Journal, trash: Trash | undefined): FullHistory => ({
  ...createHistory(prober, journal),
  snapshot: prober.snapshot,
  contentOf: prober.contentOf,
  trash: trash?.items ?? (() => []),
  trashItem: trash?.item ?? (() => null),
});

/** Adds what a session needs to the engine: recovery at the first call. */
function createWriting(engine: ChangeEngine, journal: Journal): WriteAccess {
  let recovery: Promise<void> | undefined;
  let isReady = false;
  return {
    guarantees: engine.guarantees,
    ready() {
      if (isReady) return undefined;
      // Reading continues whatever happens; no change can be made before recovery has succeeded.
      recovery ??= engine
        .recover()
        .catch(() => {})
        .then(() => void (isReady = true));
      return recovery;
    },
    commit: engine.commit,
    dryRun: engine.dryRun,
    trash: engine.trash,
    counts: () => ({ changes: [...journal.records()].length, pending: engine.unfinished() }),
  };
}
