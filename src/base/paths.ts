/** Absolute paths with "/" between names. The one place that knows how the top of the disk differs: it ends in "/". */

/** Whether a place is a directory or lies below it, by segments. Everything lies in the empty directory. */
export function isWithin(place: string, directory: string): boolean {
  if (directory === "" || place === directory) return true;
  return place.startsWith(directory) && (directory.endsWith("/") || place[directory.length] === "/");
}

/** The path of an entry of a directory; as safe as the directory's own. */
export const childOf = <Path extends string>(directory: Path, name: string): Path =>
  (directory.endsWith("/") ? `${directory}${name}` : `${directory}/${name}`) as Path;

/** The directory that holds a path's last name. */
export const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));

/** The last name of a path. */
export const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The way to an entry of a directory, from where the way to the directory begins; that is empty at the start itself. */
export const relativeWithSlash = (directory: string, name: string): string =>
  directory === "" ? name : `${directory}/${name}`;

/** What leads from a directory to a path within it; empty for the directory itself. */
export const relativePath = (directory: string, path: string): string =>
  path.slice(directory.endsWith("/") ? directory.length : directory.length + 1);

/** Orders paths name by name, each by its bytes: as a walk meets them that takes the entries of every directory in order. */
export const pathKey = (path: string): Buffer => Buffer.from(path.replaceAll("/", "\0"));
