import type { Cancellation } from "../../base/time-slicing.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Job } from "../../exec/jobs/job.ts";
import { bytesOfInput } from "./input-bytes.ts";
import type { CommandReport } from "../../exec/report.ts";
import type { JobRequest } from "../../tools/tool.ts";
import type { CommandParts } from "./command-parts.ts";
import { NO_OUTPUT, reportOf, shownOutput } from "./job-report.ts";
import { pictureReport } from "./job-pictures.ts";
import { discardView, waitingView } from "./job-views.ts";
import { unknownJobFault } from "./unknown-job.ts";

/** Holds the answer to a request. `toApply` names a command that has ended and whose changes are not applied yet. */
export interface JobAnswer {
  readonly reports: readonly CommandReport[];
  readonly toApply?: string | undefined;
}

/** Answers a request about commands of the session. */
export async function answerJob(parts: CommandParts, request: JobRequest, signal: Cancellation): Promise<JobAnswer> {
  switch (request.does) {
    case "list":
      return { reports: ownJobs(parts).map((job) => reportOf(job, NO_OUTPUT)) };
    case "clear":
      return { reports: await removeEnded(parts) };
    case "poll":
      return poll(parts, jobNamed(parts, request.id), request.waitMs, signal);
    case "log":
      return logOf(jobNamed(parts, request.id), request);
    case "status":
      return reportedOn(parts, jobNamed(parts, request.id));
    case "signal":
      return signalled(parts, jobNamed(parts, request.id), request.signal);
    case "input":
      return fed(jobNamed(parts, request.id), request.inputs);
    case "remove":
      return removed(parts, jobNamed(parts, request.id));
    case "discard":
      return discarded(parts, jobNamed(parts, request.id));
  }
}

/**
 * Lists the commands of this session, and those that outlived theirs: any later session of the same agent with the same
 * directories may look after them. A person looks after all that use the directories.
 */
const ownJobs = ({ jobs, owner }: CommandParts): readonly Job[] => jobs.list().filter((job) => isOwn(job, owner));

function isOwn({ description, isDetached }: Job, { session, agent, principal, roots }: CommandParts["owner"]): boolean {
  if (description.session === session) return true;
  if (!description.roots.every((root) => roots.some((own) => own === root))) return false;
  return principal === "user" || (isDetached && description.agent === agent);
}

/** Lists detached commands of earlier sessions that have ended. They are kept for a day, or until they are removed. */
export const endedEarlier = (parts: CommandParts): readonly Job[] =>
  ownJobs(parts).filter(
    ({ description, isDetached, state }) =>
      isDetached && description.session !== parts.owner.session && state().kind !== "running",
  );

/** Finds a command of the session. */
export function jobNamed(parts: CommandParts, id: string): Job {
  const job = parts.jobs.find(id);
  if (job && isOwn(job, parts.owner)) return job;
  throw unknownJobFault(id);
}

/** Returns what was printed since the last poll, and waits for it or for the end. */
async function poll(parts: CommandParts, job: Job, waitMs: number, signal: Cancellation): Promise<JobAnswer> {
  const from = parts.polled.get(job.id) ?? 0;
  const untilMs = Date.now() + waitMs;
  for (let leftMs = waitMs; leftMs > 0 && !signal.aborted; leftMs = untilMs - Date.now()) {
    await job.output.wait(from, { ms: Math.min(leftMs, LIMITS.progressMs) });
    if (job.state().kind !== "running" || job.output.size() > from) break;
  }
  const output = job.output.summary({ chars: LIMITS.pendingChars, from });
  parts.polled.set(job.id, output.cursor);
  const picture = await pictureReport(parts, job);
  const screen = await job.screen();
  const shown = screen === undefined ? output : { ...output, text: screen };
  return { reports: [reportOf(job, shown, runningNotes(job), picture)], toApply: toApplyIn(parts, job) };
}

const runningNotes = (job: Job): readonly string[] =>
  job.state().kind === "running" && job.description.undo === "overlay"
    ? ["it runs on a view: other calls see its changes once it has ended and they are applied"]
    : [];

const logOf = (job: Job, { offset, limit }: { offset: number | undefined; limit: number | undefined }): JobAnswer => {
  const page = job.output.read({ offset, lines: limit });
  const rest = page.cursor < job.output.size() ? [`Cut: go on with offset ${page.cursor}`] : [];
  return { reports: [reportOf(job, page, rest)] };
};

async function reportedOn(parts: CommandParts, job: Job): Promise<JobAnswer> {
  const picture = await pictureReport(parts, job);
  return {
    reports: [reportOf(job, shownOutput(job), runningNotes(job), picture)],
    toApply: toApplyIn(parts, job),
  };
}

async function signalled(parts: CommandParts, job: Job, signal: NodeJS.Signals | "end"): Promise<JobAnswer> {
  if (signal === "end") await job.end("stopped");
  else job.signal(signal);
  return reportedOn(parts, job);
}

async function fed(job: Job, inputs: Extract<JobRequest, { does: "input" }>["inputs"]): Promise<JobAnswer> {
  for (const input of inputs) await job.write(bytesOfInput(input));
  await job.output.wait(job.output.size(), { ms: LIMITS.echoMs });
  return { reports: [reportOf(job, NO_OUTPUT)] };
}

/** Removes jobs that have ended. Those whose changes wait stay: only `remove` and `discard` throw changes away. */
async function removeEnded(parts: CommandParts): Promise<readonly CommandReport[]> {
  const reports: CommandReport[] = [];
  for (const job of ownJobs(parts)) {
    if (job.state().kind === "running" || waitingView(parts, job) !== undefined) continue;
    await pictureReport(parts, job);
    reports.push(reportOf(job, NO_OUTPUT));
    forget(parts, job);
  }
  return reports;
}

function forget({ polled, comparisons }: CommandParts, job: Job): void {
  polled.delete(job.id);
  comparisons.delete(job.id);
  job.remove();
}

async function removed(parts: CommandParts, job: Job): Promise<JobAnswer> {
  if (job.state().kind === "running") await job.end("stopped");
  const report = reportOf(job, NO_OUTPUT, [], await pictureReport(parts, job));
  await discardView(parts, job);
  forget(parts, job);
  return { reports: [report] };
}

async function discarded(parts: CommandParts, job: Job): Promise<JobAnswer> {
  await discardView(parts, job);
  return { reports: [reportOf(job, NO_OUTPUT, ["its changes are discarded"])] };
}

/** Names a command that has ended on a view that is still there. */
const toApplyIn = (parts: CommandParts, job: Job): string | undefined =>
  waitingView(parts, job) === undefined ? undefined : job.id;
