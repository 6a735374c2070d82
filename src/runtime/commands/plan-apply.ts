import { Fault, hasCode } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { needsNoApproval } from "../../base/verdicts.ts";
import { foldedChanges, foldedNotes } from "../../text/folded-changes.ts";
import { plural } from "../../text/plural.ts";
import { quoted } from "../../text/quote.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { ApplyIntent, ChangeIntent } from "../../tools/tool.ts";
import type { PlanOptions } from "../../workspace/changes/views/plan-context.ts";
import type { CommandViews } from "../../workspace/changes/views/views.ts";
import type { ViewPlan } from "../../workspace/changes/views/plan-view.ts";
import type { View } from "../../workspace/view.ts";
import { changedPath } from "./change-line.ts";
import type { CommandParts } from "./command-parts.ts";
import { jobNamed } from "./job-requests.ts";
import { requireEnded, waitingView } from "./job-views.ts";
import { viewsOf } from "./views-of.ts";

/** Plans the change set of what a command changed on its view. Throws `conflict` where others changed the same files. */
export async function planApply(
  parts: CommandParts,
  { id, prefer, answerFor }: ApplyIntent,
  workspaceView: View,
): Promise<ChangeIntent> {
  const job = jobNamed(parts, id);
  requireEnded(job, "apply");
  const view = waitingView(parts, job);
  if (view === undefined) throw nothingToApply(id);
  const { description } = job;
  const views = viewsOf(parts);
  const isDryRun = description.notes?.["dryRun"] !== undefined;
  const options = { checkpoint: workspaceView.checkpoint, nameOf: workspaceView.nameOf, prefer };
  const plan = await planned(views, view, options);
  if (plan.conflicts.length > 0) throw conflictFault(plan.conflicts, workspaceView);
  const shown = plan.list.map((change) => changedPath(change, workspaceView.nameOf));
  const lines = foldedChanges(shown, LIMITS.changeLines);
  const notes = [...foldedNotes(shown.length, LIMITS.changeLines), ...notesOn(plan, workspaceView)];
  return {
    kind: "change",
    changes: plan.changes,
    isDryRun,
    command: description.command,
    preview: [description.command, ...shown.map(({ line }) => line)].join("\n"),
    answerFor: (record) => answerFor(record, { lines, diff: diffIn(parts, plan), notes, isDryRun }),
    afterwards: () => views.discard(view),
  };
}

/**
 * Plans the changes of a view, which is kept from now on, unless nobody could ever apply it. A command that filled the
 * disk leaves no space to note what it changed: its view would keep the disk full, and every change after it would be
 * refused.
 */
async function planned(views: CommandViews, view: string, options: PlanOptions): Promise<ViewPlan> {
  try {
    views.keep(view);
    return await views.plan(view, options);
  } catch (error) {
    const discarded = discardedFault(error);
    if (!discarded) throw error;
    await views.discard(view);
    throw discarded;
  }
}

function discardedFault(error: unknown): Fault | undefined {
  if (hasCode(error, "disk_full"))
    return new Fault("disk_full", "Cannot keep the changes of the command: the disk is full; they are discarded", {
      discarded: true,
    });
  if (!hasCode(error, "too_large")) return undefined;
  const ways = "run it in parts, or with undo: false on the files themselves";
  return new Fault("too_large", `${error.message}; its changes are discarded: ${ways}`, { discarded: true });
}

const nothingToApply = (id: string): Fault =>
  new Fault(
    "not_found",
    `Cannot apply the changes of ${JSON.stringify(id)}: none wait; there were none, or no longer`,
    {
      argument: "process_id",
    },
  );

function conflictFault(conflicts: ViewPlan["conflicts"], workspaceView: View): Fault {
  const named = conflicts
    .slice(0, LIMITS.refusedNames)
    .map(({ path, reason }) => `${quoted(workspaceView.nameOf(path))} (${reason})`);
  const more = conflicts.length > named.length ? ", …" : "";
  return new Fault(
    "conflict",
    `Cannot apply the changes: ${plural(conflicts.length, "file")} changed meanwhile: ${named.join(", ")}${more}`,
    { conflicts: conflicts.map(({ path, reason }) => ({ path: workspaceView.nameOf(path), reason })) },
  );
}

/** Joins the diffs of files that the rules let the caller read freely. */
function diffIn({ rules }: CommandParts, { list }: ViewPlan): string | undefined {
  const mayRead = (place: SafePath): boolean => needsNoApproval(rules().decide({ act: "read", place }).verdict);
  const shown = list.flatMap(({ path, diff }) => (diff !== undefined && mayRead(path) ? [diff] : []));
  return shown.length === 0 ? undefined : shown.join("");
}

function notesOn({ refused, refusedCount }: ViewPlan, workspaceView: View): readonly string[] {
  const named = refused.map(
    ({ path, reason }) => `not applied: ${quoted(workspaceView.nameOf(path as SafePath))} (${reason})`,
  );
  const more = refusedCount - named.length;
  return more > 0 ? [...named, `not applied: ${plural(more, "more entry", "more entries")}`] : named;
}
