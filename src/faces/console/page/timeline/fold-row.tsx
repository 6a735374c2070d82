import { Icon } from "../atoms/icon.tsx";
import { Who } from "../atoms/who.tsx";
import { shown } from "../format/shown.ts";
import { clock } from "../format/time.ts";
import type { RowProps } from "./row.ts";
import type { TimelineRow } from "./rows.ts";

interface FoldRowProps extends RowProps {
  readonly row: Extract<TimelineRow, { kind: "fold" }>;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Shows several reads as one line, which opens to all of them. */
export function FoldRow({ row, isChosen, isOpen, onChoose, onToggle }: FoldRowProps) {
  const [first] = row.events;
  return (
    <li class={`event fold${isChosen ? " selected" : ""}`} {...(isChosen && { "aria-current": "true" as const })}>
      <time dateTime={first?.time}>{first && clock(first.time)}</time>
      <Icon name={isOpen ? "down" : "chevron"} />
      <span class="verb" />
      <button
        class="what"
        type="button"
        data-row={row.id}
        tabIndex={isChosen ? 0 : -1}
        aria-expanded={isOpen}
        onClick={() => {
          onChoose();
          onToggle();
        }}
      >
        <bdi class="note">{shown(row.text)}</bdi>
      </button>
      <span class="pm" />
      {first && <Who agent={first.agent} session={first.session} principal={first.principal} />}
      <span class="act" />
    </li>
  );
}
