import { LIMITS } from "../../../base/limits.ts";
import { type Checkpoint, runInSlices } from "../../../base/time-slicing.ts";
import type { Facts, SafePath } from "../../../storage/storage.ts";
import type { Snapshot, StorageWriter } from "../../../storage/writer.ts";
import { type LineStats, unifiedDiff } from "../../../text/diff/diff.ts";
import { diffText } from "../change-diff.ts";
import type { Delta } from "../change.ts";
import { deltaOf } from "../delta.ts";
import { isGitControl, isInGit } from "../git-control.ts";

/** One line of the list that people and models see: what a command did at a path. */
export interface ViewChange {
  readonly path: SafePath;
  readonly action: "created" | "changed" | "merged" | "deleted" | "permissions";
  readonly kind: Facts["kind"];
  /** The size of what is there afterwards, or of what was deleted; of a directory, all files in it. */
  readonly bytes: number;
  /** Counts the files of a whole directory. */
  readonly files?: number | undefined;
  /** The new permissions, where they differ. */
  readonly mode?: number | undefined;
  /** The deleted file that had the same content. */
  readonly from?: SafePath | undefined;
  /** Counts the files in it of which no copy was kept. */
  readonly uncopied?: number | undefined;
  readonly lines?: LineStats | undefined;
  /** A unified diff of a text that was there before, cut after some lines, unless the list holds enough of them. */
  readonly diff?: string | undefined;
  /** Is true when it decides what git runs: such a change needs a yes. */
  readonly isGitControl: boolean;
}

/** Describes how a file changed, for the list and the history. */
export interface Comparison {
  readonly lines?: LineStats | undefined;
  readonly delta?: Delta | undefined;
  readonly diff?: string | undefined;
}

/**
 * Compares contents while a budget of bytes lasts: a command may change thousands of files. Files that git
 * keeps for itself are only counted.
 */
export interface Comparer {
  compare(path: SafePath, before: Uint8Array | null, after: Uint8Array): Promise<Comparison>;
}

export function createComparer(nameOf: (path: SafePath) => string, checkpoint: Checkpoint): Comparer {
  let bytesLeft: number = LIMITS.viewComparedBytes;
  let shownLeft: number = LIMITS.viewDiffBytes;
  return {
    async compare(path, before, after) {
      bytesLeft -= (before?.length ?? 0) + after.length;
      if (bytesLeft < 0) return {};
      const [old, fresh] = [await diffText(before ?? new Uint8Array()), await diffText(after)];
      const delta = before ? deltaOf(before, after) : undefined;
      if (old === null || fresh === null) return { delta };
      const mostBytes = before && isTelling(path) ? shownLeft : 0;
      const options = { path: nameOf(path), kind: before ? "change" : "create", mostBytes } as const;
      const { text, added, removed } = await runInSlices(unifiedDiff(old, fresh, options), checkpoint);
      const diff = mostBytes > 0 ? text : undefined;
      shownLeft = Math.max(0, shownLeft - (diff?.length ?? 0));
      return { lines: { added, removed }, delta, diff };
    },
  };
}

const isTelling = (path: SafePath): boolean => !isInGit(path) || isGitControl(path);

/** Returns the content of a file that is small enough to be compared; null for any other. */
export const comparableContent = (
  writer: StorageWriter,
  { facts }: Snapshot,
  place: Parameters<StorageWriter["contentOf"]>[0],
): Uint8Array | null => (facts.kind === "file" && facts.size <= LIMITS.comparedBytes ? writer.contentOf(place) : null);

/** A created or deleted file whose content is known by its version. */
export interface FileVersion {
  readonly path: SafePath;
  readonly version: string;
  readonly size: number;
}

/** Pairs created files with deleted ones of the same content, for the list only: the overlay knows no renames. */
export function renamesAmong(
  created: readonly FileVersion[],
  deleted: readonly FileVersion[],
): ReadonlyMap<SafePath, SafePath> {
  const byVersion = new Map<string, SafePath[]>();
  for (const { version, path, size } of deleted)
    if (size > 0) byVersion.set(version, [...(byVersion.get(version) ?? []), path]);
  const renames = new Map<SafePath, SafePath>();
  for (const { version, path } of created) {
    const from = byVersion.get(version)?.shift();
    if (from !== undefined) renames.set(path, from);
  }
  return renames;
}
