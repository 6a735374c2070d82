import { type Code, hasCode } from "../../base/errors.ts";
import type { Breathe } from "../../base/time-slicing.ts";
import type { Hands, Place } from "../../storage/writer.ts";
import type { State } from "../../storage/state.ts";
import { assume, createAssumedTree } from "./undo/assumed-tree.ts";
import type { Author, Change, ChangeRecord, ChangeSet, Effect } from "./change.ts";
import { compile, requireUntouched } from "./compile.ts";
import { type Entry, type Journal, type Leftover, newChangeId } from "./journal/journal.ts";
import { recover } from "./journal/recovery.ts";
import {
  type Mounted,
  newPlaces,
  planStaging,
  requireUnmounted,
  type StagedChange,
  stageChange,
  type StagingPlan,
} from "./staging.ts";
import { type Rescue, takeAllBack } from "./journal/rollback.ts";
import { type Step, take } from "./steps.ts";

/** What committing needs. */
export interface Committer {
  readonly hands: Hands;
  readonly state: State;
  readonly journal: Journal;
  /** Told of what happened, under the lock and before it counts as done. */
  readonly noted: (record: ChangeRecord, changes: readonly Change[]) => void;
  /** Told under the lock once it counts as done. */
  readonly happened: (record: ChangeRecord) => void;
  readonly rescue: Rescue;
}

/** Whose changes, and how the call can be stopped while it still prepares. */
export interface Committing {
  readonly author: Author;
  readonly breathe: Breathe;
  /** Told what has happened before anybody else can look at it. Must not throw. */
  readonly made?: ((record: ChangeRecord) => void) | undefined;
}

/**
 * Makes all changes or none. New contents are written beside the files first, which may take long; then, in one turn
 * under the lock that all processes share, each change is checked against what is there, journaled and made.
 * Throws `stale` when something is not as expected: then plan again.
 */
export async function commit(committer: Committer, set: ChangeSet, how: Committing): Promise<ChangeRecord> {
  try {
    return await attempt(committer, set, { ...how, mounted: new Set() });
  } catch (error) {
    const mounted = hasCode(error, ...OF_MOUNTS) ? mountedAmong(committer.hands, set) : undefined;
    if (!mounted?.size) throw error;
    return attempt(committer, set, { ...how, mounted });
  }
}

/**
 * Refuses what a commit would refuse although the plan fits: what is mounted can neither be removed nor moved, and what an
 * undo alters cannot be brought to another disk as well. Only an undo may look for the store: before the first change
 * there is none, and a look would make it.
 */
export function rehearse({ hands }: Committer, set: ChangeSet): void {
  const mounted = mountedAmong(hands, set);
  for (const change of set.changes) requireUnmounted(change, mounted);
  if (set.undoes) planAll(hands, set.changes, "rehearsal", mounted);
}

/** What a mount point may be refused with: it is busy, and the directory around it need not be ours to write to. */
const OF_MOUNTS: readonly Code[] = ["busy", "no_permission", "read_only"];

/** Asked only once something was refused, or nothing is to happen: on the way of every change it would cost more than it is worth. */
function mountedAmong(hands: Hands, { changes }: ChangeSet): Mounted {
  const paths = changes.flatMap((change) => ("to" in change ? [change.path, change.to] : [change.path]));
  return new Set(paths.filter((path) => hands.look(path) !== null && hands.isMounted(path)));
}

interface Attempt extends Committing {
  readonly mounted: Mounted;
}

async function attempt(committer: Committer, set: ChangeSet, how: Attempt): Promise<ChangeRecord> {
  const { hands, journal } = committer;
  const entry = journal.begin();
  let temps: readonly Place[] = [];
  try {
    const plans = planAll(hands, set.changes, entry.tag, how.mounted);
    temps = plans.flatMap(newPlaces);
    if (temps.length > 0) entry.stages(temps);
    const staged: StagedChange[] = [];
    for (const plan of plans) staged.push(await stageChange(hands, plan, how.breathe));
    const { record, litter } = await underLock(committer, () => {
      const made = told(committer, makeAll(committer, entry, set, staged, how.author));
      how.made?.(made.record);
      return made;
    });
    await clear(committer, entry, litter);
    return record;
  } catch (error) {
    await eraseAll(hands, temps).then(entry.end).catch(entry.leave);
    throw error;
  }
}

