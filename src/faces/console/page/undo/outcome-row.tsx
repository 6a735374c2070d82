import { Icon } from "../atoms/icon.tsx";
import { Path } from "../atoms/path.tsx";
import { shown } from "../format/shown.ts";
import { capital } from "../waiting/question-text.ts";

interface OutcomeRowProps {
  readonly path: string;
  readonly action?: string;
  readonly keeps?: string;
  readonly conflict?: string;
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
        <bdi>{isFine ? (keeps ?? actionText(action)) : `${capital(conflict)}. Left as it is.`}</bdi>
      </p>
    </li>
  );
}

const actionText = (action: string | undefined): string => (action === undefined ? "" : `It is ${action}.`);
