import type { Breathe } from "../base/slices.ts";
import type { Version } from "../base/version.ts";
import type { Hands } from "../storage/hands.ts";
import type { ChangeRecord } from "./change.ts";
import type { Journal } from "./journal.ts";

/** What has been changed, newest first. */
export interface History {
  /** Committed changes that are older than `before`, an id; all without it. */
  records(breathe: Breathe, before?: string): AsyncIterable<ChangeRecord>;
  read(id: string): ChangeRecord | null;
  /** The bytes that had this version, if anything kept still has them. */
  recall(version: Version, breathe: Breathe): Promise<Uint8Array | null>;
}

export function createHistory(hands: Hands, journal: Journal): History {
  async function* records(breathe: Breathe, before?: string): AsyncGenerator<ChangeRecord> {
    for (const id of journal.ids().toReversed()) {
      if (before !== undefined && id >= before) continue;
      await breathe();
      const record = journal.read(id);
      if (record) yield record;
    }
  }
  return {
    records,
    read: (id) => (/^[0-9a-z]+$/.test(id) ? journal.read(id) : null),
    async recall(version, breathe) {
      for await (const { effects } of records(breathe)) {
        for (const { before } of effects) {
          if (before?.version !== version || before.object === undefined || before.kind !== "file") continue;
          const bytes = hands.contentOf(before.object);
          if (bytes) return bytes;
        }
      }
      return null;
    },
  };
}
