import type { TimelineEvent } from "../../contract.ts";
import { Button } from "../atoms/button.tsx";
import { Callout, Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { Who } from "../atoms/who.tsx";
import { FileDiff } from "../diff/file-diff.tsx";
import { pathParts } from "../format/path-parts.ts";
import { counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { clock, tookText } from "../format/time.ts";
import { useChange } from "../history/change-of.ts";
import { Output } from "../jobs/output.tsx";
import { jobs } from "../state/console-state.ts";
import { hashOf } from "../state/route-of.ts";
import { open } from "../state/route.ts";
import { capital } from "../waiting/question-text.ts";
import { linkOf } from "./row.ts";
import { iconOf, verbOf } from "./verb.ts";

interface EventCardProps {
  readonly event: TimelineEvent;
  readonly onUndo: (event: TimelineEvent) => void;
  readonly isBusy: boolean;
}

/** Shows an event with its diffs, or with the words of a refusal. */
export function EventCard({ event, onUndo, isBusy }: EventCardProps) {
  const { change } = event;
  const { detail, failure } = useChange(change?.id);
  const to = linkOf(event);
  const job = jobs.value.value?.jobs.find(({ id }) => id === event.job);
  return (
    <div class="insp">
      <header class="insp-head">
        <p class="eyebrow">
          <Icon name={iconOf(event.tool)} />
          {capital(shown(verbOf(event.tool)))}
          {change && change.files.length > 0 && `, ${counted(change.files.length, "file")}`}
        </p>
        <h2>
          <EventTitle event={event} />
        </h2>
        <EventMeta event={event} />
      </header>
      <div class="insp-actions">
        {change && change.final === undefined && (
          <Button hotkey="u" disabled={isBusy} onPress={() => onUndo(event)}>
            <Icon name="undo" />
            {change.undone ? "Redo" : change.undoes.length > 0 ? "Take back" : "Undo"}
          </Button>
        )}
        {to.screen !== "timeline" && (
          <Button kind="quiet" hotkey="↵" onPress={() => open(to)}>
            Open
          </Button>
        )}
      </div>
      <div class="insp-body">
        <Failure text={failure} />
        {event.message !== undefined && <Message event={event} />}
        {job && <Output job={job} />}
        {detail?.diffs.map(({ path, hunks, note }) => (
          <FileDiff key={path} path={path} hunks={hunks} note={note} hasViews={false} />
        ))}
      </div>
    </div>
  );
}

function EventTitle({ event: { change, subject, kind } }: { readonly event: TimelineEvent }) {
  const names = (change?.files ?? []).slice(0, 2).map(({ path }) => pathParts(path).name);
  if (kind === "command" || names.length === 0) return <bdi class="path">{shown(subject)}</bdi>;
  const rest = (change?.files.length ?? 0) - names.length;
  return (
    <>
      <bdi class="path">{shown(names[0] ?? "")}</bdi>
      {names[1] !== undefined && (
        <>
          {rest > 0 ? ", " : " and "}
          <bdi class="path">{shown(names[1])}</bdi>
        </>
      )}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}

const EventMeta = ({
  event: { agent, session, principal, time, change, job, ms },
}: {
  readonly event: TimelineEvent;
}) => (
  <dl class="meta">
    <div>
      <dt>By</dt>
      <dd>
        <Who agent={agent} session={session} principal={principal} />
      </dd>
    </div>
    <div>
      <dt>At</dt>
      <dd>{clock(time, "seconds")}</dd>
    </div>
    {/* A command that became a job goes on after its call: the job says how long it took. */}
    {job === undefined && (
      <div>
        <dt>Took</dt>
        <dd>{tookText(ms / 1000)}</dd>
      </div>
    )}
    {change && (
      <div>
        <dt>Change</dt>
        <dd>
          <a href={hashOf({ screen: "history", id: change.id })}>
            <code>{shown(change.id)}</code>
          </a>
        </dd>
      </div>
    )}
  </dl>
);

const Message = ({ event }: { readonly event: TimelineEvent }) =>
  event.code === "ok" ? (
    <p class="insp-note">
      <bdi>{shown(event.message ?? "")}</bdi>
    </p>
  ) : (
    <div class="insp-say">
      <Callout kind={event.kind === "failed" ? "del" : "wait"}>
        <bdi>{shown(event.message ?? "")}</bdi>
      </Callout>
    </div>
  );
