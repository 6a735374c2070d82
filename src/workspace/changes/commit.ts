import { type Code, Fault, hasCode } from "../../base/errors.ts";
import { isWithin } from "../../base/paths.ts";
import type { Cancellation, Checkpoint } from "../../base/time-slicing.ts";
import type { StorageWriter, Place } from "../../storage/writer.ts";
import type { State } from "../../storage/state.ts";
import type { SafePath } from "../../storage/storage.ts";
import { applyToOverlay, createOverlayTree } from "./undo/overlay-tree.ts";
import type { Author, Change, ChangeRecord, ChangeSet, Effect } from "./change.ts";
import { compile, requireUntouched } from "./compile.ts";
import type { JournalEntry, Journal } from "./journal/journal.ts";
import { newChangeId } from "./journal/change-id.ts";
import { type OpenRoots, recover, type RescueWith } from "./journal/recovery.ts";
import {
  type MountPoints,
  newPlaces,
  planStaging,
  requireUnmounted,
  type StagedChange,
  stageChange,
  type StagingPlan,
} from "./staging.ts";
import type { WaitingChange } from "./journal/waiting.ts";
import { rollBackSteps } from "./journal/rollback.ts";
import { type Step, performStep } from "./steps.ts";

/** Holds the dependencies of a commit. */
export interface Committer {
  readonly writer: StorageWriter;
  readonly state: State;
  readonly journal: Journal;
  /** Is called under the lock, before the change set counts as committed. */
  readonly beforeCommit: (record: ChangeRecord, changes: readonly Change[]) => void;
  /** Is called under the lock, once the change set is committed. */
  readonly afterCommit: (record: ChangeRecord) => void;
  readonly rescueWith: RescueWith;
  readonly openRoots: OpenRoots;
}

type ContentOf = (place: SafePath) => Uint8Array | null;

/** Names the author, and lets the caller cancel while the commit is still staging. */
export interface CommitOptions {
  readonly author: Author;
  readonly checkpoint: Checkpoint;
  /** Ends the wait for a storage that does not answer, as long as nothing is changed. */
  readonly signal?: Cancellation | undefined;
  /**
   * Is called with the record before anybody else can see the change. `contentOf` reads a changed file where that needs
   * no waiting. Must not throw.
   */
  readonly onCommit?: ((record: ChangeRecord, contentOf: ContentOf) => void) | undefined;
}

/**
 * Makes all changes or none. First stages new contents beside the files, which may take long. Then, in one synchronous
 * run under the lock that all processes share, checks each change against the disk, journals it and makes it. Throws
 * `stale` when a precondition does not hold: then plan again.
 */
export async function commit(committer: Committer, set: ChangeSet, how: CommitOptions): Promise<ChangeRecord> {
  try {
    return await attempt(committer, set, { ...how, mounted: new Set() });
  } catch (error) {
    const mounted = hasCode(error, ...MOUNT_FAULTS) ? mountedAmong(committer.writer, set) : undefined;
    if (!mounted?.size) throw error;
    return attempt(committer, set, { ...how, mounted });
  }
}

/**
 * Refuses what a commit would refuse although the plan fits: a mount point cannot be removed or moved, and a file that
 * an undo alters cannot be moved to another disk in the same set. Only an undo looks at the store: before the first
 * change there is none, and looking would create it.
 */
export function dryRun({ writer }: Committer, set: ChangeSet): void {
  const mounted = mountedAmong(writer, set);
  for (const change of set.changes) requireUnmounted(change, mounted);
  if (set.undoes) planAll(writer, set.changes, "rehearsal", mounted);
}

/** Lists the codes that changing a mount point can fail with: it is busy, or its directory is not writable. */
const MOUNT_FAULTS: readonly Code[] = ["busy", "no_permission", "read_only"];

/** Runs only after a failure or in a dry run: checking every change would cost more than it is worth. */
function mountedAmong(writer: StorageWriter, { changes }: ChangeSet): MountPoints {
  return new Set(changes.flatMap(pathsOf).filter((path) => writer.stat(path) !== null && writer.isMounted(path)));
}

interface Attempt extends CommitOptions {
  readonly mounted: MountPoints;
}

async function attempt(committer: Committer, set: ChangeSet, how: Attempt): Promise<ChangeRecord> {
  const { writer, journal } = committer;
  const entry = journal.beginEntry();
  let temps: readonly Place[] = [];
  try {
    const plans = planAll(writer, set.changes, entry.tag, how.mounted);
    temps = plans.flatMap(newPlaces);
    if (temps.length > 0) entry.logStaged(temps);
    const staged: StagedChange[] = [];
    for (const plan of plans) staged.push(await stageChange(writer, plan, how.checkpoint));
    const { record, temporaryFiles } = await underLock(committer, set, () => {
      const made = runAfterCommit(committer, makeAll(committer, entry, set, staged, how.author));
      how.onCommit?.(made.record, committer.writer.contentOf);
      return made;
    });
    await eraseTemporaryFiles(committer, entry, temporaryFiles);
    return record;
  } catch (error) {
    await eraseAll(writer, temps).then(entry.end).catch(entry.abandon);
    throw error;
  }
}

