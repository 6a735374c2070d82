import { nameIn, parentOf } from "../../../base/paths.ts";
import { type Absent, foundOrNull, isAbsent, resolve } from "../../resolve.ts";
import type { LastLink, SafePath } from "../../storage.ts";
import type { Handle, Jail } from "./jail.ts";

/** An open object and its real path. */
export interface OpenedPath {
  readonly handle: Handle;
  readonly place: SafePath;
}

/** Opens what a path leads to; returns null when nothing is there. The caller closes it. */
export const openPath = (jail: Jail, path: SafePath, last: LastLink): OpenedPath | null =>
  foundOrNull(openPathOrAbsent(jail, path, last), path);

/** Does the same, but says where a missing object would be. */
export function openPathOrAbsent(jail: Jail, path: SafePath, last: LastLink): OpenedPath | Absent {
  const isRoot = jail.steps.roots.includes(path);
  const handle = isRoot ? jail.steps.openRoot(path) : jail.openDirectly(path, last);
  if (handle) return { handle, place: path };
  if (!isRoot && isNameFree(jail, path))
    return { kind: "absent", parent: parentOf(path) as SafePath, names: [nameIn(path)], isLinked: false };
  const found = resolve(jail.steps, path, last);
  return isAbsent(found) ? found : { handle: found.handle, place: found.path };
}

/**
 * Returns true when the parent directory exists without links and has no such name: then there is nothing to resolve.
 */
function isNameFree(jail: Jail, path: SafePath): boolean {
  const name = nameIn(path);
  const above = name === "." || name === ".." ? undefined : jail.openDirectoryDirectly(parentOf(path));
  if (!above) return false;
  try {
    const found = jail.steps.step(above, name, true);
    if (found.kind !== "missing") jail.steps.close(found.handle);
    return found.kind === "missing";
  } finally {
    jail.steps.close(above);
  }
}
