import type { Cancellation } from "../../base/time-slicing.ts";
import type { State } from "../../storage/state.ts";
import type { Guarantees } from "../../storage/writer.ts";
import type { Prober } from "../prober.ts";
import type { ChangeRecord, ChangeSet } from "./change.ts";
import type { CommitOptions } from "./commit.ts";
import type { Journal } from "./journal/journal.ts";
import type { OpenRoots } from "./journal/recovery.ts";
import type { Retention, Trash } from "./trash/trash.ts";
import type { CommandPictures } from "./pictures/pictures.ts";
import type { CommandViews } from "./views/views.ts";

/** Changes one storage, as far as its guarantees go. All engines leave the same records in the history. */
export interface ChangeEngine {
  readonly guarantees: Guarantees;
  /** Finishes or rolls back what an exited process left. */
  recover(): Promise<void>;
  /** Makes all changes or none, as far as the guarantees go; throws `stale` when a plan no longer fits. */
  commit(set: ChangeSet, how: CommitOptions): Promise<ChangeRecord>;
  /** Changes nothing; throws what a commit would refuse because of the storage. */
  dryRun(set: ChangeSet): void | Promise<void>;
  readonly prober: Prober;
  /** Returns a prober for one call: it waits no longer once that is cancelled. Is absent where nothing waits. */
  proberDuring?(call: Cancellation): Prober;
  readonly trash: Pick<Trash, "items" | "item" | "purge" | "expire">;
  /** Asks a storage whether it is the one that its history belongs to. Is absent where that is certain. */
  identify?(): Promise<void>;
  /** Checks that a record belongs to this very storage; all do where it is absent. */
  owns?(record: ChangeRecord): boolean;
  /** Keeps the views of commands; undefined where there can be none. */
  readonly views?: CommandViews | undefined;
  /** Keeps the pictures of commands that work on the files themselves; undefined where there can be none. */
  readonly pictures?: CommandPictures | undefined;
  /** Counts the change sets that exited processes left unfinished. */
  unfinished(): number;
}

/** Holds what an engine records its changes with. */
export interface EngineParts {
  readonly state: State;
  readonly journal: Journal;
  readonly retention: Retention;
  /** Opens roots of other processes; only our own where it is absent. */
  readonly openRoots?: OpenRoots | undefined;
  /** Is called after each pruning of the history. */
  readonly afterPruning?: (() => Promise<void>) | undefined;
}
