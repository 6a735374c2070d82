import { fiveBlocks } from "./tree.ts";

const CLASSES = { added: "g", removed: "r", none: "" } as const;

/** Draws how much was added and removed as five blocks. */
export const FiveBlocks = ({ added, removed }: { readonly added: number; readonly removed: number }) => (
  <svg class="bar5" viewBox="0 0 39 7" aria-hidden="true">
    {fiveBlocks(added, removed).map((kind, index) => (
      <rect key={index} x={index * 8} width="7" height="7" rx="1.5" class={CLASSES[kind]} />
    ))}
  </svg>
);
