import { Key } from "../atoms/key.tsx";
import { works } from "./actions.ts";
import { barKeys, printedKeys } from "./table.ts";

/** Prints the keys that work on this screen and selection. */
export function KeyBar({ onHelp }: { readonly onHelp: () => void }) {
  return (
    <footer class="keys" aria-label="Keys">
      {barKeys(works).map((entry) => (
        <span key={entry.action}>
          {printedKeys(entry).map((key) => (
            <Key key={key}>{key}</Key>
          ))}{" "}
          {entry.label}
        </span>
      ))}
      <span class="grow" />
      <button class="allkeys" type="button" onClick={onHelp}>
        <Key>?</Key> all keys
      </button>
    </footer>
  );
}
