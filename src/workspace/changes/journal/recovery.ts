import { hasCode, isFault } from "../../../base/errors.ts";
import type { RootIdentity } from "../../../storage/root-identity.ts";
import type { State } from "../../../storage/state.ts";
import type { Place, StorageWriter } from "../../../storage/writer.ts";
import type { Journal, UnfinishedTransaction } from "./journal.ts";
import { ownPlacesOf } from "./unfinished.ts";
import type { Step } from "../steps.ts";
import { type Rescue, rollBackSteps } from "./rollback.ts";

/**
 * Opens the roots of another process again. Returns null where one is gone, or another directory has its path.
 * `ownPlaces` are those that only its change sets made: they prove that a directory is the same on a disk that came back.
 */
export type OpenRoots = (roots: readonly RootIdentity[], ownPlaces: readonly Place[]) => OpenedRoots | null;

export interface OpenedRoots {
  readonly writer: StorageWriter;
  /** Maps the number that a device had to the one it has now, where they differ. */
  readonly devices: ReadonlyMap<string, string>;
}

interface RecoveryContext {
  readonly state: State;
  readonly journal: Journal;
  readonly openRoots: OpenRoots;
  readonly rescueWith: RescueWith;
}

/** Returns how files are rescued in these roots; in our own where none are given. */
export type RescueWith = (writer: StorageWriter, roots?: readonly RootIdentity[]) => Rescue;

/**
 * Rolls unfinished change sets back, or finishes committed ones, in the directories that their journal names. Costs one
 * directory listing when there are none.
 */
export async function recover(context: RecoveryContext): Promise<void> {
  const { state, journal } = context;
  if (journal.unfinishedTransactions().length === 0) return;
  const resolved = await state.locked(() =>
    journal.unfinishedTransactions().flatMap((unfinished) => resolveOne(context, unfinished)),
  );
  for (const { writer, transaction } of resolved) await clearAway(context, writer, transaction);
}

interface Resolved {
  readonly transaction: UnfinishedTransaction;
  readonly writer: StorageWriter;
}

/** Returns nothing where nothing is left to do, or where it has to wait: a root is gone, or refuses. */
function resolveOne(context: RecoveryContext, transaction: UnfinishedTransaction): readonly Resolved[] {
  const { journal, openRoots } = context;
  if (transaction.sets.length === 0) {
    journal.finish(transaction);
    return [];
  }
  const opened = openRoots(transaction.roots, transaction.sets.flatMap(ownPlacesOf));
  const isRolledBack = opened !== null && tryRollBack(context, opened, transaction);
  const waiting = journal.moveToWaiting(transaction);
  return isRolledBack ? [{ writer: opened.writer, transaction: waiting }] : [];
}

/**
 * Returns false where a directory of another process refuses, such as one that is read-only now: then only changes at
 * its places wait, not those of everybody.
 */
function tryRollBack(context: RecoveryContext, opened: OpenedRoots, transaction: UnfinishedTransaction): boolean {
  try {
    rollBackAll(context, opened, transaction);
    return true;
  } catch (error) {
    if (transaction.isOwn || !isFault(error)) throw error;
    return false;
  }
}

/** Rolls the steps back in one synchronous run and only once: a later change must not be taken for one of them. */
function rollBackAll(
  { journal, rescueWith }: RecoveryContext,
  { writer, devices }: OpenedRoots,
  transaction: UnfinishedTransaction,
): void {
  for (const { tag, isCommitted, steps } of transaction.sets)
    if (!isCommitted)
      rollBackSteps(
        writer,
        steps.map((step) => onDevices(step, devices)),
        {
          rescue: rescueWith(writer, transaction.roots),
          logRemaining: (left) => journal.logRemainingSteps(transaction, tag, left),
        },
      );
}

/** Renames the devices in the identities of a step, which begin with the number of one. */
function onDevices(step: Step, devices: ReadonlyMap<string, string>): Step {
  if (devices.size === 0) return step;
  const renamed = Object.entries(step).map(([key, value]) => {
    const [was, rest] = IDENTIFYING.includes(key) ? (/^(\d+)(:.*)$/.exec(String(value))?.slice(1) ?? []) : [];
    return [key, was === undefined ? value : `${devices.get(was) ?? was}${rest}`];
  });
  return Object.fromEntries(renamed) as Step;
}

const IDENTIFYING: readonly string[] = ["identity", "staged", "stamp"];

/**
 * Erases temporary files, which may take long: their names are used only once, so several processes may do so. What
 * cannot be erased stays in the journal, and the next process tries again.
 */
async function clearAway(
  { journal }: RecoveryContext,
  writer: StorageWriter,
  transaction: UnfinishedTransaction,
): Promise<void> {
  try {
    for (const { isCommitted, temporaryFiles, staged } of transaction.sets)
      for (const place of isCommitted ? temporaryFiles : staged) await eraseUnlessSwapped(writer, place);
    journal.finish(transaction);
  } catch {
    // Nothing is half done any more: only files that nobody sees are left.
  }
}

/** Ignores a directory that was replaced by another: nothing in it is ours. */
const eraseUnlessSwapped = (writer: StorageWriter, place: Place): Promise<void> =>
  writer.erase(place).catch((error: unknown) => {
    if (!hasCode(error, "swapped")) throw error;
  });
