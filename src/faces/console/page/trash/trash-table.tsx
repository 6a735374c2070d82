import type { TrashEntry } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import { Path } from "../atoms/path.tsx";
import { RowLink } from "../atoms/row-link.tsx";
import { Who } from "../atoms/who.tsx";
import { bytesText, counted } from "../format/quantity.ts";
import { dayAndTime, restSpan, secondsFrom } from "../format/time.ts";
import { nowMs } from "../state/clock.ts";

interface TrashTableProps {
  readonly items: readonly TrashEntry[];
  readonly chosen: string | undefined;
  readonly isBusy: boolean;
  readonly onRestore: (item: TrashEntry) => void;
}

export const TrashTable = ({ items, chosen, isBusy, onRestore }: TrashTableProps) => (
  <table class="plain rows">
    <thead>
      <tr>
        <th>Path it had</th>
        <th class="r">Content</th>
        <th>Deleted by</th>
        <th>When</th>
        <th>Kept for</th>
        <th class="r">
          <span class="sr">Action</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {items.map((item) => (
        <Row
          key={item.id}
          item={item}
          isChosen={item.id === chosen}
          isBusy={isBusy}
          onRestore={() => onRestore(item)}
        />
      ))}
    </tbody>
  </table>
);

interface RowProps {
  readonly item: TrashEntry;
  readonly isChosen: boolean;
  readonly isBusy: boolean;
  readonly onRestore: () => void;
}

function Row({ item, isChosen, isBusy, onRestore }: RowProps) {
  const classes = [isChosen && "selected", item.expired && "expired", item.taken && "taken"].filter(Boolean).join(" ");
  const size = bytesText(item.bytes);
  return (
    <tr class={classes} {...(isChosen && { "aria-current": "true" as const })}>
      <td class="p">
        <Icon name={item.type === "directory" ? "folder" : "file"} />
        <RowLink to={{ screen: "trash", id: item.id }} isChosen={isChosen}>
          <Path path={item.path} />
        </RowLink>
        {item.taken && <span class="note">a file is there again</span>}
      </td>
      <td class="r">{item.type === "directory" ? `${counted(item.files, "file")}, ${size}` : size}</td>
      <td>
        <Who agent={item.agent} session={item.session} principal={item.principal} />
      </td>
      <td class="t">{dayAndTime(item.deleted, nowMs.value)}</td>
      <td class="lf">
        <Rest item={item} />
      </td>
      <td class="r">
        <button class="act" type="button" disabled={isBusy} tabIndex={isChosen ? 0 : -1} onClick={onRestore}>
          {item.taken ? "Restore as…" : "Restore"}
        </button>
      </td>
    </tr>
  );
}

/** Draws how much of the time is left. */
function Rest({ item: { deleted, until, expired } }: { readonly item: TrashEntry }) {
  const rest = -secondsFrom(until, nowMs.value);
  const share = expired ? 0 : Math.min(1, Math.max(0, rest / secondsFrom(deleted, Date.parse(until))));
  return (
    <>
      <svg class="left" viewBox="0 0 48 4" aria-hidden="true">
        <rect width="48" height="4" rx="2" />
        <rect class={share < 0.2 ? "v low" : "v"} width={Math.round(48 * share)} height="4" rx="2" />
      </svg>
      <span>{expired ? "expired" : restSpan(rest)}</span>
    </>
  );
}
