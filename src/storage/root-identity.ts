import * as z from "zod";
import { innermostRoot } from "./resolve.ts";

/** Identifies a root, so that it is recognised later by another process, with other roots. */
export const rootIdentity = z.lazy(() =>
  z.object({
    path: z.string(),
    /** Names the device of the directory. It may change when the machine is started again. */
    dev: z.string(),
    /** Names its inode; empty for a storage that is not a directory of this machine. */
    ino: z.string(),
    /** Identifies the start of the machine that the number of the device belongs to. */
    boot: z.string().optional(),
  }),
);

export type RootIdentity = Readonly<z.output<typeof rootIdentity>>;

/**
 * Returns whether a root is still the directory that it was. The number of a device holds until the machine starts
 * again; containers that share our state may have other directories at the same path.
 */
export const isSameRoot = (was: RootIdentity, now: RootIdentity | undefined): boolean =>
  now?.ino === was.ino && (now.boot !== was.boot || now.dev === was.dev);

/** Returns the innermost of the roots that a place lies in. */
export function rootAround(roots: readonly RootIdentity[], place: string): RootIdentity | undefined {
  const around = innermostRoot(
    roots.map(({ path }) => path),
    place,
  );
  return around && roots.find(({ path }) => path === around.root);
}
