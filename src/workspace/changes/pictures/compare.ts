import {
  createPictureCursor,
  type PictureBytes,
  type PictureCursor,
  type PictureEntry,
} from "../../../storage/picture-entries.ts";

/** An entry that differs between two pictures of a root: null where there was, or is, none. */
export interface Difference {
  /** The path below the root. */
  readonly path: string;
  readonly before: PictureEntry | null;
  readonly after: PictureEntry | null;
}

/** Compares two pictures. Lists a directory before its entries, also where it came or went as a whole. */
export function comparePictures(before: PictureBytes, after: PictureBytes): readonly Difference[] {
  const differences: Difference[] = [];
  compareLevel([createPictureCursor(before), createPictureCursor(after)], 0, "", differences);
  return differences;
}

type Both = readonly [before: PictureCursor, after: PictureCursor];

/** Merges the entries of one directory, which are sorted by name, and of those below. */
function compareLevel(both: Both, depth: number, above: string, found: Difference[]): void {
  const [before, after] = both;
  for (;;) {
    const [was, is] = [before.depth() === depth, after.depth() === depth];
    if (!was && !is) return;
    const [old, fresh] = [was ? before.name() : undefined, is ? after.name() : undefined];
    if (old === fresh) compareEntry(both, depth, above + fresh, found);
    else if (fresh === undefined || (old !== undefined && old < fresh))
      takeTree(before, depth, above, (entry) => found.push({ path: entry.path, before: entry, after: null }));
    else takeTree(after, depth, above, (entry) => found.push({ path: entry.path, before: null, after: entry }));
  }
}

function compareEntry([before, after]: Both, depth: number, path: string, found: Difference[]): void {
  const isSame = before.isSameAs(after);
  const areDirectories = before.isDirectory() && after.isDirectory();
  const isUnknown = before.isClosed() || after.isClosed();
  if (!isSame) found.push({ path, before: before.entry(path), after: after.entry(path) });
  before.next();
  after.next();
  const below = `${path}/`;
  if (areDirectories && !isUnknown) return compareLevel([before, after], depth + 1, below, found);
  // Where one of them could not be entered, nothing is known about what is in it.
  while (before.depth() > depth)
    takeTree(
      before,
      depth + 1,
      below,
      (entry) => isUnknown || found.push({ path: entry.path, before: entry, after: null }),
    );
  while (after.depth() > depth)
    takeTree(
      after,
      depth + 1,
      below,
      (entry) => isUnknown || found.push({ path: entry.path, before: null, after: entry }),
    );
}

/** Takes an entry with everything below it. */
function takeTree(cursor: PictureCursor, depth: number, above: string, take: (entry: PictureEntry) => void): void {
  const path = above + cursor.name();
  take(cursor.entry(path));
  cursor.next();
  while (cursor.depth() > depth) takeTree(cursor, depth + 1, `${path}/`, take);
}
