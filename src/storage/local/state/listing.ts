import { readdirSync, statSync } from "node:fs";
import { LIMITS } from "../../../base/limits.ts";
import { unlessMissing } from "./own-file.ts";
import { isOlderThanClockTick } from "../clock-granularity.ts";

/**
 * Caches the listing of a directory until it changes, because a list is requested before every change and is nearly
 * always the same. The times of the directory prove that once they are older than a tick of the clock.
 */
export function createLister(pathOf: (folder: string) => string): (folder: string) => readonly string[] {
  const cache = new Map<string, { readonly state: string; readonly files: readonly string[] }>();
  return function list(folder) {
    const directory = pathOf(folder);
    const stats = statSync(directory, { bigint: true, throwIfNoEntry: false });
    if (!stats) return [];
    const state = `${stats.dev}:${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`;
    const cached = cache.get(folder);
    if (cached?.state === state) return cached.files;
    const isCacheable = isOlderThanClockTick(stats.ctimeNs);
    const files = unlessMissing(() => filesIn(directory)) ?? [];
    if (isCacheable && files.length <= LIMITS.listedFiles) cache.set(folder, { state, files });
    return files;
  };
}

/** Lists files only: anything else was not put there by us, and cannot be read. */
const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
