import { nameIn, parentOf } from "../../base/paths.ts";
import { resolve } from "../resolve.ts";
import type { LastLink, SafePath } from "../storage.ts";
import type { Held, Jail } from "./jail.ts";

/** Holds what a path leads to, and tells where that is; null when nothing is there. The caller lets go. */
export function reach(jail: Jail, path: SafePath, last: LastLink): { held: Held; place: SafePath } | null {
  const isRoot = jail.steps.roots.includes(path);
  const held = isRoot ? jail.steps.openRoot(path) : jail.direct(path, last);
  if (held) return { held, place: path };
  if (!isRoot && isAbsent(jail, path)) return null;
  const found = resolve(jail.steps, path, last);
  return found && { held: found.handle, place: found.path };
}

/** Nothing has this name in the directory that it names: then there is nothing to walk to. */
function isAbsent(jail: Jail, path: SafePath): boolean {
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
