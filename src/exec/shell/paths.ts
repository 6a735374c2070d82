/** Returns a path that is relative to a directory, without resolving `..`: a link may stand before it. */
export const joined = (directory: string, path: string): string =>
  directory === "" || path.startsWith("/") ? path : `${directory === "/" ? "" : directory}/${path}`;

/**
 * Returns the directory after `cd` as bash keeps it, or undefined where that depends on what is on the disk: bash
 * removes `..` from the text and, if there is no such directory, asks the kernel, which follows links first.
 */
export function afterCd(directory: string, path: string): string | undefined {
  if (path === "" || path === "-") return undefined;
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (path.startsWith("/")) return parts.includes("..") ? undefined : `/${parts.join("/")}`;
  const up = parts.findIndex((part) => part !== "..");
  const names = up === -1 ? [] : parts.slice(up);
  if (names.includes("..")) return undefined;
  if (names.length > 0 && names.length < parts.length && directory !== "") return undefined;
  return climbed(directory, parts.length - names.length, names);
}

function climbed(directory: string, levels: number, names: readonly string[]): string {
  const isAbsolute = directory.startsWith("/");
  const parts = directory.split("/").filter((part) => part !== "");
  for (let level = 0; level < levels; level++) {
    if (isAbsolute || (parts.length > 0 && parts.at(-1) !== "..")) parts.pop();
    else parts.push("..");
  }
  return (isAbsolute ? "/" : "") + [...parts, ...names].join("/");
}
