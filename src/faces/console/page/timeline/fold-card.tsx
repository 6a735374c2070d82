import type { TimelineEvent } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import { Path } from "../atoms/path.tsx";
import { shown } from "../format/shown.ts";
import { clock } from "../format/time.ts";
import { verbOf } from "./verb.ts";

interface FoldCardProps {
  readonly text: string;
  readonly events: readonly TimelineEvent[];
}

/** Lists what several reads in a row looked at. */
export const FoldCard = ({ text, events }: FoldCardProps) => (
  <div class="insp">
    <header class="insp-head">
      <p class="eyebrow">
        <Icon name="read" />
        Read only
      </p>
      <h2>
        <bdi>{shown(text)}</bdi>
      </h2>
    </header>
    <ul class="insp-body reads">
      {events.map(({ id, time, tool, subject }) => (
        <li key={id}>
          <time dateTime={time}>{clock(time)}</time>
          <span class="verb">{shown(verbOf(tool))}</span>
          <span class="p">
            <Path path={subject} />
          </span>
        </li>
      ))}
    </ul>
  </div>
);
