import { hasCode } from "../../../base/errors.ts";
import type { StorageWriter, Place } from "../../../storage/writer.ts";
import type { State } from "../../../storage/state.ts";
import type { JournalEntry, Journal, UnfinishedTransaction } from "./journal.ts";
import { type Rescue, takeAllBack } from "./rollback.ts";

interface Recoverer {
  readonly writer: StorageWriter;
  readonly state: State;
  readonly journal: Journal;
  readonly rescue: Rescue;
}

/** Brings what was left half done to before or after. Costs one look where nothing is left. */
export async function recover(recoverer: Recoverer): Promise<void> {
  const { writer, state, journal } = recoverer;
  if (journal.unfinishedTransactions().length === 0) return;
  const adopted = await state.locked(() =>
    journal.unfinishedTransactions().flatMap((unfinished) => adopt(recoverer, unfinished)),
  );
  for (const { entry, litter } of adopted) await clearAway(writer, litter).then(entry.end).catch(entry.leave);
}

/** Erases what nobody needs. What cannot be erased stays in the journal, and the next change tries again. */
async function clearAway(writer: StorageWriter, litter: readonly Place[]): Promise<void> {
  for (const place of litter) await writer.erase(place).catch(unlessSwapped);
}

/** Where another directory took the place of ours, there is nothing of ours. */
function unlessSwapped(error: unknown): void {
  if (!hasCode(error, "swapped")) throw error;
}

interface Adopted {
  readonly entry: JournalEntry;
  readonly litter: readonly Place[];
}

/**
 * Takes the steps back, all in one turn and only once: a later change must not be taken for one of them. What is left to
 * erase, which may take long, is ours from then on.
 */
function adopt({ writer, journal, rescue }: Recoverer, unfinished: UnfinishedTransaction): readonly Adopted[] {
  for (const { tag, hasHappened, steps } of unfinished.sets)
    if (!hasHappened) takeAllBack(writer, steps, { rescue, note: (left) => journal.note(unfinished, tag, left) });
  const adopted: Adopted[] = [];
  try {
    for (const { of, hasHappened, litter, staged } of unfinished.sets) {
      const rest = hasHappened ? litter : staged;
      const entry = journal.begin();
      adopted.push({ entry, litter: rest });
      entry.stages(rest, of);
    }
    journal.settle(unfinished);
    return adopted;
  } catch (error) {
    for (const { entry } of adopted) entry.end();
    throw error;
  }
}
