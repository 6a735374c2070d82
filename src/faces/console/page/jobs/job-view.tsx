import { useSignal } from "@preact/signals";
import type { JobEntry } from "../../contract.ts";
import { BackLink } from "../atoms/back-link.tsx";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { Who } from "../atoms/who.tsx";
import { shown } from "../format/shown.ts";
import { dayAndTime } from "../format/time.ts";
import { useActions } from "../keys/actions.ts";
import { codeOf, post } from "../state/api.ts";
import { type Attempt, useAttempt } from "../state/attempt.ts";
import { nowMs } from "../state/clock.ts";
import { refreshAfter } from "../state/console-state.ts";
import { hashOf } from "../state/route-of.ts";
import { open } from "../state/route.ts";
import { say } from "../state/toast.ts";
import { tryUndo } from "../undo/undo-flow.ts";
import { HeldChanges } from "./held-changes.tsx";
import { isBad, jobState, jobTime } from "./job-text.ts";
import { Output } from "./output.tsx";

/** Shows a command with its output and what it changed. */
export function JobView({ job }: { readonly job: JobEntry }) {
  const attempt = useAttempt();
  const isRunning = job.state === "running";
  const stop = (): void => attempt.run(() => order(job, "stop", "Stopped."));
  const undo = (): void => {
    if (job.change !== undefined) attempt.run(() => undoJob(job.change ?? ""));
  };
  useActions("screen", { ...(isRunning && { stop }), ...(job.change !== undefined && { undo }) });
  return (
    <div class="col detail">
      <div class="scroll pad">
        <BackLink to="jobs">Jobs</BackLink>
        <div class="titlerow">
          <JobTitle job={job} />
          <div class="tools">
            {isRunning && (
              <Button hotkey="x" disabled={attempt.isRunning} onPress={stop}>
                <Icon name="stop" />
                Stop
              </Button>
            )}
            {job.change !== undefined && (
              <Button hotkey="u" disabled={attempt.isRunning} onPress={undo}>
                <Icon name="undo" />
                Undo what it changed
              </Button>
            )}
          </div>
        </div>
        <Failure text={attempt.failure} />
        {job.changesWait && <Decision job={job} attempt={attempt} />}
        <HeldChanges job={job} />
        <Output job={job} />
      </div>
    </div>
  );
}

function JobTitle({ job }: { readonly job: JobEntry }) {
  const isRunning = job.state === "running";
  return (
    <div>
      <p class={isRunning ? "eyebrow live" : "eyebrow"}>
        {isRunning ? <span class="pulse" /> : <Icon name={isBad(job) ? "warn" : "check"} />}
        {isRunning
          ? `Running, ${jobTime(job, nowMs.value)}`
          : `${capitalized(jobState(job))}, ${jobTime(job, nowMs.value)}`}
      </p>
      <h2 class="title cmd">
        <bdi>{shown(job.command)}</bdi>
      </h2>
      <p class="sub">
        <Who agent={job.agent} session={job.session} />
        <span>{dayAndTime(job.started, nowMs.value)}</span>
        <span>
          in{" "}
          <code>
            <bdi>{shown(job.directory)}</bdi>
          </code>
        </span>
        {job.sandbox !== undefined && <bdi>{shown(job.sandbox)}</bdi>}
        {job.change !== undefined && (
          <a href={hashOf({ screen: "history", id: job.change })}>
            change <code>{shown(job.change)}</code>
          </a>
        )}
      </p>
    </div>
  );
}

const capitalized = (text: string): string => shown(text.charAt(0).toUpperCase() + text.slice(1));

/** Asks whether the changes of a command that has ended go into the directory, and which side wins a conflict. */
function Decision({ job, attempt }: { readonly job: JobEntry; readonly attempt: Attempt }) {
  const isConflict = useSignal(false);
  const apply = async (body: ApplyBody): Promise<void> =>
    order(job, "apply", "Applied.", body).catch((error: unknown) => {
      isConflict.value = codeOf(error) === "conflict";
      throw error;
    });
  const choices = isConflict.value ? CONFLICT_CHOICES : CHOICES;
  return (
    <section class="decide" aria-label="Changes wait">
      <p>
        <b>{isConflict.value ? "Some files changed meanwhile." : "Its changes wait for you."}</b> None of them has
        reached your directory yet.
      </p>
      {choices.map(({ name, body }) => (
        <Button key={name} kind="primary" disabled={attempt.isRunning} onPress={() => attempt.run(() => apply(body))}>
          {name}
        </Button>
      ))}
      <Button disabled={attempt.isRunning} onPress={() => attempt.run(() => order(job, "discard", "Discarded."))}>
        Discard
      </Button>
    </section>
  );
}

interface ApplyBody {
  readonly prefer?: "ours" | "theirs";
}

const CHOICES: readonly { readonly name: string; readonly body: ApplyBody }[] = [{ name: "Apply", body: {} }];

const CONFLICT_CHOICES: typeof CHOICES = [
  { name: "Apply, keep mine", body: { prefer: "ours" } },
  { name: "Apply, take the command\u2019s", body: { prefer: "theirs" } },
];

async function order(
  { id }: JobEntry,
  verb: "stop" | "apply" | "discard",
  said: string,
  body: ApplyBody = {},
): Promise<void> {
  await post(`/api/jobs/${encodeURIComponent(id)}/${verb}`, body);
  say(said);
  refreshAfter("jobs");
  refreshAfter("changes");
}

async function undoJob(change: string): Promise<void> {
  if ((await tryUndo({ change })) === "preview") open({ screen: "history", id: change });
}
