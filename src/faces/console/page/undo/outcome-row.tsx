import type { UndoConflict } from "../../contract.ts";
import { Icon } from "../atoms/icon.tsx";
import { Path } from "../atoms/path.tsx";
import { shown } from "../format/shown.ts";
import { clock } from "../format/time.ts";
import { hashOf } from "../state/route-of.ts";
import { capital } from "../waiting/question-text.ts";

interface OutcomeRowProps {
  readonly path: string;
  readonly action?: string;
  readonly keeps?: string;
  readonly conflict?: UndoConflict;
  readonly isTicked?: boolean;
  readonly onTick?: () => void;
}

/** Says what an undo would do to a file. One that conflicts is left as it is, and cannot be ticked. */
export function OutcomeRow({ path, action, keeps, conflict, isTicked = false, onTick }: OutcomeRowProps) {
  const isFine = conflict === undefined;
  return (
    <li class={isFine ? "ok" : "bad"}>
      <label>
        <input
          type="checkbox"
          checked={isTicked}
          disabled={!isFine}
          aria-label={`Undo ${shown(path)}`}
          onChange={() => onTick?.()}
        />
        <span class="p">
          <Path path={path} />
        </span>
      </label>
      <span class="res">
        <Icon name={!isFine ? "warn" : keeps === undefined ? "check" : "merge"} />
        {!isFine ? "Conflict" : keeps === undefined ? "Goes back" : "Merges"}
      </span>
      <p>
        {isFine ? (
          <bdi>{shown(keeps === undefined ? actionText(action) : sentence(keeps))}</bdi>
        ) : (
          <Why {...conflict} />
        )}
      </p>
    </li>
  );
}

/** Says why a file cannot be undone, and where to look next. */
const Why = ({ reason, later }: UndoConflict) => (
  <>
    <bdi>{shown(sentence(reason))}</bdi> It stays as it is.
    {later && (
      <>
        {" "}
        Last changed by{" "}
        <a href={hashOf({ screen: "history", id: later.change })}>
          <bdi>{shown(later.agent)}</bdi>, {clock(later.time)}
        </a>
        .
      </>
    )}
  </>
);

const sentence = (text: string): string => `${capital(text).replace(/\.$/, "")}.`;

const actionText = (action: string | undefined): string => (action === undefined ? "" : `It is ${action}.`);
