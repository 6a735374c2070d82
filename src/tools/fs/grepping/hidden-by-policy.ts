import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import type { HiddenByPolicy } from "../../../workspace/search/hidden-by-policy.ts";

/** Reports the paths that grep skipped because they need approval. */
export const hiddenFields = {
  needs_approval: z.object({ count: z.int(), at_least: z.boolean().optional() }).optional(),
};

export const hiddenData = ({ count, isPartial }: HiddenByPolicy): z.output<z.ZodObject<typeof hiddenFields>> =>
  count > 0 || isPartial ? { needs_approval: { count, ...(isPartial && { at_least: true }) } } : {};

export function hiddenNotes({ count, isPartial }: HiddenByPolicy): readonly string[] {
  if (count === 0 && !isPartial) return [];
  const where = isPartial ? `, counted in ${LIMITS.hiddenDirectories} directories` : "";
  return [
    `Not searched: ${count} ${count === 1 ? "place that needs" : "places that need"} approval${where}; name one as path to ask`,
  ];
}
