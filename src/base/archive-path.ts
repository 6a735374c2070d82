import { childOf, parentOf } from "./paths.ts";

/** A path that may lead into an archive: the archive itself, and the names inside it, which are empty for its top. */
export interface ArchivePath {
  readonly archive: string;
  readonly inner: string;
}

/** Quickly tells that a path does not lead into an archive, as nearly none does. */
export const mayBeInArchive = (path: string): boolean => path.includes("!");

/** Splits a path at every name that ends in "!", outermost first. At most a few are looked at. */
export function archivePathsOf(path: string): readonly ArchivePath[] {
  const found: ArchivePath[] = [];
  for (let at = path.indexOf("!"); at >= 0 && found.length < MOST_SPLITS; at = path.indexOf("!", at + 1)) {
    const isEndOfName = at + 1 === path.length || path[at + 1] === "/";
    if (isEndOfName && at > 0 && path[at - 1] !== "/")
      found.push({ archive: path.slice(0, at), inner: path.slice(at + 2) });
  }
  return found;
}

/** Bounds the work for a path with many "!". */
const MOST_SPLITS = 4;

/** Lists the places that a rule about reading a path must accept: the archive, and the name as if it lay beside it. */
export const placesBehind = (path: string): readonly string[] =>
  archivePathsOf(path).flatMap(({ archive, inner }) => [
    archive,
    inner === "" ? parentOf(archive) : childOf(parentOf(archive), inner),
  ]);
