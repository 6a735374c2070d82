import { Who } from "../atoms/who.tsx";
import { shown } from "../format/shown.ts";
import { dayAndTime } from "../format/time.ts";
import { nowMs } from "../state/clock.ts";
import { sessions } from "../state/console-state.ts";

export const SessionTable = () => (
  <table class="plain rows">
    <caption>Sessions</caption>
    <thead>
      <tr>
        <th>Session</th>
        <th>Directories</th>
        <th>Last seen</th>
        <th class="r">Changes</th>
      </tr>
    </thead>
    <tbody>
      {sessions.value.map(({ id, agent, roots, lastSeen, changes }) => (
        <tr key={id}>
          <td>
            <Who agent={agent} session={id} />
          </td>
          <td>
            <bdi>{shown(roots.join(", "))}</bdi>
          </td>
          <td class="t">{dayAndTime(lastSeen, nowMs.value)}</td>
          <td class="r">{changes}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
