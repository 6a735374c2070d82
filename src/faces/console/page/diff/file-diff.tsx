import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Hunk } from "../../contract.ts";
import { Choice } from "../atoms/choice.tsx";
import { Icon } from "../atoms/icon.tsx";
import { Path } from "../atoms/path.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { isPhone } from "../state/route.ts";
import { VIEWS, view } from "./diff-view.ts";
import { lineCounts, splitRows, unifiedRows } from "./rows.ts";
import { SplitDiff } from "./split-diff.tsx";
import { UnifiedDiff } from "./unified-diff.tsx";

interface FileDiffProps {
  readonly path: string;
  readonly hunks: readonly Hunk[];
  /** Says why there are no hunks. */
  readonly note?: string | undefined;
  /** Stands in the header, such as a button. */
  readonly children?: ComponentChildren;
  /** Is false where there is no room for two sides. */
  readonly hasViews?: boolean;
}

/** A diff opens with this many rows: the browser stays quick, and a person reads no more at once. */
const ROWS = 400;

/** Shows what changed in a file, below a header with its path. */
export function FileDiff({ path, hunks, note, children, hasViews = true }: FileDiffProps) {
  return (
    <>
      <header class="filehead" data-file={path}>
        <Icon name="file" />
        <span class="p">
          <Path path={path} />
        </span>
        <PlusMinus {...lineCounts(hunks)} />
        {children}
        {hasViews && hunks.length > 0 && (
          <Choice
            kind="seg"
            label="Diff view"
            options={VIEWS}
            value={view.value}
            onChoose={(next) => (view.value = next)}
          />
        )}
      </header>
      {hunks.length > 0 ? (
        <Rows hunks={hunks} label={shown(path)} isSplit={hasViews && view.value === "Split" && !isPhone()} />
      ) : (
        <p class="insp-note">{note ?? "No lines changed"}</p>
      )}
    </>
  );
}

interface RowsProps {
  readonly hunks: readonly Hunk[];
  readonly label: string;
  readonly isSplit: boolean;
}

function Rows({ hunks, label, isSplit }: RowsProps) {
  const most = useSignal(ROWS);
  const [unified, split] = [unifiedRows(hunks), isSplit ? splitRows(hunks) : []];
  const hidden = (isSplit ? split : unified).length - most.value;
  return (
    <>
      {isSplit && <SplitDiff rows={split.slice(0, most.value)} label={label} />}
      {!isSplit && <UnifiedDiff rows={unified.slice(0, most.value)} label={label} />}
      {hidden > 0 && (
        <button class="expand" type="button" onClick={() => (most.value += ROWS)}>
          <Icon name="down" />
          Show {counted(Math.min(hidden, ROWS), "more line", "more lines")}
          {hidden > ROWS && ` of ${hidden}`}
        </button>
      )}
    </>
  );
}
