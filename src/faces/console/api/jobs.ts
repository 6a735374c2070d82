import * as z from "zod";
import { applyJob } from "../../../app/apply-job.ts";
import { LIMITS } from "../../../base/limits.ts";
import { adminOf } from "../../../runtime/admin.ts";
import type { PastChange } from "../../../runtime/change-history.ts";
import type { JobAdmin } from "../../../runtime/commands/job-admin.ts";
import type { JobEntry, JobList, JobOutput } from "../contract.ts";
import { filesOf } from "./change-entry.ts";
import { type ApiCall, countText, type Endpoint, nameOf, parsed } from "./endpoint.ts";
import { wholeHistory, withDirectories } from "./scope.ts";

type Job = ReturnType<JobAdmin["read"]>;

const jobsIn = ({ app }: ApiCall): Promise<JobAdmin> => adminOf(app.session).jobs();

/** Lists all jobs; none where commands are not possible. */
export const listJobs = async (call: ApiCall): Promise<readonly Job[]> =>
  call.app.session.commands ? (await jobsIn(call)).list() : [];

const list: Endpoint = {
  method: "GET",
  path: "/api/jobs",
  async handle(call): Promise<JobList> {
    const all = await listJobs(call);
    const made = all.length === 0 ? [] : await changesByCommands(call, oldestOf(all));
    return { jobs: all.map((job) => entryOf(job, changeOf(job, all, made), call.sessions.agentOf(job.session))) };
  },
};

const oldestOf = (all: readonly Job[]): string => all.map(({ started }) => started).toSorted()[0] ?? "";

/** Returns the changes that commands made since a time, oldest first. */
async function changesByCommands(call: ApiCall, since: string): Promise<readonly PastChange[]> {
  const made: PastChange[] = [];
  let seen = 0;
  for await (const change of wholeHistory(call).changes()) {
    if (seen++ === LIMITS.consoleChanges || change.timeMs < Date.parse(since)) break;
    if (change.command !== undefined) made.unshift(change);
  }
  return made;
}

/** Finds the change of a job: the first by its command in its session, before the same command was started again. */
function changeOf(job: Job, all: readonly Job[], made: readonly PastChange[]): PastChange | undefined {
  const isSame = (other: Job): boolean => other.session === job.session && other.command === job.command;
  const again = all.filter((other) => isSame(other) && other.started > job.started).map(({ started }) => started);
  const [startedMs, untilMs] = [Date.parse(job.started), Date.parse(again.toSorted()[0] ?? "") || Infinity];
  return made.find(
    ({ session, command, timeMs }) =>
      session === job.session && command === job.command && timeMs >= startedMs && timeMs < untilMs,
  );
}

const entryOf = (job: Job, change: PastChange | undefined, agent: string): JobEntry => ({
  id: job.job_id,
  state: job.state,
  ...(job.exit_code !== undefined && { exitCode: job.exit_code }),
  ...(job.signal !== undefined && { signal: job.signal }),
  ...(job.stopped !== undefined && { stopped: job.stopped }),
  command: job.command,
  directory: job.directory,
  session: job.session,
  agent,
  started: job.started,
  ...(job.ended !== undefined && { ended: job.ended }),
  detached: job.detached,
  outputBytes: job.output_bytes,
  undo: job.undo,
  ...(job.sandbox !== undefined && { sandbox: job.sandbox }),
  changesWait: job.state !== "running" && job.changes_wait,
  ...(change && { change: change.id, files: filesOf(change) }),
});

const outputQuery = z.strictObject({ from: countText.optional() });

const output: Endpoint = {
  method: "GET",
  path: "/api/jobs/:/output",
  async handle(call): Promise<JobOutput> {
    const { from = 0 } = parsed(outputQuery, call.query);
    const admin = await jobsIn(call);
    // Asked first: what is printed between the two questions comes with the next one.
    const isRunning = admin.read(nameOf(call)).state === "running";
    const { text, cursor } = admin.outputFrom(nameOf(call), from);
    return { text, cursor, running: isRunning };
  },
};

const NO_ARGUMENTS = z.strictObject({});

const stop: Endpoint = {
  method: "POST",
  path: "/api/jobs/:/stop",
  async handle(call): Promise<object> {
    parsed(NO_ARGUMENTS, call.body);
    await (await jobsIn(call)).stop(nameOf(call));
    return {};
  },
};

const applyBody = z.strictObject({ prefer: z.enum(["ours", "theirs"]).optional() });

/** Applies with the rules of the directories of the session that started the job. */
const apply: Endpoint = {
  method: "POST",
  path: "/api/jobs/:/apply",
  async handle(call): Promise<object> {
    const { prefer } = parsed(applyBody, call.body);
    const { roots } = (await jobsIn(call)).read(nameOf(call));
    await withDirectories(call, roots, (app) => applyJob(app.session, nameOf(call), prefer));
    return {};
  },
};

const discard: Endpoint = {
  method: "POST",
  path: "/api/jobs/:/discard",
  async handle(call): Promise<object> {
    parsed(NO_ARGUMENTS, call.body);
    const { roots } = (await jobsIn(call)).read(nameOf(call));
    await withDirectories(call, roots, async (app) => (await adminOf(app.session).jobs()).discard(nameOf(call)));
    return {};
  },
};

export const jobs: readonly Endpoint[] = [list, output, stop, apply, discard];
