import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { PictureDirectories } from "../../../storage/pictures.ts";
import type { StorageWriter } from "../../../storage/writer.ts";
import type { History } from "../history.ts";
import type { Comparer } from "../views/change-list.ts";
import type { Difference } from "./compare.ts";
import type { CopiedRoot } from "./copies.ts";
import type { RecordedMeanwhile } from "./recorded-since.ts";

/** Holds what planning a record needs. */
export interface RecordContext {
  readonly writer: StorageWriter;
  readonly pictures: PictureDirectories;
  readonly history: Pick<History, "contentOfVersion">;
  readonly meanwhile: RecordedMeanwhile;
  readonly comparer: Comparer;
  readonly checkpoint: Checkpoint;
  /** Begins the names of the backups. */
  readonly tag: string;
}

/** Differences of one root. */
export interface RootDifferences extends CopiedRoot {
  readonly differences: readonly Difference[];
}

/** Holds what planning the record of one root needs. */
export interface Planning extends RecordContext, RootDifferences {
  /** Maps paths below the root to their places among the differences. */
  readonly positions: ReadonlyMap<string, number>;
  /** Returns a name that no other backup of the record has. */
  readonly nextName: () => string;
}

/** Lists the differences below a path, which follow its own. */
export function entriesBelow({ differences, positions }: Planning, path: string): readonly Difference[] {
  const start = (positions.get(path) ?? differences.length) + 1;
  let end = start;
  while (isBelow(differences[end], path)) end++;
  return differences.slice(start, end);
}

const isBelow = (difference: Difference | undefined, path: string): boolean =>
  difference?.path.startsWith(`${path}/`) ?? false;
