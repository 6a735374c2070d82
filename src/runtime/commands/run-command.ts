import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { stopIfCancelled } from "../../base/time-slicing.ts";
import type { Job } from "../../exec/jobs/job.ts";
import type { OutputText } from "../../exec/jobs/job-output.ts";
import { preflight } from "../../exec/shell/preflight.ts";
import { serverHint } from "../../exec/sandbox/network/hint.ts";
import type { CommandView } from "../../exec/view/command-view.ts";
import type { RunIntent } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import { boundsOf } from "./bounds.ts";
import type { CommandAnswer, RunningCall } from "./command-intent.ts";
import type { CommandParts } from "./command-parts.ts";
import { boundsNotes } from "./failure-hints.ts";
import { gitLosses, lossNotes } from "./git-losses.ts";
import { identitiesOf } from "./identities.ts";
import { begunReport, followPicture, pictureReport } from "./job-pictures.ts";
import { reportOf, shownOutput } from "./job-report.ts";
import { isLive, type ReadyCommand } from "./ready-command.ts";
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
  const losses = await gitLosses(ready, workspaceView);
  // The rules allowed what is contained by a view: without one, the command must not run.
  const view = ready.undo === "overlay" ? viewsOf(parts).create(parts.owner.roots) : undefined;
  const taken = view || ready.undo === "none" ? undefined : await takePicture(parts, ready, workspaceView);
  const job = await startJob(parts, ready, intent, { view, picture: taken?.id }, workspaceView);
  if (taken?.id !== undefined) followPicture(parts, job);
  await waitForEnd(job, ready.yieldMs, call);
  const screen = await job.screen();
  const isDone = job.state().kind !== "running";
  const output = shownOutput(job, screen);
  if (!isDone) goOn(parts, job, output);
  const canUndo = view !== undefined || taken?.id !== undefined;
  const lost = intent.options.isDryRun ? [] : lossNotes(ready, losses, { canUndo, hasFailed: hasFailed(job) });
  const notes = [...ready.notes, ...lost, ...(taken?.notes ?? []), ...(isDone ? [] : runningNotes(job))];
  const picture = isDone ? await pictureReport(parts, job) : begunReport(job);
  const answer = intent.answerFor(reportOf(job, output, notes, picture));
  return { ...answer, next: isDone && view ? intent.applyCall(job.id) : undefined };
}

/** Leaves a job to later calls: the first poll begins behind what this answer shows. */
function goOn({ background, polled }: CommandParts, job: Job, { cursor }: OutputText): void {
  background.follow(job);
  polled.set(job.id, cursor);
}

const hasFailed = (job: Job): boolean => {
  const state = job.state();
  return state.kind === "exited" && state.exit.code !== 0;
};

/** A picture for a command that works on the files themselves; without an id where there can be none. */
interface Taken {
  readonly id?: string | undefined;
  readonly notes: readonly string[];
}

async function takePicture(parts: CommandParts, ready: ReadyCommand, { checkpoint }: View): Promise<Taken> {
  const pictures = parts.workspace.writing?.pictures;
  const isPatient = preflight(ready.text).destructive.length > 0;
  const taken = (await pictures?.take(parts.owner.roots, { checkpoint, isPatient })) ?? NOT_LOCAL;
  return "id" in taken ? { id: taken.id, notes: [] } : { notes: [`undo is not possible: ${taken.why}`] };
}

const NOT_LOCAL = { why: "the files are not on a disk of this machine" };

/** Refuses to run another program or script than the one that was decided about. */
async function requireSameFiles(parts: CommandParts, ready: ReadyCommand, view: View): Promise<void> {
  const { text, judgement, environment, identities, command, sandbox } = ready;
  const programs = parts.programs(environment, sandbox.rung);
  const now = await identitiesOf(text, judgement, { programs, directory: command.directory, view });
  const changed = Object.entries(identities).find(([file, identity]) => now[file] !== identity);
  if (changed)
    throw new Fault("stale", `Cannot run ${JSON.stringify(changed[0])}: it was replaced since it was allowed`);
}

async function startJob(
  parts: CommandParts,
  { text, command, sandbox, timeoutMs }: ReadyCommand,
  { options }: RunIntent,
  { view, picture }: { readonly view: CommandView | undefined; readonly picture: string | undefined },
  workspaceView: View,
): Promise<Job> {
  const directory = sandbox.pathInside?.(command.directory) ?? command.directory;
  const description = { ...parts.owner, command: text, directory, sandbox: sandbox.rung };
  try {
    const bounds = await boundsOf(parts, sandbox, view, workspaceView);
    const notes = {
      ...(view && { view: view.id }),
      ...(picture !== undefined && { picture }),
      ...(options.isDryRun && { dryRun: "yes" }),
      ...boundsNotes(sandbox, bounds),
      ...(isLive(options) && (await sandbox.shareNetwork?.(bounds.network)) && { localhost: "session" }),
    };
    // Held before the command runs: afterwards a full disk would leave a job that nobody knows.
    if (picture !== undefined) parts.workspace.writing?.pictures?.hold(picture);
    return await parts.jobs.start(
      {
        ...description,
        undo: view ? "overlay" : picture === undefined ? "none" : "picture",
        notes,
        isDetached: options.mode === "detached",
        hasInput: isLive(options),
        screenSize: options.hasTerminal ? LIMITS.screenSize : undefined,
        timeoutMs,
      },
      (streams) => sandbox.start(command, bounds, streams),
    );
  } catch (error) {
    if (view) await viewsOf(parts).discard(view.id);
    if (picture !== undefined) await parts.workspace.writing?.pictures?.discard(picture);
    throw error;
  }
}

/**
 * Waits, reports how much was printed, and ends the command when its caller gives up. Waits for one in a terminal only
 * until its screen stands still, because it may wait for keys, unless no later call could send some.
 */
async function waitForEnd(job: Job, yieldMs: number, { signal, progress }: RunningCall): Promise<void> {
  const untilMs = Date.now() + yieldMs;
  const isInteractive = job.screenSize !== undefined && Number.isFinite(yieldMs);
  const stepMs = isInteractive ? LIMITS.echoMs : LIMITS.progressMs;
  for (let leftMs = yieldMs; leftMs > 0 && job.state().kind === "running"; leftMs = untilMs - Date.now()) {
    const before = job.output.size();
    await job.output.wait(0, { ms: Math.min(leftMs, stepMs), forExit: true });
    progress(job.output.size());
    if (!signal.aborted && isInteractive && before > 0 && before === job.output.size()) return;
    if (!signal.aborted) continue;
    await job.end("cancelled");
    stopIfCancelled(signal);
  }
}

const runningNotes = ({ description: { undo, notes }, isDetached }: Job): readonly string[] => [
  ...(undo === "overlay" ? [VIEW_NOTE] : []),
  ...(notes?.["localhost"] === undefined ? [] : [serverHint(isDetached)]),
];

const VIEW_NOTE = "it runs on a view: other calls see its changes once it has ended and they are applied";
