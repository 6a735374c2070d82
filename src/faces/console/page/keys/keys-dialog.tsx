import { Dialog } from "../atoms/dialog.tsx";
import { Key } from "../atoms/key.tsx";
import { listedKeys, printedKeys } from "./table.ts";

/** Lists every key. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose} footer="No key acts while you type, nor with Ctrl, Alt or Cmd.">
      <dl class="keylist">
        {listedKeys().map((entry) => (
          <div key={entry.action}>
            <dt>
              {printedKeys(entry).map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd>{entry.label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
