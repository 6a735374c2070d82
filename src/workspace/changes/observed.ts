import type { Author, ChangeRecord, Effect } from "./change.ts";
import { type Committer, underLock } from "./commit.ts";
import { newChangeId } from "./journal/change-id.ts";
import { recover } from "./journal/recovery.ts";
import { rollBackSteps } from "./journal/rollback.ts";
import { type MoveStep, performStep } from "./steps.ts";

/** Records changes that others have made already. */
export type RecordObserved = (observed: Observed) => Promise<ChangeRecord | null>;

export interface Observed {
  readonly author: Author;
  /** Plans the effects, and the moves in the store that make their backups. Their names begin with the tag. */
  plan(tag: string): Promise<{ readonly effects: readonly Effect[]; readonly steps: readonly MoveStep[] }>;
  /** Checks under the lock that nobody else has recorded the same. */
  isCurrent(): boolean;
  /** Is called under the lock, once the record counts; with null where there was nothing to record. */
  afterCommit(record: ChangeRecord | null): void;
}

/**
 * Records what has happened as a change set, and moves its backups to their places. Nothing but the store is changed:
 * after a crash the backups are moved back, and the record can be made again. Returns null where nothing is recorded.
 */
export async function recordObserved(committer: Committer, observed: Observed): Promise<ChangeRecord | null> {
  // An interrupted record of the same changes has moved their backups: they are moved back before anybody looks.
  await recover(committer);
  const entry = committer.journal.beginEntry();
  try {
    const { effects, steps } = await observed.plan(entry.tag);
    const record = await underLock(committer, { changes: [] }, () => {
      if (!observed.isCurrent()) return null;
      const made = effects.length === 0 ? null : commitEffects(committer, entry, observed.author, { effects, steps });
      observed.afterCommit(made);
      return made;
    });
    entry.end();
    return record;
  } catch (error) {
    entry.abandon();
    throw error;
  }
}

function commitEffects(
  { writer, state, beforeCommit, rescueWith }: Committer,
  entry: ReturnType<Committer["journal"]["beginEntry"]>,
  author: Author,
  { effects, steps }: { readonly effects: readonly Effect[]; readonly steps: readonly MoveStep[] },
): ChangeRecord {
  const taken: MoveStep[] = [];
  try {
    if (steps.length > 0) entry.logSteps(steps);
    for (const step of steps) {
      taken.push(step);
      performStep(writer, step);
    }
    const record: ChangeRecord = { id: newChangeId(state), timeMs: Date.now(), ...author, effects };
    beforeCommit(record, []);
    entry.commit(record, []);
    return record;
  } catch (error) {
    rollBackSteps(writer, taken, { rescue: rescueWith(writer) });
    entry.retract();
    throw error;
  }
}
