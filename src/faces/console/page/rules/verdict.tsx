import { Icon } from "../atoms/icon.tsx";
import type { IconName } from "../atoms/icons.ts";
import { shown } from "../format/shown.ts";

const ICONS: Readonly<Record<string, IconName>> = { blocked: "block", approval: "hourglass" };

/** Shows a verdict by its word, its icon and its colour. */
export const Verdict = ({ verdict }: { readonly verdict: string }) => (
  <span class={`dec ${shown(verdict)}`}>
    <Icon name={ICONS[verdict] ?? "check"} />
    {shown(verdict)}
  </span>
);
