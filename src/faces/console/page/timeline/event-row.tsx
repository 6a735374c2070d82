import type { ChangedFile, JobEntry, TimelineEvent } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import type { IconName } from "../atoms/icons.ts";
import { Path } from "../atoms/path.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { Who } from "../atoms/who.tsx";
import { counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { clock } from "../format/time.ts";
import { moreText, sumOf } from "../history/change-text.ts";
import { jobState, jobTime } from "../jobs/job-text.ts";
import { nowMs } from "../state/clock.ts";
import { hashOf } from "../state/route-of.ts";
import { type EventState, stateOf } from "./event-state.ts";
import { linkOf, type RowProps, selectOnClick } from "./row.ts";
import { iconOf, verbOf } from "./verb.ts";

interface EventRowProps extends RowProps {
  readonly event: TimelineEvent;
  readonly jobs: readonly JobEntry[];
  readonly onUndo: () => void;
}

/** Shows an event as one line: when, what, how many lines, who, and what can be done about it. */
export function EventRow({ event, jobs, isChosen, onChoose, onUndo }: EventRowProps) {
  const state = stateOf(event, jobs);
  return (
    <li
      class={`event ${state.class}${isChosen ? " selected" : ""}`}
      {...(isChosen && { "aria-current": "true" as const })}
    >
      <time dateTime={event.time}>{clock(event.time)}</time>
      <Icon name={rowIcon(event)} />
      <span class="verb">{shown(verbOf(event.tool))}</span>
      <a
        class="what"
        href={hashOf(linkOf(event))}
        data-row={event.id}
        tabIndex={isChosen ? 0 : -1}
        onClick={(click) => selectOnClick(click, onChoose)}
      >
        <Subject event={event} job={jobs.find(({ id }) => id === event.job)} />
      </a>
      {event.change ? <PlusMinus {...sumOf(event.change)} /> : <span class="pm" />}
      <Who agent={event.agent} session={event.session} principal={event.principal} />
      <StateWord state={state} isChosen={isChosen} onUndo={onUndo} />
    </li>
  );
}

function rowIcon({ kind, tool, message, code }: TimelineEvent): IconName {
  if (kind === "blocked") return "block";
  if (kind === "failed") return "warn";
  if (kind === "asked" && (code === "denied" || code === "deny")) return "cross";
  if (kind === "asked" && tool !== "approval") return "hourglass";
  if (kind === "read" && message !== undefined) return "lock";
  return iconOf(tool);
}

interface SubjectProps {
  readonly event: TimelineEvent;
  readonly job: JobEntry | undefined;
}

function Subject({ event: { kind, subject, message = "", change }, job }: SubjectProps) {
  const [file] = change?.files ?? [];
  const facts = kind === "command" ? commandFacts(job, change) : [change ? moreText(change) : ""];
  const note = [...facts, message].filter((part) => part !== "").join(", ");
  return (
    <>
      {kind === "command" ? <bdi class="cmd">{shown(subject)}</bdi> : <FileName file={file} subject={subject} />}
      {note !== "" && <bdi class="note">{shown(note)}</bdi>}
    </>
  );
}

/** Says how a command ended, how long it ran and how many files it changed: "exit 0, 14 s, 12 files". */
const commandFacts = (job: JobEntry | undefined, change: TimelineEvent["change"]): readonly string[] => [
  ...(job ? [job.state === "running" ? "" : jobState(job), jobTime(job, nowMs.value)] : []),
  ...(change ? [counted(change.files.length, "file")] : []),
];

function FileName({ file, subject }: { readonly file: ChangedFile | undefined; readonly subject: string }) {
  if (file?.from === undefined) return <Path path={file?.path ?? subject} />;
  return (
    <>
      <Path path={file.from} />
      <span class="to">→</span>
      <bdi class="base">{shown(file.path)}</bdi>
    </>
  );
}

interface StateWordProps {
  readonly state: EventState;
  readonly isChosen: boolean;
  readonly onUndo: () => void;
}

function StateWord({ state, isChosen, onUndo }: StateWordProps) {
  if (state.action === "undo")
    return (
      <button class="act" type="button" tabIndex={isChosen ? 0 : -1} onClick={onUndo}>
        {state.word}
      </button>
    );
  return (
    <span class={`act state ${state.class}`} {...(state.why !== undefined && { title: state.why })}>
      {state.word}
    </span>
  );
}
