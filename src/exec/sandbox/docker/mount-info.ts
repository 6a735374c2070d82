import { unescapedPath } from "../mountinfo.ts";

/** A mount as the kernel describes it, from inside a container. */
export interface Mount {
  /** The path in the container. */
  readonly target: string;
  /** The disk, as major:minor. */
  readonly device: string;
  /** The directory or file of that disk which is mounted, as a path from the top of the disk. */
  readonly source: string;
  readonly isReadOnly: boolean;
}

/** Parses /proc/self/mountinfo; where mounts cover each other, the last one is seen. */
export function parseMountInfo(text: string): readonly Mount[] {
  const mounts = new Map<string, Mount>();
  for (const line of text.split("\n")) {
    const [, , device, source, target, options] = line.split(" ");
    if (device === undefined || source === undefined || target === undefined || options === undefined) continue;
    const path = unescapedPath(target);
    const isReadOnly = options.split(",").includes("ro");
    mounts.set(path, { target: path, device, source: unescapedPath(source), isReadOnly });
  }
  return [...mounts.values()];
}
