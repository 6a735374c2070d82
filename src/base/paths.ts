/**
 * Handles absolute paths with "/" between names. Only this file knows that the top of the disk differs: it ends in "/".
 */

/** Returns true when a path is a directory or lies below it, by segments. Everything lies in the empty directory. */
export function isWithin(place: string, directory: string): boolean {
  if (directory === "" || place === directory) return true;
  if (directory === "/") return place.startsWith("/") && !isInNamedStorage(place);
  return place.startsWith(directory) && (directory.endsWith("/") || place[directory.length] === "/");
}

/** Returns true for a path in a storage with a name, "//name/…", which no real path on a disk looks like. */
export const isInNamedStorage = (path: string): boolean => path.startsWith("//");

/** Recognises a root that is the URL of a storage and not a directory, such as "memory://scratch". */
export const isStorageUrl = (root: string): boolean => STORAGE_URL.test(root);

const STORAGE_URL = /^[a-z][a-z0-9+.-]*:\/\//;

/** Returns the path of an entry of a directory; it is as safe as the directory's own. */
export const childOf = <Path extends string>(directory: Path, name: string): Path =>
  (directory.endsWith("/") ? `${directory}${name}` : `${directory}/${name}`) as Path;

/** Returns the directory that holds a path's last name. */
export const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));

export const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Joins a relative directory path and a name; the directory is empty at the start itself. */
export const relativeWithSlash = (directory: string, name: string): string =>
  directory === "" ? name : `${directory}/${name}`;

/** Returns the path relative to a directory that contains it; empty for the directory itself. */
export const relativePath = (directory: string, path: string): string =>
  path.slice(directory.endsWith("/") ? directory.length : directory.length + 1);

/**
 * Returns a sort key that orders paths name by name, each by its bytes: the order of a walk through sorted directories.
 */
export const pathKey = (path: string): Buffer => Buffer.from(path.replaceAll("/", "\0"));
