import { readlinkSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { errnoOf } from "../../../base/errno.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isWithin } from "../../../base/paths.ts";

/**
 * Returns every path that decides where a path leads: each link on the way and, last, the path at its end, whether
 * something is there or not. The directories of all of them are real.
 */
export function linksOnPath(path: string): readonly string[] {
  const places: string[] = [];
  const rest = namesIn(resolve(path));
  let here = "/";
  for (let name = rest.shift(), hops = 0; name !== undefined; name = rest.shift()) {
    const place = join(here, name);
    const target = name !== ".." && hops < LIMITS.linkHops ? linkAt(place) : undefined;
    if (name === "..") {
      // Replacing the directory that ".." leaves by a link would lead elsewhere; a directory that contains a listed
      // link cannot be replaced.
      if (!places.some((link) => isWithin(link, here))) places.push(here);
      here = dirname(here);
    } else if (target === undefined) here = place;
    else {
      hops++;
      places.push(place);
      if (isAbsolute(target)) here = "/";
      rest.unshift(...namesIn(target));
    }
  }
  return [...places, here];
}

/** Returns the real path, or the one that it will have once it is created: links on the way are followed. */
export const resolvedPath = (path: string): string => linksOnPath(path).at(-1) as string;

/** Returns the type of the object at a path; undefined where nothing is there, or it cannot be read. */
export function kindAt(path: string): "directory" | "other" | undefined {
  try {
    return statSync(path).isDirectory() ? "directory" : "other";
  } catch {
    return undefined;
  }
}

const namesIn = (path: string): string[] => path.split("/").filter((name) => name !== "" && name !== ".");

function linkAt(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}
