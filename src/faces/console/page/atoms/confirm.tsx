import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  readonly kind: "primary" | "danger";
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks once more before something that cannot be taken back, or that holds for long. */
export const Confirm = ({ title, action, kind, onConfirm, onClose, children }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    <div class="ask">
      <p>{children}</p>
      <div class="tools">
        <Button
          kind={kind}
          onPress={() => {
            onConfirm();
            onClose();
          }}
        >
          {action}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </div>
  </Dialog>
);
