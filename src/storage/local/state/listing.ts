import { readdirSync, statSync } from "node:fs";
import { LIMITS } from "../../../base/limits.ts";
import { unlessMissing } from "./own-file.ts";
import { isOlderThanClockTick } from "../clock-granularity.ts";

/**
 * A directory that has not changed since it was listed need not be listed again: asked before every change, it nearly always
 * has not. Its times tell once they are so old that whatever comes next gets others.
 */
export function createLister(pathOf: (folder: string) => string): (folder: string) => readonly string[] {
  const known = new Map<string, { readonly state: string; readonly files: readonly string[] }>();
  return function list(folder) {
    const directory = pathOf(folder);
    const stats = statSync(directory, { bigint: true, throwIfNoEntry: false });
    if (!stats) return [];
    const state = `${stats.dev}:${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`;
    const before = known.get(folder);
    if (before?.state === state) return before.files;
    const isKnowable = isOlderThanClockTick(stats.ctimeNs);
    const files = unlessMissing(() => filesIn(directory)) ?? [];
    if (isKnowable && files.length <= LIMITS.listedFiles) known.set(folder, { state, files });
    return files;
  };
}

/** What is no file was not put there by us, and cannot be read. */
const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
