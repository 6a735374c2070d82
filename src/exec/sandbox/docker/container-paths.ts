import { Fault } from "../../../base/errors.ts";
import { childOf, isWithin, relativePath } from "../../../base/paths.ts";

/** Says at which path a container shows a directory of this machine. */
export interface SharedDirectory {
  /** The real path on this machine. */
  readonly host: string;
  readonly container: string;
}

/**
 * Returns the path in the container of a path on this machine, by the innermost directory that is shared; null where
 * none holds it. A path with ".." may leave it, and a link before ".." cannot be seen here.
 */
export function toContainerPath(shared: readonly SharedDirectory[], path: string): string | null {
  if (path.split("/").includes(".."))
    throw new Fault("invalid_input", `Cannot translate ${JSON.stringify(path)}: it holds ".."`, { path });
  const around = shared.filter(({ host }) => isWithin(path, host));
  const [first, ...others] = around;
  if (!first) return null;
  const { host, container } = others.reduce((best, next) => (next.host.length > best.host.length ? next : best), first);
  const below = relativePath(host, path);
  return below === "" ? container : childOf(container, below);
}
