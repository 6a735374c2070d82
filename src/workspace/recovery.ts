import type { Hands, Place } from "../storage/hands.ts";
import type { State } from "../storage/state.ts";
import type { Entry, Journal, Leftover } from "./journal.ts";
import { takeBack } from "./steps.ts";

interface Recoverer {
  readonly hands: Hands;
  readonly state: State;
  readonly journal: Journal;
}

/** Brings what other processes left half done to before or after. Costs one look where nothing is left. */
export async function recover(recoverer: Recoverer): Promise<void> {
  const { hands, state, journal } = recoverer;
  if (journal.leftovers().length === 0) return;
  const adopted = await state.locked(() => journal.leftovers().map((leftover) => adopt(recoverer, leftover)));
  for (const { entry, litter } of adopted) {
    for (const place of litter) await hands.erase(place);
    entry.drop();
  }
}

/**
 * Takes the steps back, all in one turn and only once: a later change must not be taken for one of them. What is left to
 * erase, which may take long, is ours from then on.
 */
function adopt({ hands, journal }: Recoverer, leftover: Leftover): { entry: Entry; litter: readonly Place[] } {
  const { record, steps, staged } = leftover;
  const litter = record ? leftover.litter : staged;
  const entry = journal.begin();
  entry.stages(litter);
  if (!record) for (const step of steps.toReversed()) takeBack(hands, step);
  journal.settle(leftover);
  return { entry, litter };
}
