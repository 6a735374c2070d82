/** Where `needle` begins in `text` from `from` on, overlapping ones too, in time linear in the text for any needle. */
export function occurrencesOf(text: string, needle: string, from = 0): number[] {
  if (needle === "") return [];
  return needle.length <= SHORT ? shortOccurrences(text, needle, from) : longOccurrences(text, needle, from);
}

/** Where `needle` begins first, or -1; as quick for any needle. */
export function firstOccurrence(text: string, needle: string): number {
  return needle.length <= SHORT ? text.indexOf(needle) : (longOccurrences(text, needle, 0, 1)[0] ?? -1);
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

function shortOccurrences(text: string, needle: string, from: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(needle, from); at >= 0; at = text.indexOf(needle, at + 1)) found.push(at);
  return found;
}

/** Knuth, Morris and Pratt: after a mismatch the needle moves on without looking at the text again. */
function longOccurrences(text: string, needle: string, from: number, most = Infinity): number[] {
  const first = text.indexOf(needle.slice(0, SHORT), from);
  if (first < 0) return [];
  const borders = bordersOf(needle);
  const found: number[] = [];
  let matched = 0;
  for (let at = first; at < text.length && found.length < most; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (needle.charCodeAt(matched) === unit) matched++;
    if (matched < needle.length) continue;
    found.push(at - needle.length + 1);
    matched = borders[matched - 1] ?? 0;
  }
  return found;
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
