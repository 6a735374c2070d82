import { lstatSync, realpathSync, statSync } from "node:fs";
import { errnoOf } from "../base/errno.ts";
import type { ConfigPlace } from "./places.ts";

export const isThere = (place: ConfigPlace): boolean => place.isNamed === true || stampAt(place) !== "";

/** Returns nothing for a root that does not exist: it has no file to read either. */
export function realOf(root: string): readonly string[] {
  try {
    return [realpathSync(root)];
  } catch {
    return [];
  }
}

/** Returns a text that changes whenever one of the files does. */
export const stampOf = (places: readonly ConfigPlace[]): string => places.map(stampAt).join(" ");

/** Is empty if the file does not exist. Returns the error code for other errors, which reading reports. */
function stampAt({ file, layer }: ConfigPlace): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = layer === "workspace" ? lstatSync(file) : statSync(file);
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
  } catch (error) {
    const code = errnoOf(error) ?? "";
    return code === "ENOENT" || code === "ENOTDIR" ? "" : code;
  }
}
