import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isoOf } from "../../base/time.ts";
import type { Job } from "../../exec/jobs/job.ts";
import type { Rung } from "../../exec/sandbox/sandbox.ts";
import type { UndoMode } from "../../exec/report.ts";
import type { CommandParts } from "./command-parts.ts";
import { quoted } from "../../text/quote.ts";
import { unrestrictedView } from "../pipeline/unrestricted-view.ts";
import { changeLine } from "./change-line.ts";
import { NO_OUTPUT, reportOf } from "./job-report.ts";
import { viewsOf } from "./views-of.ts";
import { discardView, waitingView } from "./job-views.ts";

/** Describes one job for people. */
export interface JobEntry {
  readonly job_id: string;
  readonly state: "running" | "done" | "lost";
  readonly exit_code?: number | null;
  readonly signal?: string | null;
  /** Says why we ended it, where we did. */
  readonly stopped?: "timeout" | "cancelled" | "killed";
  readonly command: string;
  /** The directory that it was started in. */
  readonly directory: string;
  /** Lists the real paths of the roots of its session. */
  readonly roots: readonly string[];
  readonly session: string;
  readonly agent: string;
  readonly principal: string;
  readonly started: string;
  /** Is absent while it runs. */
  readonly ended?: string;
  readonly detached: boolean;
  readonly output_bytes: number;
  readonly undo: UndoMode;
  readonly sandbox?: Rung;
  /** Is true where what it changed is kept on its view, neither applied nor discarded. */
  readonly changes_wait: boolean;
}

/** Lists changes that wait to be applied, a line each. */
export interface WaitingChanges {
  readonly changes: readonly string[];
  readonly conflicts: readonly string[];
}

/** Shows and ends the jobs of the user, whoever started them. */
export interface JobAdmin {
  /** Lists all jobs, the newest first. */
  list(): readonly JobEntry[];
  /** Throws where there is no such job. */
  read(id: string): JobEntry;
  /** Returns a sample of what a job has printed first, and what it printed last. */
  summary(id: string): string;
  /** Returns what a job has printed, page by page. */
  output(id: string): Iterable<string>;
  /** Returns a page of what a job has printed from an offset on, and the offset behind it. */
  outputFrom(id: string, offset: number): { readonly text: string; readonly cursor: number };
  /** Lists what a job changed on its view, and what conflicts with later changes. The session must have its roots. */
  waitingChanges(id: string): Promise<WaitingChanges>;
  /** Ends a job with all that it started. */
  stop(id: string): Promise<JobEntry>;
  /** Erases what a job changed on its view. */
  discard(id: string): Promise<JobEntry>;
}

export function jobAdminOf(parts: CommandParts): JobAdmin {
  const { jobs } = parts;
  const find = (id: string): Job => {
    const job = jobs.find(id);
    if (job) return job;
    throw new Fault(
      "not_found",
      `Cannot find the job ${JSON.stringify(id)}: there is none; holdfast jobs --all lists all`,
    );
  };
  return {
    list: () => jobs.list().map((job) => entryOf(parts, job)),
    read: (id) => entryOf(parts, find(id)),
    summary: (id) => find(id).output.summary({ chars: LIMITS.pendingChars }).text,
    output: (id) => pagesOf(find(id)),
    outputFrom: (id, offset) => find(id).output.read({ offset, lines: LIMITS.jobLogLines }),
    waitingChanges: (id) => waitingChangesOf(parts, find(id)),
    async stop(id) {
      const job = find(id);
      await job.end("stopped");
      return entryOf(parts, job);
    },
    async discard(id) {
      const job = find(id);
      await discardView(parts, job);
      return entryOf(parts, job);
    },
  };
}

async function waitingChangesOf(parts: CommandParts, job: Job): Promise<WaitingChanges> {
  const view = waitingView(parts, job);
  if (view === undefined) return { changes: [], conflicts: [] };
  const { checkpoint, nameOf } = unrestrictedView(parts.workspace, { aborted: false });
  const { list, conflicts } = await viewsOf(parts).plan(view, { checkpoint, nameOf });
  return {
    changes: list.map((change) => changeLine(change, nameOf)),
    conflicts: conflicts.map(({ path, reason }) => `${quoted(nameOf(path))} (${reason})`),
  };
}

function entryOf(parts: CommandParts, job: Job): JobEntry {
  const { description, startedMs, isDetached } = job;
  const { command, directory, roots, session, agent, principal, undo, sandbox } = description;
  const { state, exit, stopped } = reportOf(job, NO_OUTPUT);
  const now = job.state();
  return {
    job_id: job.id,
    state,
    ...(exit && { exit_code: exit.code, signal: exit.signal }),
    ...(stopped && { stopped }),
    command,
    directory,
    roots,
    session,
    agent,
    principal,
    started: isoOf(startedMs),
    ...(now.kind !== "running" && { ended: isoOf(now.endedMs) }),
    detached: isDetached,
    output_bytes: job.output.size(),
    undo,
    ...(sandbox && { sandbox }),
    changes_wait: waitingView(parts, job) !== undefined,
  };
}

function* pagesOf({ output }: Job): Generator<string> {
  for (let offset = 0; offset < output.size();) {
    const { text, cursor } = output.read({ offset, lines: LIMITS.jobLogLines });
    yield text;
    if (cursor <= offset) return;
    offset = cursor;
  }
}
