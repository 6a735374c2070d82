import type { Cancellation } from "../base/time-slicing.ts";
import { duringCall } from "../storage/composed.ts";
import type { Guarantees } from "../storage/writer.ts";
import { isSameRoot, type RootIdentity } from "../storage/root-identity.ts";
import type { State } from "../storage/state.ts";
import type { Storage } from "../storage/storage.ts";
import type { ChangeRecord, ChangeSet } from "./changes/change.ts";
import type { ChangeEngine } from "./changes/change-engine.ts";
import type { CommitOptions } from "./changes/commit.ts";
import { engineFor } from "./changes/engines.ts";
import { createHistory } from "./changes/history.ts";
import type { ChangedDirectory } from "./changes/journal/directories.ts";
import { createJournal, type Journal } from "./changes/journal/journal.ts";
import type { OpenRoots } from "./changes/journal/recovery.ts";
import type { WaitingChange } from "./changes/journal/waiting.ts";
import type { Identify } from "./changes/replaced-roots.ts";
import { createRecentChanges, type RecentChanges } from "./changes/recent-changes.ts";
import type { Retention } from "./changes/trash/trash.ts";
import type { Prober } from "./prober.ts";
import { createReadingProber } from "./reading-prober.ts";
import type { FullHistory } from "./view.ts";

/** A storage, and the state that keeps its history and its trash. No two storages of a workspace share one. */
export interface StorageWithState {
  readonly storage: Storage;
  readonly state: State;
  /** Identifies the roots as they are now, for the journal. */
  readonly identities?: () => readonly RootIdentity[];
  /** Opens roots of other processes, to recover what they left; only our own where it is absent. */
  readonly openRoots?: OpenRoots;
  /** Identifies the directory that has a path now; no root has an inode where it is absent. */
  readonly identify?: Identify;
  /** Takes over the state of older versions. */
  readonly takeOver?: () => Promise<void>;
  /** Removes what was taken over, which older versions could read until now. Is called once the history is pruned. */
  readonly removeTakenOver?: () => Promise<void>;
}

/** Gives access to one storage, or to several as one: its history, and changes. */
export interface StorageAccess {
  readonly roots: readonly string[];
  readonly prober: Prober;
  readonly history: FullHistory;
  readonly recent: RecentChanges;
  /** Returns what one call looks with: it waits no longer once it is cancelled. Is absent where nothing waits. */
  during?(call: Cancellation): Looking;
  /** Is undefined for a storage that can only be read. */
  readonly writing: StorageWriting | undefined;
}

/** Looks at files and at the past. */
export type Looking = Pick<StorageAccess, "prober" | "history">;

/** Changes the files of a workspace. */
export interface WriteAccess {
  /** Recovers what an exited process left unfinished. Returns undefined once that is done. */
  ready(): Promise<void> | undefined;
  /** Makes all changes or none; throws `stale` when a plan no longer fits. */
  commit(set: ChangeSet, how: CommitOptions): Promise<ChangeRecord>;
  /** Changes nothing; throws what a commit would refuse because of the disk. */
  dryRun(set: ChangeSet): void | Promise<void>;
  readonly trash: ChangeEngine["trash"];
  /** Keeps the views of commands; undefined where there can be none. */
  readonly views: ChangeEngine["views"];
  /** Keeps the pictures of commands that work on the files themselves; undefined where there can be none. */
  readonly pictures: ChangeEngine["pictures"];
  /** Counts the changes in the history, and those that exited processes left unfinished. */
  counts(): { readonly changes: number; readonly pending: number };
  /** Lists the directories of this machine in which something was changed, by any session of the user. */
  directories(): readonly ChangedDirectory[];
  /** Lists changes that were interrupted half-way and cannot be rolled back now. */
  waiting(): readonly InterruptedChange[];
  /** Leaves the places of such a change as they are. Returns undefined where there is none with this id. */
  giveUp(id: string): Promise<InterruptedChange | undefined>;
}

/** A change that was interrupted half-way. */
export interface InterruptedChange extends WaitingChange {
  /** Lists its directories that are gone, or are others now. */
  readonly missing: readonly string[];
}

/** Changes the files of one storage. */
export interface StorageWriting extends WriteAccess {
  readonly guarantees: Guarantees;
}

export function createStorageAccess(part: StorageWithState, retention: Retention): StorageAccess {
  const { storage, state, identities = () => storage.roots.map(withoutInode), openRoots, removeTakenOver } = part;
  const journal = createJournal(state, identities);
  const engine = engineFor(storage, { state, journal, retention, openRoots, afterPruning: removeTakenOver });
  const looking = (prober: Prober): Looking => ({ prober, history: createFullHistory(prober, journal, engine) });
  return {
    roots: storage.roots,
    ...looking(engine?.prober ?? createReadingProber(storage)),
    ...(storage.during && {
      during: (call) => looking(engine?.proberDuring?.(call) ?? createReadingProber(duringCall(storage, call))),
    }),
    recent: createRecentChanges(journal),
    writing: engine && createWriting(engine, journal, part),
  };
}

/** Reads records from the journal and contents from the store. The trash of a storage that is only read is empty. */
function createFullHistory(prober: Prober, journal: Journal, engine: ChangeEngine | undefined): FullHistory {
  const { trash, identify, owns = () => true } = engine ?? {};
  const history = createHistory(prober, journal);
  return {
    ...history,
    async *records(checkpoint, naming) {
      await identify?.();
      for await (const record of history.records(checkpoint, naming)) if (owns(record)) yield record;
    },
    read(id) {
      const record = history.read(id);
      return record && owns(record) ? record : null;
    },
    snapshot: prober.snapshot,
    contentOf: prober.contentOf,
    trash: trash?.items ?? (() => []),
    trashItem: trash?.item ?? (() => null),
  };
}

/** Identifies the root of a storage that is not a directory of this machine. */
const withoutInode = (path: string): RootIdentity => ({ path, dev: "", ino: "" });

/** Adds what a session needs to the engine: recovery at the first call. */
function createWriting(engine: ChangeEngine, journal: Journal, part: StorageWithState): StorageWriting {
  const { takeOver = async () => {}, identify = () => undefined } = part;
  const withMissing = (change: WaitingChange): InterruptedChange => ({
    ...change,
    missing: change.roots.flatMap((root) => (isSameRoot(root, identify(root.path)) ? [] : [root.path])),
  });
  let recovery: Promise<void> | undefined;
  let isReady = false;
  return {
    guarantees: engine.guarantees,
    ready() {
      if (isReady) return undefined;
      // Reading continues whatever happens; no change can be made before recovery has succeeded.
      recovery ??= takeOver()
        .catch(() => {})
        .then(engine.recover)
        .catch(() => {})
        .then(() => void (isReady = true));
      return recovery;
    },
    commit: engine.commit,
    dryRun: engine.dryRun,
    trash: engine.trash,
    views: engine.views,
    pictures: engine.pictures,
    counts: () => ({ changes: journal.count(), pending: engine.unfinished() }),
    directories: journal.directories,
    waiting: () => journal.readWaiting().map(withMissing),
    async giveUp(id) {
      const change = await journal.giveUp(id);
      return change && withMissing(change);
    },
  };
}
