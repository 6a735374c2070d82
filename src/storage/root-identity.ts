import * as z from "zod";

/** Identifies a root, so that it is recognised later by another process, with other roots. */
export const rootIdentity = z.lazy(() =>
  z.object({
    path: z.string(),
    /** Names the device of the directory. It may change when the machine is started again. */
    dev: z.string(),
    /** Names its inode. */
    ino: z.string(),
  }),
);

export type RootIdentity = Readonly<z.output<typeof rootIdentity>>;
