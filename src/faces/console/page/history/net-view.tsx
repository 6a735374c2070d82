import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { NetChange, NetFile } from "../../contract.ts";
import { BackLink } from "../atoms/back-link.tsx";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { EmptyState } from "../atoms/empty-state.tsx";
import { Icon } from "../atoms/icon.tsx";
import { PlusMinus } from "../atoms/plus-minus.tsx";
import { switchView } from "../diff/diff-view.ts";
import { FileDiff } from "../diff/file-diff.tsx";
import { EditSteps } from "../files/edit-steps.tsx";
import { OthersToo } from "../files/file-view.tsx";
import { useNetDiff } from "../files/net-of.ts";
import { counted } from "../format/quantity.ts";
import { useActions } from "../keys/actions.ts";
import { get, wordsOf } from "../state/api.ts";
import { clearPicks } from "./picked.ts";
import { sumOf } from "./change-text.ts";
import { useFileKeys } from "./file-keys.ts";

/** Shows what the changes that a person picked sum up to: each file before the first and after the last of them. */
export function NetView({ ids }: { readonly ids: readonly string[] }) {
  const { files, failure } = useNetFiles(ids.join(","));
  useActions("screen", { back: clearPicks, view: switchView });
  useFileKeys((files ?? []).map(({ path }) => path));
  return (
    <div class="col detail">
      <div class="scroll pad">
        <BackLink to="history">History</BackLink>
        <div class="titlerow">
          <div>
            <p class="eyebrow">
              <Icon name="history" />
              Net change
            </p>
            <h2 class="title">{counted(ids.length, "change")} as one</h2>
            {files && (
              <p class="sub">
                <span>
                  {counted(files.length, "file")} <PlusMinus {...sumOf({ files })} />
                </span>
              </p>
            )}
          </div>
          <div class="tools">
            <Button hotkey="esc" onPress={clearPicks}>
              Done
            </Button>
          </div>
        </div>
        <Failure text={failure} />
        {files?.length === 0 && (
          <EmptyState icon="check" title="Nothing is different">
            These changes cancel each other out.
          </EmptyState>
        )}
        {files?.map((file) => (
          <NetFileView key={file.path} file={file} ids={ids} />
        ))}
      </div>
    </div>
  );
}

function NetFileView({ file, ids }: { readonly file: NetFile; readonly ids: readonly string[] }) {
  const { diff, failure } = useNetDiff({ changes: ids.join(",") }, file.path);
  return (
    <>
      <Failure text={failure} />
      {file.changes.length > 1 && <EditSteps file={file} />}
      {file.others.length > 0 && <OthersToo count={file.others.length} />}
      <div class="diffbox">
        {diff && <FileDiff path={file.path} hunks={diff.hunks} note={diff.note ?? noteOf(file)} />}
      </div>
    </>
  );
}

const noteOf = ({ from }: NetFile): string | undefined => (from === undefined ? undefined : `Moved from ${from}`);

interface LoadedFiles {
  readonly files: readonly NetFile[] | undefined;
  readonly failure: string | undefined;
}

function useNetFiles(changes: string): LoadedFiles {
  const loaded = useSignal<LoadedFiles>({ files: undefined, failure: undefined });
  useEffect(() => {
    let isWanted = true;
    get<NetChange>("/api/net", { changes }).then(
      ({ files }) => isWanted && (loaded.value = { files, failure: undefined }),
      (error: unknown) => isWanted && (loaded.value = { files: undefined, failure: wordsOf(error) }),
    );
    return () => void (isWanted = false);
  }, [changes, loaded]);
  return loaded.value;
}
