import { lstatSync, realpathSync, statSync } from "node:fs";
import { errnoOf } from "../base/errno.ts";
import type { ConfigPlace } from "./places.ts";

export const existsAt = (place: ConfigPlace): boolean => place.isNamed === true || stampAt(place) !== "";

/** Returns the real path of a root as a list of one; empty if the root does not exist. */
export function realPathsOf(root: string): readonly string[] {
  try {
    return [realpathSync(root)];
  } catch {
    return [];
  }
}

/** Returns a text that changes whenever one of the files does: inodes, sizes and times. */
export const stampOf = (places: readonly ConfigPlace[]): string => places.map(stampAt).join(" ");

/** Returns "" if the file does not exist, and the code of any other error, which reading will report. */
function stampAt({ file, layer }: ConfigPlace): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = layer === "workspace" ? lstatSync(file) : statSync(file);
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch (error) {
    const code = errnoOf(error) ?? "";
    return code === "ENOENT" || code === "ENOTDIR" ? "" : code;
  }
}
