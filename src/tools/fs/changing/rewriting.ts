import { LIMITS } from "../../../base/limits.ts";
import { runInSlices } from "../../../base/time-slicing.ts";
import type { Snapshot } from "../../../storage/writer.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { quickEncoding } from "../../../text/encoding/detect.ts";
import { type LineStats, unifiedDiff } from "../../../text/diff/diff.ts";
import { decode } from "../../../text/encoding/encoding.ts";
import type { Delta } from "../../../workspace/changes/change.ts";
import { deltaOf } from "../../../workspace/changes/delta.ts";
import { isLarge, isUnchanged, type SeenFile } from "../../../workspace/read/seen-files.ts";
import type { View } from "../../../workspace/view.ts";
import { checksumOf, readWholeFile, type WholeFile } from "../../../workspace/read/whole-file.ts";
import { staleSince } from "./concurrent-change.ts";
import { mergeBaseOf, seenBase } from "./merge-base.ts";

/** What a caller wants to put in place of a file. */
export interface Replacement {
  readonly bytes: Uint8Array;
  /** The encoding of the bytes; null where they need not be text. */
  readonly label: string | null;
  /** The version that the caller speaks of. */
  readonly if_match: string | undefined;
  /** Replaces also what this session has not seen. */
  readonly overwrite: boolean;
}

/** The new content of a file, and what it changes where that can be told as text. */
export interface Rewritten {
  readonly bytes: Uint8Array;
  /** The version that it replaces. */
  readonly expect: string;
  readonly diff?: string | undefined;
  readonly lines?: LineStats | undefined;
  readonly delta?: Delta | undefined;
  readonly notes?: readonly string[] | undefined;
  /** The caller knows all of it. */
  readonly isKnown: boolean;
  /** How it replaces a content that this session has not seen. */
  readonly unseen?: Unseen | undefined;
}

/** Never seen, changed by others since, or changed by this session and never read. */
export type Unseen = "never" | "changed" | "unread";

/**
 * New content for a file that exists. When the caller wrote it for another version, both changes are merged if that
 * version is still known and they touch different lines; else nobody may lose his. The version is the one that it names,
 * else the one that this session saw last.
 */
export async function rewritten(
  view: View,
  place: SafePath,
  now: Snapshot,
  replacement: Replacement,
): Promise<Rewritten> {
  const { if_match, overwrite } = replacement;
  const isNamed = if_match !== undefined;
  for (let start = now; ;) {
    const whole = isNamed || isComparable(start) ? await view.withFile(place, readWholeFile) : null;
    const current = whole ?? start;
    const unseen = isNamed ? undefined : await unseenIn(view, place, current);
    const there = unseen === "changed" && !overwrite ? view.see(place) : null;
    if (!there || there.version === current.version) {
      if (whole) return mergedContent(view, place, whole, replacement, unseen);
      if (there) throw staleSince(view, place, "it is too large to be merged");
      return { bytes: replacement.bytes, expect: current.version, isKnown: true, unseen };
    }
    // Another call of this session changed the file after we read it here; start over, its change is not foreign.
    start = there;
  }
}

/** Larger files are replaced without a look at their content. */
const isComparable = ({ facts }: Snapshot): boolean => facts.size <= LIMITS.comparedBytes;

/** Puts the new content in place of the current one, or merges both where others have changed it since it was seen. */
async function mergedContent(
  view: View,
  place: SafePath,
  current: WholeFile,
  { bytes, label, if_match, overwrite }: Replacement,
  unseen: Unseen | undefined,
): Promise<Rewritten> {
  const isMerged = unseen === "changed" && !overwrite;
  const isUnread = view.seen.at(place, current.facts)?.isPartial === true;
  const base = isMerged
    ? await seenBase(view, place, current, label)
    : await mergeBaseOf(view, place, current, if_match);
  const fresh = await base.merge(bytes);
  return {
    bytes: fresh,
    expect: current.version,
    ...(await comparedToSeen(view, place, current.bytes, fresh)),
    delta: deltaOf(current.bytes, fresh),
    notes: base.notes,
    isKnown: base.isKnown,
    unseen: isMerged ? (isUnread ? "unread" : undefined) : unseen,
  };
}

/** Whether a file is another one than this session saw. Times alone never count, unless they are all there is to compare. */
async function unseenIn(view: View, place: SafePath, now: Snapshot): Promise<Unseen | undefined> {
  const seen = view.seen.at(place, now.facts);
  if (!seen) return "never";
  if (!(await isAsSeen(view, place, seen, now))) return "changed";
  return seen.isPartial ? "unread" : undefined;
}

async function isAsSeen(view: View, place: SafePath, seen: SeenFile, { facts, version }: Snapshot): Promise<boolean> {
  const { size, modifiedMs } = facts;
  if (seen.sha256 === undefined || seen.version === version || !isLarge(seen))
    return isUnchanged(seen, { version, size, modifiedMs });
  return seen.size === size && seen.sha256 === (await view.withFile(place, (file) => checksumOf(file, view)));
}

/** A diff of two states of a file, where both are text of a size that is worth it. */
export async function comparedToSeen(
  view: View,
  place: SafePath,
  before: Uint8Array,
  after: Uint8Array,
): Promise<Pick<Rewritten, "diff" | "lines">> {
  const [old, fresh] = [textOf(before), textOf(after)];
  if (old === undefined || fresh === undefined) return {};
  const steps = unifiedDiff(old, fresh, { path: view.nameOf(place) });
  const { text, added, removed } = await runInSlices(steps, view.checkpoint);
  return { diff: text, lines: { added, removed } };
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > LIMITS.comparedBytes) return undefined;
  const label = quickEncoding(bytes, true)?.label;
  return label === undefined ? undefined : decode(bytes, label);
}
