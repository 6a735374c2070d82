import { createHash } from "node:crypto";
import { LIMITS } from "../../../base/limits.ts";
import { getRange } from "../../../storage/objects/get-range.ts";
import type { Key, ObjectFacts, ObjectStore } from "../../../storage/objects/object-store.ts";
import type { PendingSet, Put } from "./pending-puts.ts";

/** Saves the backup of an object that cannot be put back, because somebody else has written to its key. */
type RescueBackup = (backup: Key, key: Key) => Promise<void>;

/**
 * Undoes what was made of a change set, the last put first. An object that somebody has written since stays: the last
 * writer wins, and what was there before goes to the trash. `mayHaveMade` counts the puts that may have been made: the
 * journal does not know those that had no answer yet.
 */
export async function putBack(
  objects: ObjectStore,
  set: PendingSet,
  mayHaveMade: number,
  rescue: RescueBackup,
): Promise<void> {
  for (let nth = Math.min(mayHaveMade, set.plan.puts.length) - 1; nth >= 0; nth--) {
    if (set.undone.has(nth)) continue;
    await putBackOne(objects, set.plan.puts[nth] as Put, set.made.get(nth), rescue);
    set.log({ undone: nth });
  }
}

async function putBackOne(
  objects: ObjectStore,
  put: Put,
  tag: string | null | undefined,
  rescue: RescueBackup,
): Promise<void> {
  const now = await objects.head(put.key);
  const found = now?.tag ?? null;
  if (found === put.was) return tag === undefined ? refuseLate(objects, put, now, rescue) : undefined;
  const isOurs = tag === undefined ? await hasNewContent(objects, put, now) : found === tag;
  if (isOurs && (await tryReverse(objects, put, now))) return;
  // The content is there when it was put back by somebody who was killed before it was noted.
  if (put.backup === undefined || isMark(put.key) || (await isCopyOf(objects, now, put.backup))) return;
  await rescue(put.backup, put.key);
}

/**
 * Refuses a put that has no answer and may still be on its way: the same content gets another tag, where the store
 * gives one to every write. Where nothing was, a late put creates an object, and nothing is lost.
 */
async function refuseLate(
  objects: ObjectStore,
  put: Put,
  now: ObjectFacts | null,
  rescue: RescueBackup,
): Promise<void> {
  if (!now || put.backup === undefined || isMark(put.key)) return;
  if (await objects.put(put.key, { copyOf: put.backup }, { match: now.tag })) return;
  const later = await objects.head(put.key);
  if (later?.tag !== now.tag) await putBackOne(objects, put, undefined, rescue);
}

/** Checks for the mark of a directory, which has no content that could be lost. */
const isMark = (key: Key): boolean => key.endsWith("/");

/** Brings back what was there. Returns false when somebody was faster. */
async function tryReverse(objects: ObjectStore, { key, backup }: Put, now: ObjectFacts | null): Promise<boolean> {
  if (backup === undefined) return now === null || objects.remove(key, now.tag);
  const when = now ? { match: now.tag } : ({ absent: true } as const);
  return (await objects.put(key, { copyOf: backup }, when)) !== null;
}

/** Recognises a put whose answer is not known by its content. */
async function hasNewContent(objects: ObjectStore, { will }: Put, now: ObjectFacts | null): Promise<boolean> {
  if (!will || !now) return !will && !now;
  if ("sha256" in will) return (await checksumOf(objects, now)) === will.sha256;
  return isCopyOf(objects, now, will.copyOf);
}

async function isCopyOf(objects: ObjectStore, now: ObjectFacts | null, key: Key): Promise<boolean> {
  const source = await objects.head(key);
  if (!now || source?.size !== now.size) return false;
  const checksum = await checksumOf(objects, now);
  return checksum !== undefined && checksum === (await checksumOf(objects, source));
}

/** Returns undefined when the object was changed meanwhile. */
async function checksumOf(objects: ObjectStore, facts: ObjectFacts): Promise<string | undefined> {
  const hash = createHash("sha256");
  for (let from = 0; from < facts.size; from += LIMITS.scanBytes) {
    const bytes = await getRange(objects, facts, from, LIMITS.scanBytes);
    if (!bytes) return undefined;
    hash.update(bytes);
  }
  return hash.digest("hex");
}
