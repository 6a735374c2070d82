import { LIMITS } from "../../base/limits.ts";
import { isFault } from "../../base/errors.ts";
import { type FoundEntry, type FoundFacts, foundPlace } from "./find.ts";
import type { View } from "../view.ts";
import { checksumOf } from "../read/whole-file.ts";

/** Groups files with the same bytes. */
export interface DuplicateGroup {
  readonly sha256: string;
  readonly size: number;
  readonly paths: readonly string[];
  /** Counts the bytes that are freed if all but one are deleted. */
  readonly reclaim: number;
}

export interface DuplicateReport {
  readonly groups: readonly DuplicateGroup[];
  /** Counts files of equal size that were not read because of a limit per file or in total. */
  readonly skipped: number;
}

/** Compares files by SHA-256; reads only files of equal size. Sorts groups by the bytes they would free, descending. */
export async function duplicatesAmong(view: View, files: readonly SizedFile[]): Promise<DuplicateReport> {
  const groups: DuplicateGroup[] = [];
  let [skipped, bytes, done] = [0, 0, 0];
  for (const same of bySize(files)) {
    const size = same[0]?.facts.size as number;
    const byHash = new Map<string, string[]>();
    for (const file of same) {
      bytes += size;
      if (size > LIMITS.duplicateBytes || bytes > LIMITS.duplicateTotalBytes) {
        skipped++;
        continue;
      }
      const sha256 = await hashOf(view, foundPlace(file));
      if (sha256 !== undefined) byHash.set(sha256, [...(byHash.get(sha256) ?? []), file.path]);
      view.progress(++done, files.length);
    }
    for (const [sha256, paths] of byHash) {
      if (paths.length > 1) groups.push({ sha256, size, paths: paths.toSorted(), reclaim: size * (paths.length - 1) });
    }
  }
  return { groups: groups.toSorted(biggestFirst), skipped };
}

export type SizedFile = FoundEntry & { readonly facts: FoundFacts };

const biggestFirst = (a: DuplicateGroup, b: DuplicateGroup): number =>
  b.reclaim - a.reclaim || ((a.paths[0] as string) < (b.paths[0] as string) ? -1 : 1);

/**
 * Groups files by size, small sizes first, and drops groups of one. Hard links of one inode count once, and empty files
 * are left out because deleting them frees nothing.
 */
function bySize(files: readonly SizedFile[]): readonly (readonly SizedFile[])[] {
  const sizes = new Map<number, Map<string, SizedFile>>();
  for (const file of files) {
    const { size, identity } = file.facts;
    if (size === 0) continue;
    const known = sizes.get(size) ?? new Map<string, SizedFile>();
    const other = known.get(identity);
    if (!other || file.path < other.path) known.set(identity, file);
    sizes.set(size, known);
  }
  const several = [...sizes].filter(([, same]) => same.size > 1).toSorted(([a], [b]) => a - b);
  return several.map(([, same]) => [...same.values()]);
}

/** Returns undefined if the file vanished or cannot be read. */
async function hashOf(view: View, place: string): Promise<string | undefined> {
  try {
    return await view.withFile(place, (file) => checksumOf(file, { ...view, progress: () => {} }));
  } catch (error) {
    if (isFault(error) && error.code !== "cancelled") return undefined;
    throw error;
  }
}
