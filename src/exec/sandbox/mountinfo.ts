import { readFileSync } from "node:fs";
import { isWithin } from "../../base/paths.ts";

/** A mount of this machine, as our own process sees it. */
export interface MountedPlace {
  readonly path: string;
  /** Flags that a copy of it must keep: in a user namespace the kernel does not let them go. */
  readonly flags: readonly string[];
}

/** Lists the mounts of this process, in the order in which they were made. */
export function mountedPlaces(): readonly MountedPlace[] {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const [, , , , path = "", options = ""] = line.split(" ");
    return { path: unescapedPath(path), flags: options.split(",").filter((flag) => KEPT.has(flag)) };
  });
}

const KEPT = new Set(["nosuid", "nodev", "noexec", "noatime", "nodiratime", "relatime"]);

/** Returns the mount that a path is on. */
export const placeOf = (path: string, places: readonly MountedPlace[]): MountedPlace | undefined =>
  places.reduce<MountedPlace | undefined>(
    (closest, place) =>
      isWithin(path, place.path) && place.path.length >= (closest?.path.length ?? 0) ? place : closest,
    undefined,
  );

/** Escapes a path as the tables of the kernel and of mount do. */
export const escapedPath = (path: string): string =>
  path.replaceAll(/[ \t\n\\#]/g, (each) => `\\${each.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** Reverses it. */
export const unescapedPath = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
