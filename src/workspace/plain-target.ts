import { isFault } from "../base/errors.ts";
import type { Snapshot } from "../storage/writer.ts";
import type { LastLink, SafePath, StorageReader } from "../storage/storage.ts";
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

/**
 * Ignores a slash at the end of a link where the link itself is meant: otherwise its target would be removed or moved.
 */
export async function unfollowedLink(storage: StorageReader, spelled: SafePath): Promise<SafePath> {
  if (!spelled.endsWith("/.")) return spelled;
  const named = spelled.slice(0, -2) as SafePath;
  const facts = await storage.stat(named, "keep").catch(() => null);
  return facts?.kind === "symlink" ? named : spelled;
}
