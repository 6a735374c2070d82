import { Fault } from "../base/errors.ts";
import { innermostRoot } from "./resolve.ts";

/** Returns a function that finds the part that a path belongs to: the one with its innermost root. */
export function createRoute<Part extends { readonly roots: readonly string[] }>(
  parts: readonly Part[],
): (path: string) => Part {
  const partsByRoot = new Map(parts.flatMap((part) => part.roots.map((root) => [root, part] as const)));
  const roots = [...partsByRoot.keys()];
  return (path) => {
    const part = partsByRoot.get(innermostRoot(roots, path)?.root ?? "");
    if (part) return part;
    throw new Fault("outside_workspace", `Cannot use ${JSON.stringify(path)}: it is in none of the roots`, { path });
  };
}
