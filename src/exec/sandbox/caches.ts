import { hash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { childOf } from "../../base/paths.ts";
import type { Bounds } from "./sandbox.ts";

/**
 * Returns directories in which package managers keep what they download, in place of those of the user: what one
 * agent's commands put there is never used by the user, nor by commands for other roots.
 */
export function cachesFor(roots: readonly string[], home: string, directory: string): Bounds["caches"] {
  const own = childOf(directory, hash("sha256", roots.toSorted().join("\0"), "hex").slice(0, 16));
  return CACHES.map((name) => {
    const cache = childOf(own, name.replaceAll("/", "-"));
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    return { path: childOf(home, name), directory: cache };
  });
}

/** Lists the caches of npm, pip and others, and of cargo, by their places in the home of the user. */
const CACHES = [".npm", ".cache", ".cargo/registry"];
