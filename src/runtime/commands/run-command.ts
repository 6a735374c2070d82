import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { stopIfCancelled } from "../../base/time-slicing.ts";
import type { Job } from "../../exec/jobs/job.ts";
import type { CommandView } from "../../exec/view/command-view.ts";
import type { RunIntent } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import { boundsOf } from "./bounds.ts";
import type { CommandAnswer, RunningCall } from "./command-intent.ts";
import type { CommandParts } from "./command-parts.ts";
import { identitiesOf } from "./identities.ts";
import { reportOf, shownOutput } from "./job-report.ts";
import type { ReadyCommand } from "./ready-command.ts";
import { viewsOf } from "./views-of.ts";

/** Starts a command and waits for its end, or until it goes on in the background. */
export async function runCommand(
  parts: CommandParts,
  ready: ReadyCommand,
  intent: RunIntent,
  workspaceView: View,
  call: RunningCall,
): Promise<CommandAnswer> {
  await requireSameFiles(parts, ready, workspaceView);
  const view = ready.undo === "overlay" ? viewsOf(parts).create(parts.owner.roots) : null;
  const job = await startJob(parts, ready, intent, view ?? undefined, workspaceView);
  await waitForEnd(job, ready.yieldMs, call);
  const isDone = job.state().kind !== "running";
  const notes = [...ready.notes, ...notesOn(ready, isDone, view)];
  const answer = intent.answerFor(reportOf(job, shownOutput(job), notes));
  return { ...answer, next: isDone && view ? intent.applyCall(job.id) : undefined };
}

/** Refuses to run another program or script than the one that was decided about. */
async function requireSameFiles(parts: CommandParts, ready: ReadyCommand, view: View): Promise<void> {
  const { text, judgement, environment, identities, command } = ready;
  const programs = parts.programs(environment);
  const now = await identitiesOf(text, judgement, { programs, directory: command.directory, view });
  const changed = Object.entries(identities).find(([file, identity]) => now[file] !== identity);
  if (changed)
    throw new Fault("stale", `Cannot run ${JSON.stringify(changed[0])}: it was replaced since it was allowed`);
}

async function startJob(
  parts: CommandParts,
  { text, command, sandbox, undo, timeoutMs }: ReadyCommand,
  { options }: RunIntent,
  view: CommandView | undefined,
  workspaceView: View,
): Promise<Job> {
  const description = { ...parts.owner, command: text, directory: command.directory, sandbox: sandbox.rung };
  const notes = { ...(view && { view: view.id }), ...(options.isDryRun && { dryRun: "yes" }) };
  try {
    const bounds = await boundsOf(parts, view, workspaceView);
    return await parts.jobs.start(
      {
        ...description,
        undo: view || undo !== "overlay" ? undo : "none",
        notes,
        isDetached: options.mode === "detached",
        hasInput: options.mode !== "foreground" || options.hasTerminal,
        screenSize: options.hasTerminal ? LIMITS.screenSize : undefined,
        timeoutMs,
      },
      (streams) => sandbox.start(command, bounds, streams),
    );
  } catch (error) {
    if (view) await viewsOf(parts).discard(view.id);
    throw error;
  }
}

/** Waits, reports how much was printed, and ends the command when its caller gives up. */
async function waitForEnd(job: Job, yieldMs: number, { signal, progress }: RunningCall): Promise<void> {
  const untilMs = Date.now() + yieldMs;
  for (let leftMs = yieldMs; leftMs > 0 && job.state().kind === "running"; leftMs = untilMs - Date.now()) {
    await job.output.wait(0, { ms: Math.min(leftMs, LIMITS.progressMs), forExit: true });
    progress(job.output.size());
    if (!signal.aborted) continue;
    await job.end("cancelled");
    stopIfCancelled(signal);
  }
}

function notesOn({ undo }: ReadyCommand, isDone: boolean, view: CommandView | null): readonly string[] {
  if (undo === "overlay" && !view) return ["undo is not possible: a root is on a disk that cannot hold a view"];
  if (isDone || !view) return [];
  return ["it runs on a view: other calls see its changes once it has ended and they are applied"];
}
