import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import type { Unasked } from "../../../workspace/search/hidden-by-policy.ts";

/** What every answer of grep says of the places that it left out for want of a yes. */
export const unaskedFields = {
  needs_approval: z.object({ count: z.int(), at_least: z.boolean().optional() }).optional(),
};

export const unaskedData = ({ count, isPart }: Unasked): z.output<z.ZodObject<typeof unaskedFields>> =>
  count > 0 || isPart ? { needs_approval: { count, ...(isPart && { at_least: true }) } } : {};

export function unaskedNotes({ count, isPart }: Unasked): readonly string[] {
  if (count === 0 && !isPart) return [];
  const where = isPart ? `, counted in ${LIMITS.unaskedDirectories} directories` : "";
  return [
    `Not searched: ${count} ${count === 1 ? "place that needs" : "places that need"} approval${where}; name one as path to ask`,
  ];
}
