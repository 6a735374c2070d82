import { isWithin, relativePath } from "../../../base/paths.ts";

/** Returns a path as a session with these roots knows it: relative while it has one root. */
export function nameWithin(roots: readonly string[], path: string): string {
  const [root, ...others] = roots;
  if (root === undefined || others.length > 0 || !isWithin(path, root)) return path;
  return relativePath(root, path) || ".";
}
