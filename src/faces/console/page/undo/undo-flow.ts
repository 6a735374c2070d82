import { signal } from "@preact/signals";
import type { UndoOutcome, UndoRequest } from "../../contract.ts";
import { counted } from "../format/quantity.ts";
import { post } from "../state/api.ts";
import { refreshAfter } from "../state/console-state.ts";
import { say } from "../state/toast.ts";

/** Names what is to be undone: a change, a session, or one file of either. */
export type UndoTarget = Omit<UndoRequest, "dryRun">;

interface Preview {
  readonly target: UndoTarget;
  readonly outcome: UndoOutcome;
}

/** Holds what an undo would do, while the person looks at it; nothing has changed yet. */
export const preview = signal<Preview | undefined>(undefined);

/** The last undo, which the same key takes back. */
const lastUndo = signal<{ readonly change: string | undefined; readonly by: string } | undefined>(undefined);

/** Shows what an undo would do. */
export async function openPreview(target: UndoTarget): Promise<void> {
  preview.value = { target, outcome: await post<UndoOutcome>("/api/undo", { ...target, dryRun: true }) };
}

/** Undoes at once what nothing speaks against. Anything else opens the preview. Returns which of the two it did. */
export async function tryUndo(target: UndoTarget): Promise<"done" | "preview"> {
  const outcome = await post<UndoOutcome>("/api/undo", { ...target, dryRun: true });
  const isClean = outcome.conflicts.length === 0 && outcome.notes.length === 0;
  if (!isClean) preview.value = { target, outcome };
  else {
    await undo(target);
    say(target.change === undefined ? "Undone." : "Undone. Press u again to take the undo back.");
  }
  return isClean ? "done" : "preview";
}

/** Takes back the last undo of this change, or undoes the change. */
export async function undoOrRedo(change: string, isUndone: boolean): Promise<"done" | "preview"> {
  const last = lastUndo.peek();
  if (!isUndone) return tryUndo({ change });
  if (last?.change !== change) throw new Error("It is undone already. Its undo is in the list and can be undone too");
  await undo({ change: last.by });
  say("The change is in effect again.");
  return "done";
}

/** Undoes the files that the person left ticked: all of them as one change, or each as a change of its own. */
export async function undoTicked({ target, outcome }: Preview, ticked: readonly string[]): Promise<void> {
  const isWhole = outcome.conflicts.length === 0 && ticked.length === outcome.files.length;
  for (const request of isWhole ? [target] : ticked.map((path) => ({ ...target, path }))) await undo(request);
  const left = isWhole ? "" : " What you left out stays as it is.";
  say(`Undid ${counted(ticked.length, "file")}.${left}`);
  preview.value = undefined;
}

async function undo(target: UndoTarget): Promise<void> {
  const outcome = await post<UndoOutcome>("/api/undo", { ...target, dryRun: false });
  if (!outcome.done) throw new Error(outcome.conflicts[0]?.reason ?? "Nothing was undone");
  lastUndo.value = outcome.change === undefined ? undefined : { change: target.change, by: outcome.change };
  refreshAfter("changes");
  refreshAfter("trash");
}
