import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { LIMITS } from "../../../base/limits.ts";
import { childOf } from "../../../base/paths.ts";
import { hasProcessExited, OWN_PROCESS } from "../../../base/process-identity.ts";
import { unlessMissing } from "./own-file.ts";

/** Returns the path of the file that this process writes before it renames it over another. */
export const freshFile = (home: string): string => childOf(home, `${FRESH}${OWN_PROCESS}`);

const FRESH = "fresh-";

/** Removes such files of processes that were killed before the rename. */
export function removeStaleFiles(home: string): void {
  for (const name of unlessMissing(() => readdirSync(home)) ?? []) {
    if (!name.startsWith(FRESH)) continue;
    const file = childOf(home, name);
    const ageMs = Date.now() - (lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    const hasExited = hasProcessExited(name.slice(FRESH.length), ageMs > LIMITS.pendingSilentMs);
    if (hasExited) unlessMissing(() => unlinkSync(file));
  }
}
