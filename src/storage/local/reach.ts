import { resolve } from "../resolve.ts";
import type { LastLink, SafePath } from "../storage.ts";
import type { Held, Jail } from "./jail.ts";

/** Holds what a path leads to, and tells where that is; null when nothing is there. The caller lets go. */
export function reach(jail: Jail, path: SafePath, last: LastLink): { held: Held; place: SafePath } | null {
  const isRoot = jail.steps.roots.includes(path);
  const held = isRoot ? jail.steps.openRoot(path) : jail.direct(path, last);
  if (held) return { held, place: path };
  const found = resolve(jail.steps, path, last);
  return found && { held: found.handle, place: found.path };
}
