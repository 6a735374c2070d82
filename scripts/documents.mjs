import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";

/** Returns every Markdown document of ours, as sorted paths relative to root. */
export function documents(root) {
  const named = (folder, options) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder), options).map((name) => join(folder, name)) : [];
  return [
    ...named("."),
    ...["docs", "bench", "examples", "src", "scripts"].flatMap((folder) => named(folder, { recursive: true })),
  ]
    .filter((path) => path.endsWith(".md"))
    .map((path) => path.split(sep).join("/"))
    .toSorted();
}
