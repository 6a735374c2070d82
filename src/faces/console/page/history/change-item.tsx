import type { ChangeEntry } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { RowLink } from "../atoms/row-link.tsx";
import { Who } from "../atoms/who.tsx";
import { pathParts } from "../format/path-parts.ts";
import { shown } from "../format/shown.ts";
import { clock } from "../format/time.ts";
import { iconOf } from "../timeline/verb.ts";
import { moreText, sumOf } from "./change-text.ts";
import { togglePick } from "./picked.ts";

interface ChangeItemProps {
  readonly change: ChangeEntry;
  readonly isChosen: boolean;
  readonly isPicked: boolean;
}

export function ChangeItem({ change, isChosen, isPicked }: ChangeItemProps) {
  const classes = ["item", isChosen && "selected", isPicked && "picked", change.undone && "undone"]
    .filter(Boolean)
    .join(" ");
  return (
    <li class={classes} {...(isChosen && { "aria-current": "true" as const })}>
      <RowLink to={{ screen: "history", id: change.id }} isChosen={isChosen}>
        <Icon name={change.undoes.length > 0 ? "undo" : iconOf(change.tool)} />
        <span class="t">
          <ItemTitle change={change} />
        </span>
        <PlusMinus {...sumOf(change)} />
      </RowLink>
      <input
        class="pick-box"
        type="checkbox"
        tabIndex={-1}
        title="Compare with others (m)"
        aria-label={`Compare ${shown(change.id)}`}
        checked={isPicked}
        onChange={() => togglePick(change.id)}
      />
      <p>
        <Who agent={change.agent} session={change.session} principal={change.principal} />
        {change.undone && <span class="st undone">undone</span>}
        <code class="id">{shown(change.id)}</code>
        <time dateTime={change.time}>{clock(change.time)}</time>
      </p>
    </li>
  );
}

function ItemTitle({ change }: { readonly change: ChangeEntry }) {
  const [file] = change.files;
  if (change.command !== undefined) return <bdi class="cmd">{shown(change.command)}</bdi>;
  if (change.undoes.length > 0)
    return (
      <>
        undo of <b>{shown(change.undoes[0] ?? "")}</b>
      </>
    );
  return (
    <>
      <b>
        <bdi>{shown(pathParts(file?.path ?? "nothing").name)}</bdi>
      </b>{" "}
      {moreText(change)}
    </>
  );
}
