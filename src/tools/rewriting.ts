import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Sighting } from "../storage/hands.ts";
import type { SafePath } from "../storage/storage.ts";
import { lineFeedIn, quickEncoding } from "../text/detect-encoding.ts";
import { decode } from "../text/encoding.ts";
import { type LineStats, unifiedDiff } from "../text/diff.ts";
import type { LineFeed } from "../text/lines.ts";
import { mergeBytes, type Region } from "../text/merge.ts";
import { shortened } from "../text/text-lines.ts";
import type { Delta } from "../workspace/change.ts";
import { deltaOf } from "../workspace/delta.ts";
import type { View } from "../workspace/view.ts";
import { readWhole } from "../workspace/whole-file.ts";

/** The new content of a file, and what it changes where that can be told as text. */
export interface Rewritten {
  readonly bytes: Uint8Array;
  readonly diff?: string | undefined;
  readonly lines?: LineStats | undefined;
  readonly delta?: Delta | undefined;
  readonly notes?: readonly string[] | undefined;
}

/**
 * New content for a file that exists. When the caller wrote it for another version, both changes are merged if that
 * version is still known and they touch different lines; else nobody may lose his.
 */
export async function rewritten(
  view: View,
  place: SafePath,
  now: Sighting,
  bytes: Uint8Array,
  wanted: string | undefined,
): Promise<Rewritten> {
  if (wanted === undefined && now.facts.size > LIMITS.comparedBytes) return { bytes };
  const current = await view.withFile(place, readWhole);
  const base = await baseOf(view, place, current, wanted);
  const fresh = base.joined(bytes);
  const delta = deltaOf(current.bytes, fresh);
  return {
    bytes: fresh,
    ...compared(view, place, current.bytes, fresh),
    delta,
    notes: base.notes,
  };
}

/** The content that a caller speaks of. */
export interface Base {
  readonly bytes: Uint8Array;
  /** What to say when it is no longer what is there. */
  readonly notes: readonly string[];
  /** What the caller made of it, together with what others made of it meanwhile. Throws where both touch the same lines. */
  joined(ours: Uint8Array): Uint8Array;
}

/** What is there now, unless the caller names another version: then that one, if it is still known. */
export async function baseOf(
  view: View,
  place: SafePath,
  now: { readonly bytes: Uint8Array; readonly version: string | undefined },
  wanted: string | undefined,
): Promise<Base> {
  if (wanted === undefined || wanted === now.version) return { bytes: now.bytes, notes: [], joined: (ours) => ours };
  const known = await view.recall(wanted);
  if (!known) throw stale(view, place, "it has changed since it was read");
  return { bytes: known, notes: [MERGED], joined: (ours) => merged(view, place, known, ours, now.bytes) };
}

const MERGED = "the file has changed since it was read, in other lines; the result has both changes";

function merged(view: View, place: SafePath, base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Uint8Array {
  const feed = lineFeedIn(base);
  const merge = mergeBytes(base, ours, theirs, feed);
  if (merge.kind === "merged") return merge.bytes;
  throw collision(view, place, merge.regions, feed);
}

const stale = (view: View, place: SafePath, state: string, details: Record<string, unknown> = {}): Fault => {
  const path = view.nameOf(place);
  return new Fault("stale", `Cannot change ${JSON.stringify(path)}: ${state}`, { path, ...details });
};

function collision(view: View, place: SafePath, regions: readonly Region<Uint8Array>[], feed: LineFeed): Fault {
  const shown = regions.slice(0, LIMITS.placesListed).map(({ line, ours, theirs }) => ({
    line,
    ours: excerpt(ours, feed),
    theirs: excerpt(theirs, feed),
  }));
  const words = shown.map(
    ({ line, ours, theirs }) => `line ${line}: yours ${JSON.stringify(ours)}, in the file ${JSON.stringify(theirs)}`,
  );
  const state = `it has changed since it was read, in the same lines\n${words.join("\n")}`;
  return stale(view, place, state, { conflicts: shown });
}

const excerpt = (bytes: Uint8Array, feed: LineFeed): string =>
  shortened(new TextDecoder(feed === "byte" ? "utf-8" : feed).decode(bytes));

/** A diff of two states of a file, where both are text of a size that is worth it. */
export function compared(
  view: View,
  place: SafePath,
  before: Uint8Array,
  after: Uint8Array,
): Pick<Rewritten, "diff" | "lines"> {
  const [old, fresh] = [textOf(before), textOf(after)];
  if (old === undefined || fresh === undefined) return {};
  const { text, added, removed } = unifiedDiff(old, fresh, { path: view.nameOf(place) });
  return { diff: text, lines: { added, removed } };
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > LIMITS.comparedBytes) return undefined;
  const label = quickEncoding(bytes, true)?.label;
  return label === undefined ? undefined : decode(bytes, label);
}
