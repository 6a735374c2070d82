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
import { staleFault } from "./concurrent-change.ts";
import { mergeBaseOf, seenBase } from "./merge-base.ts";

/** The content that a caller wants to write over a file. */
export interface Replacement {
  readonly bytes: Uint8Array;
  /** The encoding of the bytes. It is null if they need not be text. */
  readonly label: string | null;
  /** The version that the caller based the content on. */
  readonly if_match: string | undefined;
  /** Is true if content may be replaced that this session has not seen. */
  readonly overwrite: boolean;
}

/** The new content of a file, with a diff if both states are text. */
export interface Rewritten {
  readonly bytes: Uint8Array;
  /** The version of the content that is replaced. */
  readonly expect: string;
  readonly diff?: string | undefined;
  readonly lines?: LineStats | undefined;
  readonly delta?: Delta | undefined;
  readonly notes?: readonly string[] | undefined;
  /** Is true if the caller knows the whole content. */
  readonly isKnown: boolean;
  /** Says why the replaced content counts as unseen by this session. */
  readonly unseen?: Unseen | undefined;
}

/** The file was never seen, changed by others since it was seen, or changed by this session but never read. */
export type Unseen = "never" | "changed" | "unread";

/**
 * Returns the new content for an existing file. If the caller wrote it for another version, both changes are merged,
 * provided that the version is still stored and the changes touch different lines; otherwise the call fails, so that
 * nobody's change is lost. The version is the one the caller names, or else the one this session saw last.
 */
export async function planRewrite(
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
    const there = unseen === "changed" && !overwrite ? await view.snapshot(place) : null;
    if (!there || there.version === current.version) {
      if (whole) return mergedContent(view, place, whole, replacement, unseen);
      if (there) throw staleFault(view, place, "it is too large to be merged");
      return { bytes: replacement.bytes, expect: current.version, isKnown: true, unseen };
    }
    // Another call of this session changed the file after it was read above. Start over, because that change is not
    // concurrent.
    start = there;
  }
}

/** Larger files are replaced without reading their content. */
const isComparable = ({ facts }: Snapshot): boolean => facts.size <= LIMITS.comparedBytes;

/** Replaces the current content, or merges both if others have changed the file since it was seen. */
async function mergedContent(
  view: View,
  place: SafePath,
  current: WholeFile,
  { bytes, label, if_match, overwrite }: Replacement,
  unseen: Unseen | undefined,
): Promise<Rewritten> {
  const isMerged = unseen === "changed" && !overwrite;
  const isUnread = view.seenFiles.at(place, current.facts)?.isPartial === true;
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

/**
 * Compares a file with what this session saw of it. Times alone never count, unless there is nothing else to compare.
 */
async function unseenIn(view: View, place: SafePath, now: Snapshot): Promise<Unseen | undefined> {
  const seen = view.seenFiles.at(place, now.facts);
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

/** Returns a diff of two states of a file if both are text and small enough to compare. */
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
