import type { Writer } from "../../storage/storage.ts";
import type { StorageWriter } from "../../storage/writer.ts";
import type { ChangeEngine, EngineParts } from "./change-engine.ts";
import { commit, dryRun } from "./commit.ts";
import { createHistory } from "./history.ts";
import { recordObserved } from "./observed.ts";
import { createCommandPictures } from "./pictures/pictures.ts";
import { recover } from "./journal/recovery.ts";
import { createBackups } from "./trash/backups.ts";
import { createPruner } from "./trash/prune.ts";
import { createTrash } from "./trash/trash.ts";
import { createCommandViews } from "./views/views.ts";

/** Creates the engine for a storage whose steps are synchronous: a change set is made in one run under the lock. */
export function createTransactions(
  { writer, guarantees }: Extract<Writer, { kind: "transactional" }>,
  { state, journal, retention, openRoots = () => ({ writer, devices: new Map() }), afterPruning }: EngineParts,
): ChangeEngine {
  const trash = createTrash(writer, state, retention, journal.roots);
  const committer = {
    writer,
    state,
    journal,
    beforeCommit: trash.note,
    afterCommit: trash.forget,
    rescueWith: (other: StorageWriter, roots = journal.roots()) =>
      createTrash(other, state, retention, () => roots).rescue,
    openRoots,
  };
  const history = createHistory(writer, journal);
  const views = createCommandViews({ writer, state, history });
  const pictures = createCommandPictures({
    writer,
    state,
    history,
    async recordObserved(observed) {
      const record = await recordObserved(committer, observed);
      if (record) void prune(record);
      return record;
    },
  });
  const prune = createPruner({
    backups: createBackups({ writer, state, journal }),
    state,
    journal,
    trash,
    views,
    pictures,
    recover: () => recover(committer),
    afterPruning,
  });
  return {
    guarantees,
    recover: () => recover(committer),
    async commit(set, how) {
      const record = await commit(committer, set, how);
      void prune(record);
      return record;
    },
    dryRun: (set) => dryRun(committer, set),
    prober: writer,
    trash,
    views,
    pictures,
    unfinished: () => journal.unfinishedTransactions().reduce((sum, { sets }) => sum + sets.length, 0),
  };
}
