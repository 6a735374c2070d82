import type { Breathe } from "../../base/time-slicing.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Version, versionOfBytes } from "../../base/version.ts";
import type { Hands } from "../../storage/writer.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { ChangeRecord, Effect } from "./change.ts";
import { withDelta } from "./delta.ts";
import type { Journal } from "./journal/journal.ts";
import { isChangeId } from "./journal/record-schema.ts";

/** What has been changed, newest first. */
export interface History {
  /** Committed changes that are older than `before`, an id; all without it. */
  records(breathe: Breathe, before?: string): AsyncIterable<ChangeRecord>;
  read(id: string): ChangeRecord | null;
  /** The bytes that had this version, if anything kept still has them, at a place that is admitted. */
  recall(version: Version, breathe: Breathe, admits: (place: SafePath) => boolean): Promise<Uint8Array | null>;
}

export function createHistory(hands: Hands, journal: Journal): History {
  async function* records(breathe: Breathe, before?: string): AsyncGenerator<ChangeRecord> {
    for (const record of journal.records(before)) {
      await breathe();
      yield record;
    }
  }
  return {
    records,
    read: (id) => (isChangeId(id) ? journal.read(id) : null),
    async recall(version, breathe, admits) {
      for await (const { effects } of records(breathe)) {
        for (const effect of effects) {
          const isAsked = [effect.before, effect.after].some((image) => image?.version === version);
          if (!isAsked || !admits(effect.path)) continue;
          const bytes = candidate(hands, effect, version);
          if (bytes && versionOfBytes(bytes) === version) return bytes;
          if (bytes && bytes.length > LIMITS.hashedBytes) return bytes;
        }
      }
      return null;
    },
  };
}

/** What may have had a version: kept before it was replaced, what an append went on from, or a replacement rebuilt. */
function candidate(hands: Hands, { action, path, before, after, delta }: Effect, version: Version): Uint8Array | null {
  if (before?.version === version && before.object !== undefined) return hands.contentOf(before.object);
  if (before?.version === version && action === "append") {
    // Of a large file nothing but its version tells whether its start is still the same.
    const isSure = before.size <= LIMITS.hashedBytes || hands.see(path)?.version === after?.version;
    return isSure ? (hands.contentOf(path)?.subarray(0, before.size) ?? null) : null;
  }
  if (after?.version !== version || before?.object === undefined || !delta) return null;
  const old = hands.contentOf(before.object);
  return old && withDelta(old, delta);
}
