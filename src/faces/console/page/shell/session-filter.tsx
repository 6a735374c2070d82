import { Icon } from "../atoms/icon.tsx";
import { shapeOf, shortId } from "../atoms/who.tsx";
import { shown } from "../format/shown.ts";
import { briefSpan, secondsFrom } from "../format/time.ts";
import { nowMs } from "../state/clock.ts";
import { session, sessions } from "../state/console-state.ts";

/** Limits every list to one session: a filter, not a page. */
export const SessionFilter = () => (
  <section class="sessions" aria-labelledby="sessions-title">
    <h2 id="sessions-title">Sessions</h2>
    <ul>
      <li>
        <button type="button" aria-pressed={session.value === undefined} onClick={() => (session.value = undefined)}>
          <Icon name="more" />
          <span class="l">All</span>
        </button>
      </li>
      {sessions.value.map(({ id, agent, lastSeen }) => (
        <li key={id}>
          <button type="button" aria-pressed={session.value === id} onClick={() => (session.value = id)}>
            <Icon name={shapeOf(id)} />
            <bdi class="l">{shown(agent)}</bdi>
            <code>{shortId(id)}</code>
            <span class="num">{ageText(secondsFrom(lastSeen, nowMs.value))}</span>
          </button>
        </li>
      ))}
    </ul>
  </section>
);

const ageText = (seconds: number): string => (seconds < 60 ? "now" : briefSpan(seconds));
