import { useSignal } from "@preact/signals";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { EmptyState } from "../atoms/empty-state.tsx";
import { Icon } from "../atoms/icon.tsx";
import { useListKeys } from "../atoms/list-keys.ts";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { counted } from "../format/quantity.ts";
import { useActions } from "../keys/actions.ts";
import { useAttempt } from "../state/attempt.ts";
import { fileSession, net, sessions } from "../state/console-state.ts";
import { useResource } from "../state/resource.ts";
import { choose, isPhone, route } from "../state/route.ts";
import { openPreview, preview } from "../undo/undo-flow.ts";
import { UndoPreview } from "../undo/undo-preview.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { FileView } from "./file-view.tsx";
import { SessionPick } from "./session-pick.tsx";
import { type TreeNode, treeNodes } from "./tree.ts";
import { TreeRow } from "./tree-row.tsx";

/** Shows what a session changed as a tree, with the net change of the chosen file. */
export function FilesScreen() {
  const loaded = useResource(net);
  const files = loaded?.files ?? [];
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const nodes = treeNodes(files, closed.value);
  const chosen = nodes.find(({ path }) => path === route.value.id) ?? (isPhone() ? undefined : firstFile(nodes));
  const attempt = useAttempt();
  const undoSession = (): void => {
    const session = fileSession.peek();
    if (session !== undefined) attempt.run(() => openPreview({ session }));
  };
  const toggle = (path: string): void => void (closed.value = toggled(closed.value, path));
  useListKeys(
    nodes.map(({ path }) => path),
    chosen?.path,
    (path) => choose({ screen: "files", id: path }),
  );
  useActions("screen", {
    ...(files.length > 0 && { undoSession }),
    ...(chosen && !chosen.file && { open: () => toggle(chosen.path) }),
  });
  const isDetail = route.value.id !== undefined || preview.value?.target.session !== undefined;
  return (
    <section class="screen two on-files" data-depth={isDetail ? "detail" : "list"} aria-label="Files">
      <div class="col list mid">
        <header class="bar">
          <h2 class="name">Files</h2>
          {sessions.value.length > 0 && <SessionPick />}
          <span class="grow" />
          {files.length > 0 && <span class="count">{counted(files.length, "file")}</span>}
          <PlusMinus {...totalOf(files)} />
        </header>
        <div class="scroll">
          <Failure text={attempt.failure ?? net.failure.value} />
          {loaded && files.length === 0 && <NoFiles />}
          <ul class="tree">
            {nodes.map((node) => (
              <TreeRow
                key={node.path}
                node={node}
                isChosen={node === chosen}
                isClosed={closed.value.has(node.path)}
                onToggle={() => toggle(node.path)}
              />
            ))}
          </ul>
        </div>
        {files.length > 0 && <SessionFooter isBusy={attempt.isRunning} onUndo={undoSession} />}
      </div>
      <Chosen node={chosen} />
    </section>
  );
}

const NoFiles = () =>
  sessions.value.length === 0 ? (
    <EmptyState icon="files" title="No file was changed yet">
      The files that an agent changes appear here as a tree.
    </EmptyState>
  ) : (
    <EmptyState icon="files" title="This session changed no file">
      Choose another session, or look at the timeline.
    </EmptyState>
  );

interface SessionFooterProps {
  readonly isBusy: boolean;
  readonly onUndo: () => void;
}

const SessionFooter = ({ isBusy, onUndo }: SessionFooterProps) => (
  <footer class="answer-bar flat">
    <Button hotkey="U" disabled={isBusy} onPress={onUndo}>
      <Icon name="undo" />
      Undo session…
    </Button>
    <span class="grow" />
    <ExportMenu />
  </footer>
);

/** Shows the chosen file, or first the preview of an undo of the session. */
function Chosen({ node }: { readonly node: TreeNode | undefined }) {
  if (preview.value?.target.session !== undefined && preview.value.target.path === undefined)
    return (
      <div class="col detail">
        <div class="scroll pad">
          <UndoPreview />
        </div>
      </div>
    );
  return node ? <FileView key={node.path} node={node} /> : null;
}

const firstFile = (nodes: readonly TreeNode[]): TreeNode | undefined => nodes.find(({ file }) => file !== undefined);

const toggled = (paths: ReadonlySet<string>, path: string): ReadonlySet<string> =>
  new Set(paths.has(path) ? [...paths].filter((each) => each !== path) : [...paths, path]);

const totalOf = (files: readonly { readonly added?: number; readonly removed?: number }[]) => ({
  added: files.reduce((sum, { added = 0 }) => sum + added, 0),
  removed: files.reduce((sum, { removed = 0 }) => sum + removed, 0),
});
