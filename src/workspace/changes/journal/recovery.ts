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

/** Brings what was left half done to before or after. Costs one look where nothing is left. */
export async function recover(recoverer: RecoveryContext): Promise<void> {
  const { writer, state, journal } = recoverer;
  if (journal.unfinishedTransactions().length === 0) return;
  const adopted = await state.locked(() =>
    journal.unfinishedTransactions().flatMap((unfinished) => adopt(recoverer, unfinished)),
  );
  for (const { entry, temporaryFiles } of adopted)
    await clearAway(writer, temporaryFiles).then(entry.end).catch(entry.abandon);
}

/** Erases what nobody needs. What cannot be erased stays in the journal, and the next change tries again. */
async function clearAway(writer: StorageWriter, temporaryFiles: readonly Place[]): Promise<void> {
  for (const place of temporaryFiles) await writer.erase(place).catch(unlessSwapped);
}

/** Where another directory took the place of ours, there is nothing of ours. */
function unlessSwapped(error: unknown): void {
  if (!hasCode(error, "swapped")) throw error;
}

interface AdoptedEntry {
  readonly entry: JournalEntry;
  readonly temporaryFiles: readonly Place[];
}

/**
 * Takes the steps back, all in one turn and only once: a later change must not be taken for one of them. What is left to
 * erase, which may take long, is ours from then on.
 */
function adopt(
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
