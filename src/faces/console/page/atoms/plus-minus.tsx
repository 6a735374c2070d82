import { grouped } from "../format/quantity.ts";

/** Shows added and removed lines; the signs say it, the colours repeat it. */
export function PlusMinus({ added = 0, removed = 0 }: { readonly added?: number; readonly removed?: number }) {
  return (
    <span class="pm">
      <span class="plus">{added > 0 && `+${grouped(added)}`}</span>
      <span class="minus">{removed > 0 && `−${grouped(removed)}`}</span>
    </span>
  );
}
