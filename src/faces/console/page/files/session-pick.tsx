import { shortId } from "../atoms/who.tsx";
import { shown } from "../format/shown.ts";
import { fileSession, session, sessions } from "../state/console-state.ts";

/** Chooses the session whose files are shown; lists everywhere are limited to it as well. */
export const SessionPick = () => (
  <select
    class="pick"
    aria-label="Session"
    value={fileSession.value}
    onChange={(event) => (session.value = event.currentTarget.value)}
  >
    {sessions.value.map(({ id, agent }) => (
      <option key={id} value={id}>
        {shown(agent)} {shortId(id)}
      </option>
    ))}
  </select>
);
