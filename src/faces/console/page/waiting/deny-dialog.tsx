import { useEffect, useRef } from "preact/hooks";
import { Button } from "../atoms/button.tsx";
import { Dialog } from "../atoms/dialog.tsx";

interface DenyDialogProps {
  readonly onDeny: (reason: string) => void;
  readonly onClose: () => void;
}

/** Asks for a reason, which the agent is told; Enter denies without one too. */
export function DenyDialog({ onDeny, onClose }: DenyDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const deny = (): void => {
    onDeny(field.current?.value.trim() ?? "");
    onClose();
  };
  return (
    <Dialog title="Deny" onClose={onClose}>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          deny();
        }}
      >
        <label for="deny-reason">What shall the agent do instead? It is told in your words.</label>
        <input id="deny-reason" ref={field} type="text" autocomplete="off" placeholder="A reason, if you like" />
        <div class="tools">
          <Button kind="primary" hotkey="↵" onPress={deny}>
            Deny
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
