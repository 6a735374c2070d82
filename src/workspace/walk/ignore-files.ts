import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import { innermostRoot } from "../../storage/resolve.ts";
import type { Entry, SafePath } from "../../storage/storage.ts";
import { createIgnoreRules, type IgnoreRules } from "../../text/glob/ignore.ts";
import { IGNORE_FILES, ignoreFilesAmong } from "./ignore-file-names.ts";
import type { View } from "../view.ts";

/** Adds the rules of a directory's own ignore files. `relativePath` is relative to the start of the walk. */
export function rulesWithin(
  view: View,
  rules: IgnoreRules,
  directory: SafePath,
  relativePath: string,
  entries: readonly Entry[],
): IgnoreRules | Promise<IgnoreRules> {
  const files = ignoreFilesAmong(entries);
  return files.length > 0 ? rulesOfFiles(view, rules, directory, relativePath, files) : rules;
}

async function rulesOfFiles(
  view: View,
  rules: IgnoreRules,
  directory: SafePath,
  relativePath: string,
  files: readonly string[],
): Promise<IgnoreRules> {
  let now = rules;
  for (const name of IGNORE_FILES) {
    if (files.includes(name)) now = now.within(relativePath, await textOf(view, childOf(directory, name)));
  }
  return now;
}

/** Adds the rules of the directories above the start, unless these ignore the start itself, which the caller named. */
export async function rulesFromAbove(view: View, rules: IgnoreRules, start: SafePath): Promise<IgnoreRules> {
  const { root, segments } = innermostRoot(
    view.roots.map(({ real }) => real),
    start,
  ) ?? { root: start, segments: [] };
  let above = createIgnoreRules([], false);
  let now = rules;
  let directory = root;
  for (const [depth, name] of segments.entries()) {
    await view.checkpoint();
    for (const file of IGNORE_FILES) {
      const text = await textOf(view, childOf(directory, file));
      if (text === "") continue;
      above = above.within(segments.slice(0, depth).join("/"), text);
      now = now.below(segments.slice(depth).join("/"), text);
    }
    directory = childOf(directory, name);
  }
  const isIgnored = segments.some((_, depth) => above.ignores(segments.slice(0, depth + 1).join("/"), true));
  return isIgnored ? rules : now;
}

/** Returns the text of an ignore file; one that cannot be read counts as empty. */
async function textOf(view: View, path: string): Promise<string> {
  try {
    return await view.withFile(path, async (file) => {
      const bytes = Buffer.alloc(Math.min(file.facts.size, LIMITS.ignoreFileBytes));
      return bytes.toString("utf8", 0, await file.read(bytes, 0));
    });
  } catch (error) {
    if (isFault(error) && error.code !== "cancelled") return "";
    throw error;
  }
}
