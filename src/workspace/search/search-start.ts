import { Fault } from "../../base/errors.ts";
import { isWithin, pathKey } from "../../base/paths.ts";
import { orSuggestion } from "../did-you-mean.ts";
import type { SearchStart } from "./search.ts";
import type { View } from "../view.ts";

/** Opens the start of a search. The fault for a missing path suggests a similar one. */
export const openSearchStart = (view: View, path: string): Promise<SearchStart> =>
  orSuggestion(view, path, () => openPath(view, path));

/** Opens the path, which asks for an approval where the rules require one, and fails if it does not exist. */
async function openPath(view: View, path: string): Promise<SearchStart> {
  const facts = await view.stat(path, "follow");
  if (!facts || facts.kind === "file")
    return { kind: "file", place: await view.withFile(path, async (file) => file.facts.path) };
  if (facts.kind === "directory")
    return { kind: "directory", place: await view.withDirectory(path, (directory) => directory.facts().path) };
  throw new Fault("special_file", `Cannot search ${JSON.stringify(path)}: it is not a file or directory`, { path });
}

/** Returns the given path, or else every root in the order of paths; leaves out roots that lie inside another root. */
export function searchRootsFor({ roots }: View, path: string | undefined): readonly string[] {
  if (path !== undefined) return [path];
  const all = [...new Set(roots.map(({ real }) => real))];
  const outer = all.filter((root) => !all.some((other) => other !== root && isWithin(root, other)));
  return outer.toSorted((a, b) => Buffer.compare(pathKey(a), pathKey(b)));
}
