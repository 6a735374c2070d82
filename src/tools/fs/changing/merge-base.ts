import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { runInSlices } from "../../../base/time-slicing.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { detectEncoding, lineFeedIn } from "../../../text/encoding/detect.ts";
import { encode } from "../../../text/encoding/encode.ts";
import { decodeOrNull, wholeCharacters } from "../../../text/encoding/encoding.ts";
import { type LineFeed, lineFeedOf } from "../../../text/line-feeds.ts";
import { inTextFormat, type TextFormat, textFormatOf } from "../../../text/encoding/text-format.ts";
import { mergeBytes, type Region } from "../../../text/diff/merge.ts";
import { contentStart } from "../../../text/text-lines.ts";
import { shortenedOutside } from "../../../text/cut-points.ts";
import type { View } from "../../../workspace/view.ts";
import type { WholeFile } from "../../../workspace/read/whole-file.ts";
import { concurrentChange, mergedNote, staleFault } from "./concurrent-change.ts";

/** The content that the caller based its change on. */
export interface MergeBase {
  readonly bytes: Uint8Array;
  /** Notes for the caller when the file has changed since. */
  readonly notes: readonly string[];
  /**
   * Is true if the caller knows the whole result: nobody else changed the file, or the notes show all their changes.
   */
  readonly isKnown: boolean;
  /** Merges the caller's content with the changes that others made meanwhile. Throws if both touch the same lines. */
  merge(ours: Uint8Array): Promise<Uint8Array>;
}

/** Returns the current content, or the content of another version if the caller names one that is still stored. */
export async function mergeBaseOf(
  view: View,
  place: SafePath,
  now: { readonly bytes: Uint8Array; readonly version: string | undefined },
  expectedVersion: string | undefined,
): Promise<MergeBase> {
  if (expectedVersion === undefined || expectedVersion === now.version)
    return { bytes: now.bytes, notes: [], isKnown: true, merge: (ours) => Promise.resolve(ours) };
  const known = await view.contentOfVersion(expectedVersion, place);
  if (!known) throw changedFault(view, place, "it has changed since it was read");
  const concurrent = await concurrentChange(view, place, known, now.bytes);
  return {
    bytes: known,
    notes: [mergedNote(concurrent)],
    isKnown: concurrent?.isWhole === true,
    async merge(ours) {
      const feed = lineFeedIn(known);
      const merge = await runInSlices(mergeBytes(known, ours, now.bytes, feed), view.checkpoint);
      if (merge.kind === "merged") return merge.bytes;
      throw conflictFault(view, place, merge.regions, feed);
    },
  };
}

/**
 * Returns the bytes that this session saw of a file that others have changed since. Throws `stale` if they cannot be
 * merged: they are no longer stored, or the file is not text in the encoding of the new content.
 */
export async function seenBase(view: View, place: SafePath, now: WholeFile, label: string | null): Promise<MergeBase> {
  const seen = view.seenFiles.at(place, now.facts);
  const known = seen && (await view.contentOfVersion(seen.version, seen.place));
  if (!known) throw staleFault(view, place, "what it read is no longer kept");
  const concurrent = await concurrentChange(view, place, known, now.bytes);
  const format = await textFormatIn(now.bytes, now.bytes.length);
  const base = format && format.label === label ? await inFormatOf(known, format) : null;
  if (!format || !base) throw staleFault(view, place, "this cannot be merged with it line by line", concurrent);
  return {
    bytes: base,
    notes: [mergedNote(concurrent)],
    isKnown: concurrent?.isWhole === true,
    async merge(ours) {
      const steps = mergeBytes(base, ours, now.bytes, lineFeedOf(format.label));
      const merge = await runInSlices(steps, view.checkpoint);
      if (merge.kind === "merged") return merge.bytes;
      throw staleFault(view, place, "this changes the same lines", concurrent);
    },
  };
}

/**
 * Detects encoding, byte-order mark and line endings from the start of a file of this size. Returns null if it is not
 * text.
 */
export async function textFormatIn(start: Uint8Array, size: number): Promise<TextFormat | null> {
  const head = start.subarray(0, LIMITS.sniffBytes);
  const encoding = await detectEncoding(head, head.length === size);
  return encoding && textFormatOf(head.subarray(0, wholeCharacters(head, encoding.label)), encoding);
}

/**
 * Re-encodes older bytes in the current format of the file, because a change of format alone changes no line. Returns
 * null if that is impossible.
 */
async function inFormatOf(bytes: Uint8Array, format: TextFormat): Promise<Uint8Array | null> {
  const oldFormat = await textFormatIn(bytes, bytes.length);
  if (!oldFormat) return null;
  if (oldFormat.label === format.label && oldFormat.hasBom === format.hasBom && oldFormat.isCrlf === format.isCrlf)
    return bytes;
  const text = decodeOrNull(bytes, oldFormat.label);
  if (text === null) return null;
  const content = text.slice(contentStart(text));
  return encode(inTextFormat(oldFormat.isCrlf ? content.replaceAll("\r\n", "\n") : content, format), format.label);
}

const changedFault = (view: View, place: SafePath, state: string, details: Record<string, unknown> = {}): Fault => {
  const path = view.nameOf(place);
  return new Fault("stale", `Cannot change ${JSON.stringify(path)}: ${state}`, { path, ...details });
};

function conflictFault(view: View, place: SafePath, regions: readonly Region<Uint8Array>[], feed: LineFeed): Fault {
  const shown = regions.slice(0, LIMITS.placesListed).map(({ line, ours, theirs }) => ({
    line,
    ours: excerptOf(view, ours, feed),
    theirs: excerptOf(view, theirs, feed),
  }));
  const words = shown.map(
    ({ line, ours, theirs }) => `line ${line}: yours ${JSON.stringify(ours)}, in the file ${JSON.stringify(theirs)}`,
  );
  const state = `it has changed since it was read, in the same lines\n${words.join("\n")}`;
  return changedFault(view, place, state, { conflicts: shown });
}

function excerptOf({ uncuttableRanges }: View, bytes: Uint8Array, feed: LineFeed): string {
  const text = new TextDecoder(feed === "byte" ? "utf-8" : feed).decode(bytes);
  return shortenedOutside(text, uncuttableRanges, LIMITS.quotedLineChars);
}
