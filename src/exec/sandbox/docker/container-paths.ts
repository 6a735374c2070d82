import { Fault } from "../../../base/errors.ts";
import { childOf, isWithin, relativePath } from "../../../base/paths.ts";

/** Says at which path a container shows a directory of this machine. */
export interface SharedDirectory {
  /** The real path on this machine. */
  readonly host: string;
  readonly container: string;
}

/** Returns the path in the container of a path on this machine; null where no directory is shared that holds it. */
export const toContainerPath = (shared: readonly SharedDirectory[], path: string): string | null =>
  translate(shared, path, "host", "container");

/** Returns the path on this machine of a path in the container; null for the container's own files. */
export const toHostPath = (shared: readonly SharedDirectory[], path: string): string | null =>
  translate(shared, path, "container", "host");

/** Translates by the innermost directory. A path with ".." may leave it, and a link before ".." cannot be seen here. */
function translate(
  shared: readonly SharedDirectory[],
  path: string,
  from: keyof SharedDirectory,
  to: keyof SharedDirectory,
): string | null {
  if (path.split("/").includes(".."))
    throw new Fault("invalid_input", `Cannot translate ${JSON.stringify(path)}: it holds ".."`, { path });
  const around = shared.filter((directory) => isWithin(path, directory[from]));
  const [first, ...others] = around;
  if (!first) return null;
  const innermost = others.reduce((best, next) => (next[from].length > best[from].length ? next : best), first);
  const below = relativePath(innermost[from], path);
  return below === "" ? innermost[to] : childOf(innermost[to], below);
}
