import type { SlicedWork } from "../../base/time-slicing.ts";

export interface OccurrenceQuery {
  /** Where the search begins. */
  readonly from?: number;
  /** Only those that do not overlap, taken from the left. */
  readonly isApart?: boolean;
  /** How many are enough. */
  readonly most?: number;
  /** Whether one counts. */
  readonly accepts?: (at: number) => boolean;
}

/** Where `needle` begins in `text`, in time linear in the text for any needle. */
export function* occurrencesOf(text: string, needle: string, options: OccurrenceQuery = {}): SlicedWork<number[]> {
  const { from = 0, isApart = false, most = Infinity, accepts = () => true } = options;
  const found: number[] = [];
  let next = from;
  for (const at of needle.length <= SHORT
    ? shortOccurrences(text, needle, from)
    : longOccurrences(text, needle, from)) {
    if (found.length >= most) break;
    if (at === undefined) yield;
    else if (at >= next && accepts(at)) {
      found.push(at);
      if (isApart) next = at + needle.length;
    }
  }
  return found;
}

/** Where `needle` begins first, or -1; as quick for any needle. */
export function* firstOccurrence(text: string, needle: string): SlicedWork<number> {
  return (yield* occurrencesOf(text, needle, { most: 1 }))[0] ?? -1;
}

/** The spans that do not overlap, taken from the left. */
export function withoutOverlaps<Span extends { readonly start: number; readonly end: number }>(
  spans: readonly Span[],
): Span[] {
  const kept: Span[] = [];
  for (const span of spans) if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}

/** Above this length the native search may compare every character of the needle at every place: minutes for 1 MB. */
const SHORT = 128;
/** How much is searched between two pauses. */
const STRETCH = 256 * 1024;

/** Every place, overlapping ones too; undefined where there is time for a pause. */
type Places = Generator<number | undefined, void, undefined>;

function* shortOccurrences(text: string, needle: string, from: number): Places {
  if (needle === "") return;
  for (let start = from; start < text.length; start += STRETCH) {
    const stretch = text.slice(start, start + STRETCH + needle.length - 1);
    for (let at = stretch.indexOf(needle); at >= 0; at = stretch.indexOf(needle, at + 1)) yield start + at;
    yield undefined;
  }
}

/** Knuth, Morris and Pratt: after a mismatch the needle moves on without looking at the text again. */
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
    if (at % STRETCH === 0) yield undefined;
    const unit = text.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched++;
    if (matched < needle.length) continue;
    yield at - needle.length + 1;
    matched = borders[matched - 1] ?? 0;
  }
}

/** For each prefix of the needle, the length of its longest proper prefix that is also its suffix. */
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
