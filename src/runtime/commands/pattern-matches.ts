import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { View } from "../../workspace/view.ts";

/**
 * Lists the paths that a shell pattern may match now: those that bash would find, and perhaps more, since quotes in it
 * are gone. Returns undefined where they cannot be listed, or are too many.
 */
export async function matchesOf(
  directory: string,
  pattern: string,
  view: View,
): Promise<readonly string[] | undefined> {
  let paths: readonly string[] = [pattern.startsWith("/") ? "/" : directory];
  for (const name of pattern.split("/").filter((part) => part !== "")) {
    const next = await Promise.all(paths.map((path) => matchesIn(path, name, view)));
    if (next.includes(undefined)) return undefined;
    paths = next.flatMap((found) => found ?? []);
    if (paths.length > LIMITS.patternMatches) return undefined;
  }
  return paths;
}

async function matchesIn(directory: string, name: string, view: View): Promise<readonly string[] | undefined> {
  if (!/[*?[]/.test(name)) return [childOf(directory, name)];
  try {
    const entries = await view.withDirectory(directory, (open) => open.entries());
    return entries.flatMap((entry) => (mayMatch(name, entry.name) ? [childOf(directory, entry.name)] : []));
  } catch (error) {
    if (isFault(error)) return error.code === "not_a_directory" || error.code === "not_found" ? [] : undefined;
    throw error;
  }
}

/**
 * Matches at least what bash does, in linear time: every wildcard, also a bracket, stands for any characters. A leading
 * dot is matched only by itself.
 */
function mayMatch(pattern: string, name: string): boolean {
  if (name.startsWith(".") && /^[*?[]/.test(pattern)) return false;
  const [first = "", ...pieces] = pattern.split(/\*+|\?|\[[^\]]*\]/);
  const last = pieces.pop() ?? "";
  let at = first.length;
  for (const piece of pieces) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return name.startsWith(first) && name.endsWith(last) && at + last.length <= name.length;
}
