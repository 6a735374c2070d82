import { hash } from "node:crypto";
import { hasCode } from "../base/errors.ts";
import { parentOf, relativeWithSlash } from "../base/paths.ts";
import { isHashed, versionOfFacts } from "../base/version.ts";
import { isPath } from "../storage/place.ts";
import type { Facts, OpenDirectory, SafePath, StorageReader } from "../storage/storage.ts";
import type { Snapshot } from "../storage/writer.ts";
import type { Prober } from "./prober.ts";
import { sourceOfFile } from "./read/scan.ts";
import { readWholeFile } from "./read/whole-file.ts";

/** Looks at paths through the reading side of a storage. It knows no store: nothing is kept of what is never changed. */
export function createReadingProber(storage: StorageReader): Prober {
  const stat = (path: SafePath): Promise<Facts | null> => storage.stat(path, "keep").catch(nullIfMissing);
  const entriesIn: Prober["entriesIn"] = async (place, most, isExcluded) => {
    const top = isPath(place) ? await stat(place) : null;
    if (!top || isExcluded("")) return null;
    const entries = new Map([["", top]]);
    if (top.kind !== "directory") return entries;
    const isWhole = await storage.withDirectory(place as SafePath, (directory) =>
      collectBelow(directory, "", { entries, most, isExcluded }),
    );
    return isWhole ? entries : null;
  };
  return {
    snapshot: async (place) => (isPath(place) ? snapshotAt(storage, place, await stat(place)) : null),
    hasParent: async (path) => (await stat(parentOf(path) as SafePath))?.kind === "directory",
    async fingerprint(place, most) {
      const entries = await entriesIn(place, most, () => false);
      return entries && hash("sha256", JSON.stringify([...entries].map(stampOf).toSorted()), "hex");
    },
    entriesIn,
    contentOf: async (place, from = 0, most = Infinity) =>
      isPath(place) && (await stat(place))?.kind === "file"
        ? storage.withFile(place, (file) => sourceOfFile(file).part(from, most))
        : null,
  };
}

function nullIfMissing(error: unknown): null {
  if (hasCode(error, "not_found", "not_a_directory")) return null;
  throw error;
}

async function snapshotAt(storage: StorageReader, path: SafePath, facts: Facts | null): Promise<Snapshot | null> {
  if (!facts || !isHashed(facts)) return facts && { facts, version: versionOfFacts(facts) };
  return storage.withFile(path, readWholeFile).catch(nullIfMissing);
}

interface Collection {
  readonly entries: Map<string, Facts>;
  readonly most: number;
  readonly isExcluded: (relativePath: string) => boolean;
}

/** Returns false once there are more entries than the limit. */
async function collectBelow(directory: OpenDirectory, top: string, into: Collection): Promise<boolean> {
  for (const entry of await directory.entries()) {
    const relativePath = relativeWithSlash(top, entry.name);
    const facts = into.isExcluded(relativePath) ? null : directory.stat(entry);
    if (!facts) continue;
    into.entries.set(relativePath, facts);
    if (into.entries.size > into.most) return false;
    if (facts.kind !== "directory") continue;
    if (!(await directory.withDirectory(entry, (below) => collectBelow(below, relativePath, into)))) return false;
  }
  return true;
}

const stampOf = ([relativePath, { kind, identity, size, times }]: readonly [string, Facts]): string =>
  JSON.stringify([relativePath, kind, identity, ...(kind === "directory" ? [] : [size, times])]);
