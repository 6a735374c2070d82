import type { ChangeDetail } from "../../contract.ts";
import { BackLink } from "../atoms/back-link.tsx";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { switchView } from "../diff/diff-view.ts";
import { FileDiff } from "../diff/file-diff.tsx";
import { shown } from "../format/shown.ts";
import { useActions } from "../keys/actions.ts";
import { type Attempt, useAttempt } from "../state/attempt.ts";
import { preview, tryUndo, undoOrRedo } from "../undo/undo-flow.ts";
import { UndoPreview } from "../undo/undo-preview.tsx";
import { ChangeTitle } from "./change-title.tsx";
import { useChange } from "./change-of.ts";
import { useFileKeys } from "./file-keys.ts";

/** Shows a change with the diff of each file, and undoes all of it or one file. */
export function ChangeView({ id }: { readonly id: string }) {
  const { detail, failure } = useChange(id);
  const attempt = useAttempt();
  const undo = (): void => {
    if (detail) attempt.run(() => undoOrRedo(id, detail.undone).then(() => undefined));
  };
  const isUndoable = detail !== undefined && detail.final === undefined;
  useActions("screen", { ...(isUndoable && { undo }), ...(detail && { view: switchView }) });
  useFileKeys((detail?.diffs ?? []).map(({ path }) => path));
  return (
    <div class="col detail">
      <div class="scroll pad">
        <BackLink to="history">History</BackLink>
        <Failure text={failure} />
        {detail && (
          <div class="titlerow">
            <ChangeTitle change={detail} />
            <div class="tools">
              <Button hotkey="u" disabled={attempt.isRunning || (detail.final ?? false)} onPress={undo}>
                <Icon name="undo" />
                {detail.undone ? "Redo" : detail.undoes.length > 0 ? "Take back" : "Undo"}
              </Button>
            </div>
          </div>
        )}
        {detail?.final !== undefined && (
          <p class="hint">
            <Icon name="warn" />
            <bdi>{shown(detail.final)}</bdi>
          </p>
        )}
        <Failure text={attempt.failure} />
        {preview.value?.target.change === id && <UndoPreview />}
        {detail && <Diffs detail={detail} attempt={attempt} />}
      </div>
    </div>
  );
}

interface DiffsProps {
  readonly detail: ChangeDetail;
  readonly attempt: Attempt;
}

const Diffs = ({ detail, attempt }: DiffsProps) => (
  <>
    {detail.diffs.map(({ path, hunks, note }) => (
      <div class="diffbox" key={path}>
        <FileDiff path={path} hunks={hunks} note={note}>
          {detail.diffs.length > 1 && !detail.undone && detail.final === undefined && (
            <Button
              kind="small"
              disabled={attempt.isRunning}
              onPress={() => attempt.run(() => tryUndo({ change: detail.id, path }).then(() => undefined))}
            >
              Undo this file
            </Button>
          )}
        </FileDiff>
      </div>
    ))}
  </>
);
