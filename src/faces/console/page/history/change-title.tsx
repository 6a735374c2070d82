import type { ChangeDetail } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { Who } from "../atoms/who.tsx";
import { pathParts } from "../format/path-parts.ts";
import { counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { dayAndTime } from "../format/time.ts";
import { nowMs } from "../state/clock.ts";
import { iconOf, verbOf } from "../timeline/verb.ts";
import { capital } from "../waiting/question-text.ts";
import { moreText, sumOf } from "./change-text.ts";

export function ChangeTitle({ change }: { readonly change: ChangeDetail }) {
  const { directory, name } = pathParts(change.files[0]?.path ?? "");
  return (
    <div>
      <p class={change.undone ? "eyebrow undone" : "eyebrow"}>
        <Icon name={iconOf(change.tool)} />
        {capital(shown(verbOf(change.tool)))} <code>{shown(change.id)}</code>
        {change.undone && ", undone"}
      </p>
      {change.command === undefined ? (
        <h2 class="title path">
          <bdi>{shown(directory)}</bdi>
          <b>
            <bdi>{shown(name)}</bdi>
          </b>{" "}
          {moreText(change)}
        </h2>
      ) : (
        <h2 class="title cmd">
          <bdi>{shown(change.command)}</bdi>
        </h2>
      )}
      <p class="sub">
        <Who agent={change.agent} session={change.session} principal={change.principal} />
        <span>{dayAndTime(change.time, nowMs.value, "seconds")}</span>
        <span>
          {counted(change.files.length, "file")} <PlusMinus {...sumOf(change)} />
        </span>
      </p>
    </div>
  );
}