/** Plans each change for the state that the changes before it leave. */
function planAll(
  writer: StorageWriter,
  changes: readonly Change[],
  tag: string,
  mounted: MountPoints,
): readonly StagingPlan[] {
  const tree = createOverlayTree<true>();
  const streamed = new Map();
  return changes.map((change, nth) => {
    const previous = changes[nth - 1];
    if (previous) applyToOverlay(tree, previous);
    return planStaging({ writer, tree, mounted, streamed }, change, `${tag}-${nth}`);
  });
}

/** Leaves failures to the journal: the change set is committed, and an error must not say otherwise. */
async function eraseTemporaryFiles(
  { writer }: Committer,
  entry: JournalEntry,
  temporaryFiles: readonly Place[],
): Promise<void> {
  try {
    await eraseAll(writer, temporaryFiles);
    entry.end();
  } catch {
    entry.abandon();
  }
}

/** Recovers interrupted change sets before the work. Temporary files alone can wait until after it. */
export async function underLock<T>(committer: Committer, set: ChangeSet, work: () => T): Promise<T> {
  const { state, journal } = committer;
  for (let isRetried = false; ; isRetried = true) {
    const result = await state.locked(() => {
      if (journal.isInterrupted()) return NOT_YET;
      const waiting = journal.waiting();
      const blocked = waiting.length === 0 ? undefined : blockedBy(waiting, set);
      if (blocked === undefined) return work();
      if (isRetried) throw blockedFault(blocked);
      return NOT_YET;
    });
    if (result === NOT_YET) await recover(committer);
    else if (journal.hasAbandoned()) await recover(committer).catch(() => {});
    if (result !== NOT_YET) return result;
  }
}

const NOT_YET: unique symbol = Symbol("something has to be recovered first");

/** Finds a place of the set that an interrupted change names, whose directory is missing or refuses. */
function blockedBy(waiting: readonly WaitingChange[], { changes }: ChangeSet): Blocked | undefined {
  for (const path of changes.flatMap(pathsOf))
    for (const { id, places } of waiting)
      if (places.some((place) => isWithin(place, path) || isWithin(path, place))) return { path, id };
  return undefined;
}

interface Blocked {
  readonly path: SafePath;
  /** Names the interrupted change. */
  readonly id: string;
}

const blockedFault = ({ path, id }: Blocked): Fault =>
  new Fault("busy", `Cannot change ${JSON.stringify(path)}: an interrupted change there cannot be rolled back yet`, {
    path,
    hint:
      "Ask the user to make its directories available and writable again; holdfast doctor lists them. " +
      `If they are gone for good: holdfast doctor --give-up ${id}`,
  });

const pathsOf = (change: Change): readonly SafePath[] => ("to" in change ? [change.path, change.to] : [change.path]);

async function eraseAll(writer: StorageWriter, places: readonly Place[]): Promise<void> {
  for (const place of places) await writer.erase(place);
}

interface CommitResult {
  readonly record: ChangeRecord;
  readonly temporaryFiles: readonly Place[];
}

/** Runs synchronously from start to end. Rolls back what fails half-way before anyone else can look. */
function makeAll(
  committer: Committer,
  entry: JournalEntry,
  { changes, undoes, undoneAt, group }: ChangeSet,
  staged: readonly StagedChange[],
  author: Author,
): CommitResult {
  const taken: Step[] = [];
  const temporaryFiles: Place[] = [];
  try {
    const effects: Effect[] = [];
    for (const { place, fingerprint } of staged.flatMap(({ sources = [] }) => sources))
      requireUntouched(committer.writer, place, fingerprint);
    for (const [nth, change] of changes.entries())
      effects.push(...makeOne(committer, entry, change, staged[nth] as StagedChange, taken, temporaryFiles));
    const record: ChangeRecord = {
      id: newChangeId(committer.state),
      timeMs: Date.now(),
      ...author,
      effects,
      undoes,
      undoneAt,
      group,
    };
    committer.beforeCommit(record, changes);
    entry.commit(record, temporaryFiles);
    return { record, temporaryFiles };
  } catch (error) {
    rollBack(committer, entry, taken);
    throw error;
  }
}

/** Ignores a failure: the change set is committed already. */
function runAfterCommit({ afterCommit }: Committer, made: CommitResult): CommitResult {
  try {
    afterCommit(made.record);
  } catch {
    // A note that stays in the trash is left out of every listing, and expires like the others.
  }
  return made;
}

/** Leaves the rollback to recovery when it fails: the caller must still learn why the change failed. */
function rollBack({ writer, rescueWith }: Committer, entry: JournalEntry, taken: readonly Step[]): void {
  try {
    rollBackSteps(writer, taken, { rescue: rescueWith(writer) });
    entry.retract();
  } catch {
    entry.abandon();
  }
}

function makeOne(
  { writer }: Committer,
  entry: JournalEntry,
  change: Change,
  staged: StagedChange,
  taken: Step[],
  temporaryFiles: Place[],
): readonly Effect[] {
  const compiled = compile(writer, change, staged);
  if (!compiled) return [];
  entry.logSteps(compiled.steps);
  for (const step of compiled.steps) {
    taken.push(step);
    performStep(writer, step, compiled.bytes);
  }
  temporaryFiles.push(...compiled.temporaryFiles);
  return [compiled.effect()];
}
