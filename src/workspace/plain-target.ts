import { isFault } from "../base/errors.ts";
import type { Snapshot } from "../storage/writer.ts";
import type { LastLink, SafePath } from "../storage/storage.ts";
import type { Prober } from "./prober.ts";

/**
 * Looks at a path without links, as nearly all are, with a single lookup in its directory. Returns undefined when
 * storage/resolve.ts has to follow the path.
 */
export async function plainTarget(
  prober: Prober,
  path: SafePath,
  last: LastLink,
): Promise<{ readonly now: Snapshot | null } | undefined> {
  try {
    const now = await prober.snapshot(path);
    const isPlain = now ? last === "keep" || now.facts.kind !== "symlink" : await prober.hasParent(path);
    return isPlain ? { now } : undefined;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}
