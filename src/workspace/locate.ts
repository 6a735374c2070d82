import { archivePathsOf } from "../base/archive-path.ts";
import { hasCode } from "../base/errors.ts";
import type { SafePath, StorageReader } from "../storage/storage.ts";
import { confine, type RootName } from "./confine.ts";

/** Resolves a relative path to the first root in which it exists, or to the first root when it exists in none. */
export async function locatePath(storage: StorageReader, roots: readonly RootName[], path: string): Promise<SafePath> {
  if (MENTION.test(path)) return locateMention(storage, roots, path);
  const places = confine(roots, path);
  return places.length === 1 ? places[0] : firstExisting(storage, places);
}

/** Matches a mention: agents are pointed to files as "@src/main.ts" and use that name. "./@name" is never a mention. */
const MENTION = /^@[^@]/;

/** Prefers a file or directory whose name really begins with "@". */
async function locateMention(storage: StorageReader, roots: readonly RootName[], path: string): Promise<SafePath> {
  const literal = confine(roots, `./${path}`);
  const scopes = confine(roots, `./${path.split("/")[0]}`);
  for (const scope of scopes) if (await mayExist(storage, scope)) return firstExisting(storage, literal);
  return locatePath(storage, roots, path.slice(1));
}

async function firstExisting(storage: StorageReader, places: readonly [SafePath, ...SafePath[]]): Promise<SafePath> {
  for (const place of places) {
    if (await mayExist(storage, place)) return place;
  }
  return (await firstWithArchive(storage, places)) ?? places[0];
}

/** Finds the root that has the archive which a path leads into. */
async function firstWithArchive(storage: StorageReader, places: readonly SafePath[]): Promise<SafePath | undefined> {
  for (const place of places)
    for (const { archive } of archivePathsOf(place)) if (await mayExist(storage, archive as SafePath)) return place;
  return undefined;
}

/** Treats a path that cannot be looked at as existing: a refusal must not turn into a search elsewhere. */
async function mayExist(storage: StorageReader, place: SafePath): Promise<boolean> {
  try {
    return (await storage.stat(place, "keep")) !== null;
  } catch (error) {
    return !hasCode(error, "not_found");
  }
}