/** Each change is staged for what those before it leave. */
function planAll(hands: Hands, changes: readonly Change[], tag: string, mounted: Mounted): readonly StagingPlan[] {
  const tree = createAssumedTree<true>();
  return changes.map((change, nth) => {
    const plan = planStaging({ hands, tree, mounted }, change, `${tag}-${nth}`);
    assume(tree, change);
    return plan;
  });
}

/** It has happened: whatever goes wrong now must not say otherwise, and is left to the journal. */
async function clear({ hands }: Committer, entry: Entry, litter: readonly Place[]): Promise<void> {
  try {
    await eraseAll(hands, litter);
    entry.end();
  } catch {
    entry.leave();
  }
}

/** Nothing is checked against what somebody left half done; mere litter can wait. */
async function underLock<T>(committer: Committer, work: () => T): Promise<T> {
  for (;;) {
    let left: readonly Leftover[] = [];
    const result = await committer.state.locked(() => {
      left = committer.journal.leftovers();
      return left.some(isHalfDone) ? NOT_YET : work();
    });
    if (result === NOT_YET) await recover(committer);
    else if (left.length > 0) await recover(committer).catch(() => {});
    if (result !== NOT_YET) return result;
  }
}

const isHalfDone = ({ sets }: Leftover): boolean =>
  sets.some(({ steps, hasHappened }) => steps.length > 0 && !hasHappened);

const NOT_YET: unique symbol = Symbol("something has to be recovered first");

async function eraseAll(hands: Hands, places: readonly Place[]): Promise<void> {
  for (const place of places) await hands.erase(place);
}

interface Made {
  readonly record: ChangeRecord;
  readonly litter: readonly Place[];
}

/** One turn, start to end. What fails half-way is taken back before anyone else can look. */
function makeAll(
  committer: Committer,
  entry: Entry,
  { changes, undoes, undoneAt }: ChangeSet,
  staged: readonly StagedChange[],
  author: Author,
): Made {
  const taken: Step[] = [];
  const litter: Place[] = [];
  try {
    const effects: Effect[] = [];
    for (const { place, fingerprint } of staged.flatMap(({ sources = [] }) => sources))
      requireUntouched(committer.hands, place, fingerprint);
    for (const [nth, change] of changes.entries())
      effects.push(...makeOne(committer, entry, change, staged[nth] as StagedChange, taken, litter));
    const record: ChangeRecord = { id: newChangeId(), timeMs: Date.now(), ...author, effects, undoes, undoneAt };
    committer.noted(record, changes);
    entry.commit(record, litter);
    return { record, litter };
  } catch (error) {
    takeBack(committer, entry, taken);
    throw error;
  }
}

/** Told of what has happened, whatever comes of telling. */
function told({ happened }: Committer, made: Made): Made {
  try {
    happened(made.record);
  } catch {
    // A note of the trash that stays is left out of every list, and expires like others.
  }
  return made;
}

/** What cannot be taken back now must be later: why the change failed is still what the caller has to know. */
function takeBack({ hands, rescue }: Committer, entry: Entry, taken: readonly Step[]): void {
  try {
    takeAllBack(hands, taken, { rescue });
    entry.retract();
  } catch {
    entry.leave();
  }
}

function makeOne(
  { hands }: Committer,
  entry: Entry,
  change: Change,
  staged: StagedChange,
  taken: Step[],
  litter: Place[],
): readonly Effect[] {
  const compiled = compile(hands, change, staged);
  if (!compiled) return [];
  entry.steps(compiled.steps);
  for (const step of compiled.steps) {
    taken.push(step);
    take(hands, step, compiled.bytes);
  }
  litter.push(...compiled.litter);
  return [compiled.effect()];
}
