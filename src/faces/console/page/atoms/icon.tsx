import { type IconName, ICONS, type IconShape } from "./icons.ts";

/** Draws an icon. Words beside it say the same. */
export function Icon({ name, tone }: { readonly name: IconName; readonly tone?: "ok" | "no" | "twist" }) {
  const { line, dots, solid }: IconShape = ICONS[name];
  return (
    <svg class={tone === undefined ? "i" : `i ${tone}`} viewBox="0 0 16 16" aria-hidden="true">
      {line !== undefined && <path d={line} />}
      {dots !== undefined && <path d={dots} stroke-width="2.2" />}
      {solid !== undefined && <path d={solid} class="solid" />}
    </svg>
  );
}
