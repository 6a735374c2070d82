import { isFault } from "../base/errors.ts";
import type { StorageWriter, Snapshot } from "../storage/writer.ts";
import type { LastLink, SafePath } from "../storage/storage.ts";

/**
 * What is at a path that spells out a real place, as nearly all do: seen in one go, in the directory that it names.
 * Undefined when the walk has to decide.
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
