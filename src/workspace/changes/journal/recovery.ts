import { hasCode } from "../../../base/errors.ts";
import type { Hands, Place } from "../../../storage/writer.ts";
import type { State } from "../../../storage/state.ts";
import type { Entry, Journal, Leftover } from "./journal.ts";
import { type Rescue, takeAllBack } from "./rollback.ts";

interface Recoverer {
  readonly hands: Hands;
  readonly state: State;
  readonly journal: Journal;
  readonly rescue: Rescue;
}

/** Brings what was left half done to before or after. Costs one look where nothing is left. */
export async function recover(recoverer: Recoverer): Promise<void> {
  const { hands, state, journal } = recoverer;
  if (journal.leftovers().length === 0) return;
  const adopted = await state.locked(() => journal.leftovers().flatMap((leftover) => adopt(recoverer, leftover)));
  for (const { entry, litter } of adopted) await clearAway(hands, litter).then(entry.end).catch(entry.leave);
}

/** Erases what nobody needs. What cannot be erased stays in the journal, and the next change tries again. */
async function clearAway(hands: Hands, litter: readonly Place[]): Promise<void> {
  for (const place of litter) await hands.erase(place).catch(unlessSwapped);
}

/** Where another directory took the place of ours, there is nothing of ours. */
function unlessSwapped(error: unknown): void {
  if (!hasCode(error, "swapped")) throw error;
}

interface Adopted {
  readonly entry: Entry;
  readonly litter: readonly Place[];
}

/**
 * Takes the steps back, all in one turn and only once: a later change must not be taken for one of them. What is left to
 * erase, which may take long, is ours from then on.
 */
function adopt({ hands, journal, rescue }: Recoverer, leftover: Leftover): readonly Adopted[] {
  for (const { tag, hasHappened, steps } of leftover.sets)
    if (!hasHappened) takeAllBack(hands, steps, { rescue, note: (left) => journal.note(leftover, tag, left) });
  const adopted: Adopted[] = [];
  try {
    for (const { of, hasHappened, litter, staged } of leftover.sets) {
      const rest = hasHappened ? litter : staged;
      const entry = journal.begin();
      adopted.push({ entry, litter: rest });
      entry.stages(rest, of);
    }
    journal.settle(leftover);
    return adopted;
  } catch (error) {
    for (const { entry } of adopted) entry.end();
    throw error;
  }
}
