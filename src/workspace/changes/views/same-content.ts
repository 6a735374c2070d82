import { LIMITS } from "../../../base/limits.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import { isContentVersion } from "../../../base/version.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { LeftEntry } from "../../../storage/views.ts";
import type { Snapshot, StorageWriter } from "../../../storage/writer.ts";

/** An entry of a view with what is at its path now. */
export interface Contents {
  readonly path: SafePath;
  readonly now: Snapshot;
  readonly fresh: Snapshot;
  readonly left: LeftEntry;
}

interface Reader {
  readonly writer: Pick<StorageWriter, "contentOf">;
  readonly checkpoint: Checkpoint;
}

/** Checks that a command left a file or link as it was: an overlay copies a file for new permissions or times, too. */
export async function hasSameContent(reader: Reader, { path, now, fresh, left }: Contents): Promise<boolean> {
  if (now.facts.kind !== fresh.facts.kind || fresh.facts.kind === "directory") return false;
  if (isContentVersion(now.version) && isContentVersion(fresh.version)) return now.version === fresh.version;
  return now.facts.size === fresh.facts.size && (await areEqual(reader, path, left, now.facts.size));
}

async function areEqual(
  { writer, checkpoint }: Reader,
  path: SafePath,
  left: LeftEntry,
  size: number,
): Promise<boolean> {
  for (let from = 0; from < size; from += LIMITS.scanBytes) {
    await checkpoint();
    const [ours, theirs] = [path, left.object].map((place) => writer.contentOf(place, from, LIMITS.scanBytes));
    if (!ours || !theirs || Buffer.compare(ours, theirs) !== 0) return false;
  }
  return true;
}
