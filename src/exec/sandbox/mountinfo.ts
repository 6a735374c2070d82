import { readFileSync } from "node:fs";
import { isWithin } from "../../base/paths.ts";

/** A mount as the kernel lists it, on this machine or inside a container. */
export interface ListedMount {
  readonly path: string;
  /** The disk, as major:minor. */
  readonly device: string;
  /** The directory or file of that disk which is mounted, as a path from the top of the disk. */
  readonly source: string;
  readonly options: readonly string[];
}

/** Lists the mounts that this process sees. */
export const ownMounts = (): readonly ListedMount[] => parseMountInfo(readFileSync("/proc/self/mountinfo", "utf8"));

/** Parses /proc/self/mountinfo. Lists mounts in the order in which they were made. */
export const parseMountInfo = (text: string): readonly ListedMount[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, , device = "", source = "", path = "", options = ""] = line.split(" ");
      return { path: unescapedPath(path), device, source: unescapedPath(source), options: options.split(",") };
    });

/** Returns the mount that a path is on; where mounts cover each other, the last one is seen. */
export const mountOf = (path: string, mounts: readonly ListedMount[]): ListedMount | undefined =>
  mounts.reduce<ListedMount | undefined>(
    (closest, mount) =>
      isWithin(path, mount.path) && mount.path.length >= (closest?.path.length ?? 0) ? mount : closest,
    undefined,
  );

export const isReadOnly = ({ options }: ListedMount): boolean => options.includes("ro");

/** Escapes a path as the tables of the kernel and of mount do. */
export const escapedPath = (path: string): string =>
  path.replaceAll(/[ \t\n\\#]/g, (each) => `\\${each.charCodeAt(0).toString(8).padStart(3, "0")}`);

/** Reverses it. */
const unescapedPath = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
