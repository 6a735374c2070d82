import { useRef } from "preact/hooks";
import type { TrashEntry } from "../../contract.ts";
import { Button } from "../atoms/button.tsx";
import { Dialog } from "../atoms/dialog.tsx";
import { shown } from "../format/shown.ts";

interface RestoreDialogProps {
  readonly item: TrashEntry;
  readonly onRestore: (item: TrashEntry, to: string) => void;
  readonly onClose: () => void;
}

/** Asks for another path, because something is at the old one again. */
export function RestoreDialog({ item, onRestore, onClose }: RestoreDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const restore = (): void => {
    const to = field.current?.value.trim() ?? "";
    if (to === "") return;
    onRestore(item, to);
    onClose();
  };
  return (
    <Dialog title="Restore as" onClose={onClose}>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          restore();
        }}
      >
        <label for="restore-path">
          Something is at <bdi>{shown(item.path)}</bdi> again. It stays; choose another path.
        </label>
        <input
          id="restore-path"
          ref={field}
          type="text"
          autocomplete="off"
          spellcheck={false}
          defaultValue={freePath(item.path)}
        />
        <div class="tools">
          <Button kind="primary" hotkey="↵" onPress={restore}>
            Restore
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Suggests "table.restored.csv" beside "table.csv". */
const freePath = (path: string): string => path.replace(/(\.[^./]+)?\/?$/, ".restored$1");
