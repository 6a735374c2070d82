import type { SlicedWork } from "../../base/time-slicing.ts";

export interface OccurrenceQuery {
  /** The offset at which the search begins. */
  readonly from?: number;
  /** Is true if only occurrences count that do not overlap, from left to right. */
  readonly excludesOverlaps?: boolean;
  /** The number of occurrences after which the search stops. */
  readonly most?: number;
  /** Filters occurrences. */
  readonly accepts?: (at: number) => boolean;
}

/** Returns the offsets of `needle` in `text`, in time linear in the text for any needle. */
export function* occurrencesOf(text: string, needle: string, options: OccurrenceQuery = {}): SlicedWork<number[]> {
  const { from = 0, excludesOverlaps = false, most = Infinity, accepts = () => true } = options;
  const found: number[] = [];
  let next = from;
  for (const at of needle.length <= SHORT
    ? shortOccurrences(text, needle, from)
    : longOccurrences(text, needle, from)) {
    if (found.length >= most) break;
    if (at === undefined) yield;
    else if (at >= next && accepts(at)) {
      found.push(at);
      if (excludesOverlaps) next = at + needle.length;
    }
  }
  return found;
}

/** Returns the first offset of `needle`, or -1, in linear time as well. */
export function* firstOccurrence(text: string, needle: string): SlicedWork<number> {
  return (yield* occurrencesOf(text, needle, { most: 1 }))[0] ?? -1;
}

/** Returns the spans that do not overlap, from left to right. */
export function withoutOverlaps<Span extends { readonly start: number; readonly end: number }>(
  spans: readonly Span[],
): Span[] {
  const kept: Span[] = [];
  for (const span of spans) if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}

/**
 * Above this length the native search may compare every character of the needle at every offset, which takes minutes
 * for 1 MB.
 */
const SHORT = 128;
/** The number of characters to search between two yields. */
const SLICE_CHARS = 256 * 1024;

/** Yields every offset, also overlapping ones, and undefined as a point for a pause. */
type Places = Generator<number | undefined, void, undefined>;

function* shortOccurrences(text: string, needle: string, from: number): Places {
  if (needle === "") return;
  for (let start = from; start < text.length; start += SLICE_CHARS) {
    const slice = text.slice(start, start + SLICE_CHARS + needle.length - 1);
    for (let at = slice.indexOf(needle); at >= 0; at = slice.indexOf(needle, at + 1)) yield start + at;
    yield undefined;
  }
}

/** Searches by Knuth-Morris-Pratt: after a mismatch the needle moves on without reading the text again. */
function* longOccurrences(text: string, needle: string, from: number): Places {
  let first: number | undefined;
  for (const at of shortOccurrences(text, needle.slice(0, SHORT), from)) {
    yield undefined;
    first = at;
    if (first !== undefined) break;
  }
  if (first === undefined) return;
  const borders = bordersOf(needle);
  let matched = 0;
  for (let at = first; at < text.length; at++) {
    if (at % SLICE_CHARS === 0) yield undefined;
    const unit = text.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched++;
    if (matched < needle.length) continue;
    yield at - needle.length + 1;
    matched = borders[matched - 1] ?? 0;
  }
}

/** Computes for each prefix of the needle the length of its longest proper prefix that is also its suffix. */
function bordersOf(needle: string): Int32Array {
  const borders = new Int32Array(needle.length);
  let length = 0;
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle.charCodeAt(at) !== needle.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (needle.charCodeAt(at) === needle.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}
