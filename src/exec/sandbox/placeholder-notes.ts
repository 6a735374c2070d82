import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../base/errno.ts";
import { hasProcessExited, OWN_PROCESS } from "../../base/process-identity.ts";

/**
 * Notes the placeholders of this process in a file of its own, before they are made: if it is killed, or a detached
 * command outlives it, a later process finds and removes them.
 */
export function notePlaceholders(directory: string, paths: readonly string[]): void {
  const file = join(directory, OWN_PROCESS);
  if (paths.length === 0) return rmSync(file, { force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  replaceNote(directory, OWN_PROCESS, paths);
}

/** Replaces a note as a whole. Only this process uses the temporary name, which says whose it is as the others do. */
function replaceNote(directory: string, name: string, paths: readonly string[]): void {
  const fresh = join(directory, `${OWN_PROCESS}.new`);
  writeFileSync(fresh, JSON.stringify(paths), { mode: 0o600 });
  renameSync(fresh, join(directory, name));
}

/** Lists the placeholders of all processes of the user. */
export const notedPlaceholders = (directory: string): readonly string[] =>
  notesIn(directory).flatMap((name) => pathsIn(join(directory, name)));

/** Gives the placeholders of processes that have exited to `remove`, which returns those that have to stay. */
export function sweepPlaceholders(directory: string, remove: (paths: readonly string[]) => readonly string[]): void {
  for (const name of notesIn(directory)) {
    if (!hasProcessExited(name, false)) continue;
    const file = join(directory, name);
    const left = remove(pathsIn(file));
    if (left.length === 0) rmSync(file, { force: true });
    else replaceNote(directory, name, left);
  }
}

function notesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Returns nothing for a note that is gone, or for a new one that a killed process did not finish. */
function pathsIn(file: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as readonly string[];
  } catch (error) {
    if (error instanceof SyntaxError || errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}
