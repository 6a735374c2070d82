/** Says what a job changed on the files themselves since the last report. */
export interface PictureReport {
  readonly changeId?: string | undefined;
  readonly changes: readonly string[];
  readonly notes: readonly string[];
}

/** Remembers the last comparison of the files with the picture of a job. */
export interface LastComparison {
  readonly endedMs: number;
  readonly tookMs: number;
  /** Lists the placeholders that its sandbox made in the roots: they are no changes of the job. */
  readonly placeholders: ReadonlySet<string>;
  /** Holds what was recorded and not reported yet: the end of a job is recorded at once, even if nobody polls. */
  readonly unreported?: PictureReport | undefined;
}
