import { nameIn, parentOf } from "../../../base/paths.ts";
import { type Absent, foundOrNull, isAbsent, resolve } from "../../resolve.ts";
import type { LastLink, SafePath } from "../../storage.ts";
import type { Handle, Jail } from "./jail.ts";

/** Something that is held, and where it is. */
export interface Reached {
  readonly held: Handle;
  readonly place: SafePath;
}

/** Holds what a path leads to, and tells where that is; null when nothing is there. The caller lets go. */
export const reach = (jail: Jail, path: SafePath, last: LastLink): Reached | null =>
  foundOrNull(reachOrAbsent(jail, path, last), path);

/** The same, but tells of what is not there where it would be. */
export function reachOrAbsent(jail: Jail, path: SafePath, last: LastLink): Reached | Absent {
  const isRoot = jail.steps.roots.includes(path);
  const held = isRoot ? jail.steps.openRoot(path) : jail.direct(path, last);
  if (held) return { held, place: path };
  if (!isRoot && isNameFree(jail, path))
    return { kind: "absent", above: parentOf(path) as SafePath, names: [nameIn(path)], isLinked: false };
  const met = resolve(jail.steps, path, last);
  return isAbsent(met) ? met : { held: met.handle, place: met.path };
}

/** Nothing has this name in the directory that it names: then there is nothing to walk to. */
function isNameFree(jail: Jail, path: SafePath): boolean {
  const name = nameIn(path);
  const above = name === "." || name === ".." ? undefined : jail.direct(parentOf(path), "keep");
  if (!above) return false;
  try {
    const met = jail.stats(above).isDirectory() ? jail.steps.step(above, name, true) : undefined;
    if (met && met.kind !== "missing") jail.steps.close(met.handle);
    return met?.kind === "missing";
  } finally {
    jail.steps.close(above);
  }
}
