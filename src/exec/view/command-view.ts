/**
 * A copy-on-write view of roots: a command sees the roots at their own paths, and what it changes is kept in `upper`,
 * on the disk of the root. Nothing reaches the roots before it is applied.
 */
export interface CommandView {
  readonly id: string;
  readonly layers: readonly ViewLayer[];
}

/** One root of a view. */
export interface ViewLayer {
  /** The real path of the root: the lower directory. */
  readonly root: string;
  readonly upper: string;
  readonly work: string;
}
