import { Fault } from "../../base/errors.ts";
import type { Job } from "../../exec/jobs/job.ts";
import type { CommandParts } from "./command-parts.ts";
import { viewsOf } from "./views-of.ts";

/** Returns the id of the view that holds what a job changed; undefined where it runs, or nothing is kept. */
export function waitingView({ workspace }: CommandParts, job: Job): string | undefined {
  const view = viewOf(job);
  if (view === undefined || job.state().kind === "running") return undefined;
  return workspace.writing?.views?.open(view) ? view : undefined;
}

/** Erases what a job changed on its view. Does nothing where nothing is kept; throws while the job runs. */
export async function discardView(parts: CommandParts, job: Job): Promise<void> {
  const view = viewOf(job);
  if (view === undefined) return;
  requireEnded(job, "discard");
  await viewsOf(parts).discard(view);
}

/** Throws while a job runs: what is on its view then is not all of it. */
export function requireEnded(job: Job, verb: "apply" | "discard"): void {
  if (job.state().kind !== "running") return;
  throw new Fault("conflict", `Cannot ${verb} the changes of ${JSON.stringify(job.id)}: it still runs`, {
    hint: "Wait for its end, or end it first",
  });
}

const viewOf = ({ description }: Job): string | undefined => description.notes?.["view"];
