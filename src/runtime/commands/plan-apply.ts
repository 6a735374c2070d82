import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { plural } from "../../text/plural.ts";
import { quoted } from "../../text/quote.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { ApplyIntent, ChangeIntent } from "../../tools/tool.ts";
import type { ViewChange } from "../../workspace/changes/views/change-list.ts";
import type { ViewPlan } from "../../workspace/changes/views/plan-view.ts";
import type { View } from "../../workspace/view.ts";
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
  views.keep(view);
  const plan = await views.plan(view, { checkpoint: workspaceView.checkpoint, nameOf: workspaceView.nameOf, prefer });
  if (plan.conflicts.length > 0) throw conflictFault(plan.conflicts, workspaceView);
  const lines = plan.list.map((change) => lineOf(change, workspaceView));
  return {
    kind: "change",
    changes: plan.changes,
    isDryRun,
    command: description.command,
    preview: [description.command, ...lines].join("\n"),
    answerFor: (record) => answerFor(record, { lines, notes: notesOn(plan, workspaceView), isDryRun }),
    afterwards: () => views.discard(view),
  };
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

/** Shows one change: "created out/a.js (12 bytes)", "deleted src (40 files)". */
function lineOf({ action, path, from, bytes, files, lines, mode }: ViewChange, workspaceView: View): string {
  const facts = [
    files !== undefined && plural(files, "file"),
    lines ? `+${lines.added} −${lines.removed}` : plural(bytes, "byte"),
    mode !== undefined && `permissions ${mode.toString(8)}`,
    from !== undefined && `same content as ${quoted(workspaceView.nameOf(from))} had`,
  ].filter(Boolean);
  return `${action} ${quoted(workspaceView.nameOf(path))} (${facts.join(", ")})`;
}

function notesOn({ refused, refusedCount }: ViewPlan, workspaceView: View): readonly string[] {
  const named = refused.map(
    ({ path, reason }) => `not applied: ${quoted(workspaceView.nameOf(path as SafePath))} (${reason})`,
  );
  const more = refusedCount - named.length;
  return more > 0 ? [...named, `not applied: ${plural(more, "more entry")}`] : named;
}
