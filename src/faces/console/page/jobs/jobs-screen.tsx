import type { JobEntry } from "../../contract.ts";
import { Failure } from "../atoms/callout.tsx";
import { EmptyState } from "../atoms/empty-state.tsx";
import { useListKeys } from "../atoms/list-keys.ts";
import { RowLink } from "../atoms/row-link.tsx";
import { Who } from "../atoms/who.tsx";
import { shown } from "../format/shown.ts";
import { nowMs } from "../state/clock.ts";
import { jobs, session } from "../state/console-state.ts";
import { useResource } from "../state/resource.ts";
import { choose, isPhone, route } from "../state/route.ts";
import { JobView } from "./job-view.tsx";
import { isBad, jobState, jobTime } from "./job-text.ts";

/** Lists commands, newest first; the chosen one shows its output while it runs. */
export function JobsScreen() {
  const loaded = useResource(jobs);
  const list = (loaded?.jobs ?? []).filter((job) => session.value === undefined || job.session === session.value);
  const running = list.filter(({ state }) => state === "running").length;
  const chosen = list.find(({ id }) => id === route.value.id) ?? (isPhone() ? undefined : list[0]);
  useListKeys(
    list.map(({ id }) => id),
    chosen?.id,
    (id) => choose({ screen: "jobs", id }),
  );
  return (
    <section class="screen two on-jobs" data-depth={route.value.id === undefined ? "list" : "detail"} aria-label="Jobs">
      <div class="col list narrow">
        <header class="bar">
          <h2 class="name">Jobs</h2>
          <span class="count">{running > 0 && `${running} running`}</span>
        </header>
        <div class="scroll">
          <Failure text={jobs.failure.value} />
          {loaded && list.length === 0 && (
            <EmptyState icon="jobs" title="No commands yet">
              When an agent runs a command, its output and its changes appear here.
            </EmptyState>
          )}
          <ol class="items">
            {list.map((job) => (
              <JobItem key={job.id} job={job} isChosen={job === chosen} />
            ))}
          </ol>
        </div>
      </div>
      {chosen && <JobView key={chosen.id} job={chosen} />}
    </section>
  );
}

function JobItem({ job, isChosen }: { readonly job: JobEntry; readonly isChosen: boolean }) {
  const look = job.state === "running" ? "st live" : isBad(job) ? "st bad" : "st";
  return (
    <li class={isChosen ? "item selected" : "item"} {...(isChosen && { "aria-current": "true" as const })}>
      <RowLink to={{ screen: "jobs", id: job.id }} isChosen={isChosen}>
        <bdi class="cmd">{shown(job.command)}</bdi>
      </RowLink>
      <p>
        <Who agent={job.agent} session={job.session} />
        <span class={look}>{job.changesWait ? "changes wait" : shown(jobState(job))}</span>
        <time dateTime={job.started}>{jobTime(job, nowMs.value)}</time>
      </p>
    </li>
  );
}
