import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { Button } from "../atoms/button.tsx";
import { Failure } from "../atoms/callout.tsx";
import { Icon } from "../atoms/icon.tsx";
import { counted } from "../format/quantity.ts";
import { useActions } from "../keys/actions.ts";
import { useAttempt } from "../state/attempt.ts";
import { OutcomeRow } from "./outcome-row.tsx";
import { preview, undoTicked } from "./undo-flow.ts";

/** Shows what an undo would do to each file, what stays and what conflicts; the button does what is ticked. */
export function UndoPreview() {
  const shown = preview.value;
  const left = useSignal<ReadonlySet<string>>(new Set());
  const attempt = useAttempt();
  const files = shown?.outcome.files ?? [];
  const ticked = files.map(({ path }) => path).filter((path) => !left.value.has(path));
  const confirm = (): void => {
    if (shown && ticked.length > 0) attempt.run(() => undoTicked(shown, ticked));
  };
  // A preview that was left is old when the person comes back. It is closed at once, before another can open.
  useLayoutEffect(() => close, []);
  useActions("opened", shown ? { open: confirm, back: close } : {});
  if (!shown) return null;
  const { conflicts, notes } = shown.outcome;
  const tick = (path: string): void => {
    left.value = new Set(
      left.value.has(path) ? [...left.value].filter((each) => each !== path) : [...left.value, path],
    );
  };
  return (
    <section class="preview" aria-label="Undo preview">
      <header>
        <h3>Undo preview</h3>
        <span class="count">nothing has been changed yet</span>
      </header>
      <ul class="outcome">
        {files.map((file) => (
          <OutcomeRow key={file.path} {...file} isTicked={!left.value.has(file.path)} onTick={() => tick(file.path)} />
        ))}
        {conflicts.map((conflict) => (
          <OutcomeRow key={conflict.path} path={conflict.path} conflict={conflict} />
        ))}
      </ul>
      {notes.map((note) => (
        <p class="hint" key={note}>
          <Icon name="warn" />
          <bdi>{note}</bdi>
        </p>
      ))}
      <Failure text={attempt.failure} />
      <footer>
        <Button kind="primary" hotkey="↵" onPress={confirm} disabled={attempt.isRunning || ticked.length === 0}>
          {labelOf(ticked.length, files.length + conflicts.length)}
        </Button>
        <Button hotkey="esc" onPress={close}>
          Cancel
        </Button>
        <span class="takeback">
          <Icon name="undo" />
          This undo is a change too and can be undone
        </span>
      </footer>
    </section>
  );
}

const close = (): void => void (preview.value = undefined);

const labelOf = (ticked: number, all: number): string =>
  ticked === all ? `Undo ${counted(all, "file")}` : `Undo ${ticked} of ${counted(all, "file")}`;
