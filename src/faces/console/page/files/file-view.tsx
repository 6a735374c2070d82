import { BackLink } from "../atoms/back-link.tsx";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { switchView } from "../diff/diff-view.ts";
import { FileDiff } from "../diff/file-diff.tsx";
import { counted } from "../format/quantity.ts";
import { shown } from "../format/shown.ts";
import { useActions } from "../keys/actions.ts";
import { useAttempt } from "../state/attempt.ts";
import { fileSession } from "../state/console-state.ts";
import { preview, tryUndo } from "../undo/undo-flow.ts";
import { UndoPreview } from "../undo/undo-preview.tsx";
import { EditSteps } from "./edit-steps.tsx";
import { useNetDiff } from "./net-of.ts";
import type { TreeNode } from "./tree.ts";

/** Shows the net change of a file, the edits it is made of, and undoes all of them together. */
export function FileView({ node }: { readonly node: TreeNode }) {
  const { path, file, name } = node;
  const { diff, failure } = useNetDiff({ session: fileSession.value }, file && path);
  const attempt = useAttempt();
  const undo = (): void => {
    const session = fileSession.peek();
    if (session !== undefined) attempt.run(() => tryUndo({ session, path }).then(() => undefined));
  };
  useActions("screen", { undo, ...(diff && { view: switchView }) });
  return (
    <div class="col detail">
      <div class="scroll pad">
        <BackLink to="files">Files</BackLink>
        <div class="titlerow">
          <div>
            <p class="eyebrow">
              <Icon name={file ? "file" : "folder"} />
              {file ? `Net change of ${counted(file.changes.length, "edit")}` : "All changes below"}
            </p>
            <h2 class="title path">
              <bdi>{shown(path.slice(0, path.length - name.length))}</bdi>
              <b>
                <bdi>{shown(name)}</bdi>
              </b>
            </h2>
          </div>
          <div class="tools">
            <Button hotkey="u" disabled={attempt.isRunning} onPress={undo}>
              <Icon name="undo" />
              {file ? "Undo this file" : "Undo this directory"}
            </Button>
          </div>
        </div>
        <Failure text={failure ?? attempt.failure} />
        {preview.value?.target.path === path && <UndoPreview />}
        {file && <EditSteps file={file} />}
        {file && file.others.length > 0 && <OthersToo count={file.others.length} />}
        {diff && (
          <div class="diffbox">
            <FileDiff path={path} hunks={diff.hunks} note={diff.note} />
          </div>
        )}
      </div>
    </div>
  );
}

export const OthersToo = ({ count }: { readonly count: number }) => (
  <p class="hint other">
    <Icon name="merge" />
    <span>
      {count === 1 ? "Another session" : `${count} other sessions`} changed this file too. Lines of{" "}
      {count === 1 ? "it" : "theirs"} may show here, and stay when you undo.
    </span>
  </p>
);
