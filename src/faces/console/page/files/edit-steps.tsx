import type { NetFile } from "../../contract.ts";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { shown } from "../format/shown.ts";
import { clock } from "../format/time.ts";
import { changes } from "../state/console-state.ts";
import { hashOf } from "../state/route-of.ts";
import { useResource } from "../state/resource.ts";
import { verbOf } from "../timeline/verb.ts";

/** Links the edits that a net change is made of, oldest first. */
export function EditSteps({ file }: { readonly file: NetFile }) {
  const known = useResource(changes)?.changes ?? [];
  return (
    <ol class="steps" aria-label="Edits of this file">
      {file.changes.map((id) => {
        const change = known.find((each) => each.id === id);
        const here = change?.files.find(({ path }) => path === file.path);
        return (
          <li key={id}>
            <a href={hashOf({ screen: "history", id })}>
              {change ? (
                <>
                  <time dateTime={change.time}>{clock(change.time)}</time>
                  {shown(verbOf(change.tool))} <PlusMinus {...here} />
                </>
              ) : (
                <code>{shown(id)}</code>
              )}
            </a>
          </li>
        );
      })}
      <li>
        <span class="net" aria-current="true">
          Net <PlusMinus {...file} />
        </span>
      </li>
    </ol>
  );
}
