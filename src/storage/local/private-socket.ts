import { lstatSync, realpathSync, type Stats } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { parentOf } from "../../base/paths.ts";

/**
 * Identifies the socket at a path. Throws an error in plain words where it is none, where another user could answer in
 * its place, or where others may connect to it.
 */
export function identifyPrivateSocket(path: string): string {
  const stats = statsOf(path);
  if (!stats.isSocket()) throw new Error(stats.isSymbolicLink() ? "it is a link" : "it is no socket");
  if (!isOwn(stats)) throw new Error("the socket belongs to another user");
  if (stats.mode & OTHERS) throw new Error("others may use the socket; set its mode to 600");
  requirePrivate(parentOf(path));
  return `${stats.dev} ${stats.ino}`;
}

function statsOf(path: string): Stats {
  try {
    return lstatSync(path);
  } catch (error) {
    throw new Error(errnoOf(error) === "ENOENT" ? "there is no socket" : `it cannot be checked (${errnoOf(error)})`, {
      cause: error,
    });
  }
}

/** Throws unless the directory is the user's alone, and nobody else can put another one in its place. */
function requirePrivate(directory: string): void {
  if (realpathSync.native(directory) !== directory) throw new Error("a link leads to its directory");
  const stats = statsOf(directory);
  if (!isOwn(stats) || stats.mode & OTHERS) throw new Error("its directory is open to others; set its mode to 700");
  for (let above = parentOf(directory); above !== "/"; above = parentOf(above))
    if (isReplaceable(statsOf(above))) throw new Error("others can replace a directory above it");
}

const isOwn = ({ uid }: Stats): boolean => uid === process.getuid?.();

/** In a sticky directory, such as /tmp, nobody can rename what belongs to somebody else. */
const isReplaceable = (stats: Stats): boolean =>
  !(isOwn(stats) || stats.uid === ROOT) || ((stats.mode & WRITE_BY_OTHERS) !== 0 && (stats.mode & STICKY) === 0);

const ROOT = 0;
const OTHERS = 0o077;
const WRITE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
