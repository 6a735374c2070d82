import { Fault, hasCode, isFault } from "../base/errors.ts";
import { childOf, nameIn, parentOf } from "../base/paths.ts";
import type { Hands, Sighting } from "../storage/hands.ts";
import type { Facts, LastLink, SafePath, Storage } from "../storage/storage.ts";

interface Reached {
  readonly place: SafePath;
  readonly facts: Facts | null;
  /** What does not exist of it, outermost first, itself last. */
  readonly absent: readonly SafePath[];
}

/**
 * What is at a path that spells out a real place, as nearly all do: seen in one go, in the directory that it names.
 * Undefined when the walk has to decide.
 */
export function plainTarget(
  eyes: Pick<Hands, "see" | "holds">,
  path: SafePath,
  last: LastLink,
): { readonly now: Sighting | null } | undefined {
  try {
    const now = eyes.see(path);
    const isPlain = now ? last === "keep" || now.facts.kind !== "symlink" : eyes.holds(path);
    return isPlain ? { now } : undefined;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

/** The real place of a path that may not exist yet, and what of it is to be made. */
export async function targetAt(storage: Storage, path: SafePath, last: LastLink): Promise<Reached> {
  const facts = await lookOrMissing(storage, path, last);
  if (facts) return { place: facts.path, facts, absent: [] };
  const spelled = withoutDot(path);
  const above = await targetAt(storage, parentOf(spelled) as SafePath, "follow");
  const place = childOf(above.place, newName(spelled));
  return { place, facts: null, absent: [...above.absent, place] };
}

/** Where a directory on the way is missing, so is this. */
async function lookOrMissing(storage: Storage, path: SafePath, last: LastLink): Promise<Facts | null> {
  try {
    return await storage.look(path, last);
  } catch (error) {
    if (hasCode(error, "not_found")) return null;
    throw error;
  }
}

const withoutDot = (path: SafePath): SafePath => (path.endsWith("/.") ? (path.slice(0, -2) as SafePath) : path);

/** What does not exist has no way back out of it. */
function newName(path: SafePath): string {
  const name = nameIn(path);
  if (name !== "..") return name;
  throw new Fault("not_found", `Cannot open ${JSON.stringify(path)}: a directory in it does not exist`, { path });
}
