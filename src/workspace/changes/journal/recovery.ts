import { hasCode } from "../../../base/errors.ts";
import type { StorageWriter, Place } from "../../../storage/writer.ts";
import type { State } from "../../../storage/state.ts";
import type { JournalEntry, Journal, UnfinishedTransaction } from "./journal.ts";
import { type Rescue, rollBackSteps } from "./rollback.ts";

interface RecoveryContext {
  readonly writer: StorageWriter;
  readonly state: State;
  readonly journal: Journal;
  readonly rescue: Rescue;
}

/** Rolls unfinished change sets back, or finishes committed ones. Costs one directory listing when there are none. */
export async function recover(context: RecoveryContext): Promise<void> {
  const { writer, state, journal } = context;
  if (journal.unfinishedTransactions().length === 0) return;
  const adopted = await state.locked(() =>
    journal.unfinishedTransactions().flatMap((unfinished) => adoptTransaction(context, unfinished)),
  );
  for (const { entry, temporaryFiles } of adopted)
    await clearAway(writer, temporaryFiles).then(entry.end).catch(entry.abandon);
}

/** Erases temporary files. What cannot be erased stays in the journal, and the next change tries again. */
async function clearAway(writer: StorageWriter, temporaryFiles: readonly Place[]): Promise<void> {
  for (const place of temporaryFiles) await writer.erase(place).catch(unlessSwapped);
}

/** Ignores a directory that was replaced by another: nothing in it is ours. */
function unlessSwapped(error: unknown): void {
  if (!hasCode(error, "swapped")) throw error;
}

interface AdoptedEntry {
  readonly entry: JournalEntry;
  readonly temporaryFiles: readonly Place[];
}

/**
 * Rolls the steps back in one synchronous run and only once: a later change must not be taken for one of them. What is
 * left to erase, which may take long, belongs to our own journal from then on.
 */
function adoptTransaction(
  { writer, journal, rescue }: RecoveryContext,
  unfinished: UnfinishedTransaction,
): readonly AdoptedEntry[] {
  for (const { tag, isCommitted, steps } of unfinished.sets)
    if (!isCommitted)
      rollBackSteps(writer, steps, {
        rescue,
        logRemaining: (left) => journal.logRemainingSteps(unfinished, tag, left),
      });
  const adopted: AdoptedEntry[] = [];
  try {
    for (const { placesTag, isCommitted, temporaryFiles, staged } of unfinished.sets) {
      const rest = isCommitted ? temporaryFiles : staged;
      const entry = journal.beginEntry();
      adopted.push({ entry, temporaryFiles: rest });
      entry.logStaged(rest, placesTag);
    }
    journal.finish(unfinished);
    return adopted;
  } catch (error) {
    for (const { entry } of adopted) entry.end();
    throw error;
  }
}
