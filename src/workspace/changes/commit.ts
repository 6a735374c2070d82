import { type Code, hasCode } from "../../base/errors.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import type { StorageWriter, Place } from "../../storage/writer.ts";
import type { State } from "../../storage/state.ts";
import { applyToOverlay, createOverlayTree } from "./undo/overlay-tree.ts";
import type { Author, Change, ChangeRecord, ChangeSet, Effect } from "./change.ts";
import { compile, requireUntouched } from "./compile.ts";
import { type JournalEntry, type Journal, type UnfinishedTransaction, newChangeId } from "./journal/journal.ts";
import { recover } from "./journal/recovery.ts";
import {
  type MountPoints,
  newPlaces,
  planStaging,
  requireUnmounted,
  type StagedChange,
  stageChange,
  type StagingPlan,
} from "./staging.ts";
import { type Rescue, rollBackSteps } from "./journal/rollback.ts";
import { type Step, performStep } from "./steps.ts";

/** What committing needs. */
export interface Committer {
  readonly writer: StorageWriter;
  readonly state: State;
  readonly journal: Journal;
  /** Told of what happened, under the lock and before it counts as done. */
  readonly beforeCommit: (record: ChangeRecord, changes: readonly Change[]) => void;
  /** Told under the lock once it counts as done. */
  readonly afterCommit: (record: ChangeRecord) => void;
  readonly rescue: Rescue;
}

/** Whose changes, and how the call can be stopped while it still prepares. */
export interface CommitOptions {
  readonly author: Author;
  readonly checkpoint: Checkpoint;
  /** Told what has happened before anybody else can look at it. Must not throw. */
  readonly onCommit?: ((record: ChangeRecord) => void) | undefined;
}

/**
 * Makes all changes or none. New contents are written beside the files first, which may take long; then, in one turn
 * under the lock that all processes share, each change is checked against what is there, journaled and made.
 * Throws `stale` when something is not as expected: then plan again.
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
 * Refuses what a commit would refuse although the plan fits: what is mounted can neither be removed nor moved, and what an
 * undo alters cannot be brought to another disk as well. Only an undo may look for the store: before the first change
 * there is none, and a look would make it.
 */
export function dryRun({ writer }: Committer, set: ChangeSet): void {
  const mounted = mountedAmong(writer, set);
  for (const change of set.changes) requireUnmounted(change, mounted);
  if (set.undoes) planAll(writer, set.changes, "rehearsal", mounted);
}

/** What a mount point may be refused with: it is busy, and the directory around it need not be ours to write to. */
const MOUNT_FAULTS: readonly Code[] = ["busy", "no_permission", "read_only"];

/** Asked only once something was refused, or nothing is to happen: on the way of every change it would cost more than it is worth. */
function mountedAmong(writer: StorageWriter, { changes }: ChangeSet): MountPoints {
  const paths = changes.flatMap((change) => ("to" in change ? [change.path, change.to] : [change.path]));
  return new Set(paths.filter((path) => writer.stat(path) !== null && writer.isMounted(path)));
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
    const { record, temporaryFiles } = await underLock(committer, () => {
      const made = runAfterCommit(committer, makeAll(committer, entry, set, staged, how.author));
      how.onCommit?.(made.record);
      return made;
    });
    await eraseTemporaryFiles(committer, entry, temporaryFiles);
    return record;
  } catch (error) {
    await eraseAll(writer, temps).then(entry.end).catch(entry.abandon);
    throw error;
  }
}

/** Each change is staged for what those before it leave. */
function planAll(
  writer: StorageWriter,
  changes: readonly Change[],
  tag: string,
  mounted: MountPoints,
): readonly StagingPlan[] {
  const tree = createOverlayTree<true>();
  return changes.map((change, nth) => {
    const plan = planStaging({ writer, tree, mounted }, change, `${tag}-${nth}`);
    applyToOverlay(tree, change);
    return plan;
  });
}

/** It has happened: whatever goes wrong now must not say otherwise, and is left to the journal. */
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

/** Nothing is checked against what somebody left half done; mere litter can wait. */
async function underLock<T>(committer: Committer, work: () => T): Promise<T> {
  for (;;) {
    let left: readonly UnfinishedTransaction[] = [];
    const result = await committer.state.locked(() => {
      left = committer.journal.unfinishedTransactions();
      return left.some(isHalfDone) ? NOT_YET : work();
    });
    if (result === NOT_YET) await recover(committer);
    else if (left.length > 0) await recover(committer).catch(() => {});
    if (result !== NOT_YET) return result;
  }
}

const isHalfDone = ({ sets }: UnfinishedTransaction): boolean =>
  sets.some(({ steps, isCommitted }) => steps.length > 0 && !isCommitted);

const NOT_YET: unique symbol = Symbol("something has to be recovered first");

async function eraseAll(writer: StorageWriter, places: readonly Place[]): Promise<void> {
  for (const place of places) await writer.erase(place);
}

interface CommitResult {
  readonly record: ChangeRecord;
  readonly temporaryFiles: readonly Place[];
}

/** One turn, start to end. What fails half-way is taken back before anyone else can look. */
function makeAll(
  committer: Committer,
  entry: JournalEntry,
  { changes, undoes, undoneAt }: ChangeSet,
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
    const record: ChangeRecord = { id: newChangeId(), timeMs: Date.now(), ...author, effects, undoes, undoneAt };
    committer.beforeCommit(record, changes);
    entry.commit(record, temporaryFiles);
    return { record, temporaryFiles };
  } catch (error) {
    rollBack(committer, entry, taken);
    throw error;
  }
}

/** Told of what has happened, whatever comes of telling. */
function runAfterCommit({ afterCommit }: Committer, made: CommitResult): CommitResult {
  try {
    afterCommit(made.record);
  } catch {
    // A note of the trash that stays is left out of every list, and expires like others.
  }
  return made;
}

/** What cannot be taken back now must be later: why the change failed is still what the caller has to know. */
function rollBack({ writer, rescue }: Committer, entry: JournalEntry, taken: readonly Step[]): void {
  try {
    rollBackSteps(writer, taken, { rescue });
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
