import type { Checkpoint } from "../../base/time-slicing.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Version, versionOfBytes } from "../../base/version.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { Effect } from "./change.ts";
import { withDelta } from "./delta.ts";
import type { Journal } from "./journal/journal.ts";
import { changeId } from "./journal/record-schema.ts";
import type { StoredRecord } from "./journal/records.ts";
import type { Prober } from "../prober.ts";

/** Reads the committed changes of this machine, newest first. */
export interface History {
  /** Yields all changes. With a path or a version, it may leave out changes that neither name it nor are undos. */
  records(checkpoint: Checkpoint, naming?: string): AsyncIterable<StoredRecord>;
  read(id: string): StoredRecord | null;
  /** Finds bytes that had this version in the backups, at paths that `admits` accepts. */
  contentOfVersion(
    version: Version,
    checkpoint: Checkpoint,
    admits: (place: SafePath, record: StoredRecord) => boolean,
  ): Promise<Uint8Array | null>;
}

export function createHistory(prober: Prober, journal: Journal): History {
  async function* records(checkpoint: Checkpoint, naming?: string): AsyncGenerator<StoredRecord> {
    for (const record of naming === undefined ? journal.records() : journal.recordsWith(naming)) {
      await checkpoint();
      if (record) yield record;
    }
  }
  return {
    records,
    read: (id) => (changeId.safeParse(id).success ? journal.read(id) : null),
    async contentOfVersion(version, checkpoint, admits) {
      for await (const record of records(checkpoint, version)) {
        for (const effect of record.effects) {
          const hasVersion = [effect.before, effect.after].some((state) => state?.version === version);
          if (!hasVersion || !admits(effect.path, record)) continue;
          const bytes = await backupOf(prober, effect, version);
          if (bytes && versionOfBytes(bytes) === version) return bytes;
          if (bytes && bytes.length > LIMITS.hashedBytes) return bytes;
        }
      }
      return null;
    },
  };
}

/**
 * Returns bytes that may have the version: a backup, the file before an append, or a replacement rebuilt from its
 * delta.
 */
async function backupOf(
  prober: Prober,
  { action, path, before, after, delta }: Effect,
  version: Version,
): Promise<Uint8Array | null> {
  if (before?.version === version && before.object !== undefined) return prober.contentOf(before.object);
  if (before?.version === version && action === "append") {
    // The version of a large file is made of its times: only the same version proves that its start is unchanged.
    const isSure = before.size <= LIMITS.hashedBytes || (await prober.snapshot(path))?.version === after?.version;
    return isSure ? ((await prober.contentOf(path))?.subarray(0, before.size) ?? null) : null;
  }
  if (after?.version !== version || before?.object === undefined || !delta) return null;
  const old = await prober.contentOf(before.object);
  return old && withDelta(old, delta);
}
