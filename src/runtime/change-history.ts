import type { Cancellation } from "../base/time-slicing.ts";
import { diffOfChange, type FileDiff } from "../workspace/changes/change-diff.ts";
import type { Effect, FileState } from "../workspace/changes/change.ts";
import type { ShownChange } from "../workspace/changes/shown-change.ts";
import { createUndoneCheck } from "../workspace/changes/undone-check.ts";
import type { View } from "../workspace/view.ts";
import { type NetEffect, netDiffOf, netEffectsOf, netEffectsOfChanges } from "../workspace/changes/net-change.ts";
import { unrestrictedView } from "./pipeline/unrestricted-view.ts";
import type { Session } from "./sessions/session.ts";

export type { NetEffect };

/** A change with whether an undo that is in effect took it back. */
export interface PastChange extends ShownChange {
  readonly isUndone: boolean;
}

/** Shows a person the history of everything below the roots of a session. Writes nothing to the audit log. */
export interface ChangeHistory {
  /** Yields the changes, newest first. */
  changes(): AsyncGenerator<PastChange>;
  read(id: string): ShownChange | null;
  /** Compares the files of some effects of a change, in their order. */
  diffsOf(effects: readonly Effect[]): Promise<readonly FileDiff[]>;
  /** Says why a change cannot be undone, where that is known without trying. */
  whyFinal(change: ShownChange): Promise<string | undefined>;
  /** Sums up the changes of a session that are in effect, by file. */
  netOf(session: string): Promise<readonly NetEffect[]>;
  /** Sums up the changes with these ids, by file. */
  netOfChanges(ids: ReadonlySet<string>): Promise<readonly NetEffect[]>;
  netDiffOf(net: NetEffect): Promise<FileDiff>;
}

export function changeHistoryOf({ workspace }: Session, signal: Cancellation): ChangeHistory {
  const view = unrestrictedView(workspace, signal);
  async function* changes(): AsyncGenerator<PastChange> {
    await workspace.writing?.ready();
    const isUndone = createUndoneCheck();
    for await (const record of view.history.records(view.checkpoint)) yield { ...record, isUndone: isUndone(record) };
  }
  return {
    changes,
    read: (id) => view.history.read(id),
    diffsOf: (effects) => diffOfChange({ effects }, view),
    async whyFinal({ isOfReplaced, effects }) {
      if (isOfReplaced) return "It was made in another directory that had this path";
      for (const { action, before } of effects) {
        await view.checkpoint();
        if (!before || !LOSES.has(action)) continue;
        if (before.object === undefined) return action === "delete" ? "It was deleted for good" : undefined;
        if (!(await isKept(before, view))) return "What it replaced is no longer kept";
      }
      return undefined;
    },
    netOf: (session) => netEffectsOf(changes(), session),
    netOfChanges: (ids) => netEffectsOfChanges(changes(), ids),
    netDiffOf: (net) => netDiffOf(net, view),
  };
}

/** Looks for a backup without reading all of it. */
async function isKept({ kind, object }: FileState, { history }: View): Promise<boolean> {
  if (object === undefined) return false;
  return (await (kind === "file" ? history.contentOf(object, 0, 1) : history.snapshot(object))) !== null;
}

/** Lists the actions that take something away, which undo brings back from the store. */
const LOSES: ReadonlySet<Effect["action"]> = new Set(["replace", "delete"]);
