/** Identifies a root, so that it is recognised later by another process, with other roots. */
export interface RootIdentity {
  readonly path: string;
  /** Names the device and the inode of the directory. The first may change when the machine is started again. */
  readonly dev: string;
  readonly ino: string;
}
