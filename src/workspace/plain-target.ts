import { isFault } from "../base/errors.ts";
import type { StorageWriter, Snapshot } from "../storage/writer.ts";
import type { LastLink, SafePath } from "../storage/storage.ts";

/**
 * Looks at a path without links, as nearly all are, with a single lookup in its directory. Returns undefined when
 * storage/resolve.ts has to follow the path.
 */
export function plainTarget(
  prober: Pick<StorageWriter, "snapshot" | "hasParent">,
  path: SafePath,
  last: LastLink,
): { readonly now: Snapshot | null } | undefined {
  try {
    const now = prober.snapshot(path);
    const isPlain = now ? last === "keep" || now.facts.kind !== "symlink" : prober.hasParent(path);
    return isPlain ? { now } : undefined;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}
