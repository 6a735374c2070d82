import { Fault } from "../../base/errors.ts";
import { isWithin, pathKey } from "../../base/paths.ts";
import { orSuggestion } from "../did-you-mean.ts";
import type { SearchStart } from "./search.ts";
import type { View } from "../view.ts";

/** Where a search begins, or a fault that names the nearest path there is. */
export const openSearchStart = (view: View, path: string): Promise<SearchStart> =>
  orSuggestion(view, path, () => openPath(view, path));

/** Opens what is named: whoever may do so only with a yes is asked, and what is not there is told. */
async function openPath(view: View, path: string): Promise<SearchStart> {
  const facts = await view.look(path, "follow");
  if (!facts || facts.kind === "file")
    return { kind: "file", place: await view.withFile(path, async (file) => file.facts.path) };
  if (facts.kind === "directory")
    return { kind: "directory", place: await view.withDirectory(path, (directory) => directory.facts().path) };
  throw new Fault("special_file", `Cannot search ${JSON.stringify(path)}: it is no file or directory`, { path });
}

/** Without a path, every root is meant, in the order of their paths; one inside another only once. */
export function searchRootsFor({ roots }: View, path: string | undefined): readonly string[] {
  if (path !== undefined) return [path];
  const all = [...new Set(roots.map(({ real }) => real))];
  const outer = all.filter((root) => !all.some((other) => other !== root && isWithin(root, other)));
  return outer.toSorted((a, b) => Buffer.compare(pathKey(a), pathKey(b)));
}
