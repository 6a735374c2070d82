import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import type { SearchedText } from "../edit/match-tiers.ts";
import { type Hunk, type HunkLine, sideOf, textsOf } from "./file-patch.ts";
import { type Shift, shiftBetween, shiftLines } from "../edit/indent.ts";
import { LINE_KEYS, type LineKey } from "../edit/line-search.ts";
import { placesBehind, placesWithin } from "./anchors.ts";
import type { Tier } from "../edit/splice.ts";

/** A match of a hunk in a file: its lines, without those that fuzz dropped, from the line with index `at`. */
export interface Fit {
  readonly at: number;
  /** The index where the complete hunk would begin. */
  readonly origin: number;
  readonly lines: readonly HunkLine[];
  readonly tier: Tier;
  readonly fuzz: number;
  readonly shift?: Shift;
}

/** The end of the previous hunk and the distance between its line number and its place. */
export interface LocateProgress {
  readonly end: number;
  readonly drift: number;
}

/** Returns the best matches, all of equal quality: one, several, or none. */
export function* locateHunk(source: SearchedText, hunk: Hunk, progress: LocateProgress): SlicedWork<Fit[]> {
  if (sideOf(hunk, "old").length === 0) return yield* insertionFits(source, hunk, progress);
  return yield* hunk.isLoose ? looseFits(source, hunk, progress) : countedFits(source, hunk, progress);
}

/** Places a hunk without old lines by its line number, by its anchors, or else at the end of the file. */
function* insertionFits(source: SearchedText, hunk: Hunk, { end, drift }: LocateProgress): SlicedWork<Fit[]> {
  const size = (yield* source.lines()).length;
  const fit = (at: number): Fit => ({ at, origin: at, lines: hunk.lines, tier: "exact", fuzz: 0 });
  const hasNoHint = hunk.start === undefined && hunk.anchors.length === 0;
  if (hunk.isAtEnd || size === 0 || hasNoHint) return [fit(size)];
  if (hunk.anchors.length > 0) return (yield* placesBehind(source, hunk.anchors, end)).map(fit);
  const at = hunk.start === undefined ? -1 : hunk.start + (hunk.start === 0 ? 0 : drift);
  return at >= 0 && at <= size ? [fit(at)] : [];
}

/** The comparison of lines in a tier. With `isShifted`, all lines must also differ by one and the same shift. */
interface Comparison {
  readonly tier: Tier;
  readonly keyOf: LineKey;
  readonly isShifted: boolean;
}

const EXACT: Comparison = { tier: "exact", keyOf: LINE_KEYS.exact, isShifted: false };
const TRAILING: Comparison = { tier: "trailing_space", keyOf: LINE_KEYS.trailing, isShifted: false };
const LOOSE: readonly Comparison[] = [
  EXACT,
  TRAILING,
  { tier: "indentation", keyOf: LINE_KEYS.trimmed, isShifted: true },
  { tier: "look_alikes", keyOf: LINE_KEYS.look, isShifted: false },
  { tier: "look_alikes", keyOf: LINE_KEYS.trimmedLook, isShifted: true },
];

function* fitsBy(
  source: SearchedText,
  lines: readonly HunkLine[],
  { tier, keyOf, isShifted }: Comparison,
): SlicedWork<Fit[]> {
  const old = textsOf(lines, "old");
  const all = yield* source.lines();
  const fits: Fit[] = [];
  for (const at of yield* (yield* source.search(keyOf)).find(old)) {
    const fit = { at, origin: at, lines, tier, fuzz: 0 };
    if (!isShifted) {
      fits.push(fit);
      continue;
    }
    yield;
    const has = all.slice(at, at + old.length).map((line) => line.text);
    const shift = shiftBetween(old, has);
    if (shift && shiftLines(textsOf(lines, "new"), shift, has)) fits.push({ ...fit, shift });
  }
  return fits;
}

/** Locates a hand-written hunk: context and anchors decide, and the line number only where it matches exactly. */
function* looseFits(source: SearchedText, hunk: Hunk, { end, drift }: LocateProgress): SlicedWork<Fit[]> {
  const size = sideOf(hunk, "old").length;
  const all = (yield* source.lines()).length;
  for (const comparison of LOOSE) {
    const fits = yield* fitsBy(source, hunk.lines, comparison);
    const found = fits.filter(({ at }) => !hunk.isAtEnd || at + size === all);
    const atLineNumber = found.filter(
      ({ at }) => hunk.start !== undefined && at + 1 === hunk.start + drift && at >= end,
    );
    if (atLineNumber.length > 0) return atLineNumber;
    const anchored = yield* placesWithin(source, hunk.anchors, found, end);
    if (anchored.length > 0) return anchored;
  }
  return [];
}

/** Locates a generated hunk: at its line number, then at the nearest match, then with less context. */
function* countedFits(source: SearchedText, hunk: Hunk, progress: LocateProgress): SlicedWork<Fit[]> {
  const expected = (hunk.start ?? 1) - 1 + progress.drift;
  const old = textsOf(hunk.lines, "old");
  for (const { tier, keyOf } of [EXACT, TRAILING]) {
    const isThere = expected >= progress.end && (yield* source.search(keyOf)).isAt(expected, old);
    if (isThere) return [{ at: expected, origin: expected, lines: hunk.lines, tier, fuzz: 0 }];
  }
  for (const comparison of [EXACT, TRAILING]) {
    const fits = (yield* fitsBy(source, hunk.lines, comparison)).filter(({ at }) => at >= progress.end);
    if (fits.length > 0) return nearestFit(fits, expected);
  }
  return yield* fuzzyFits(source, hunk, expected, progress.end);
}

/** Returns the nearest match if the next one is more than twice as far away, and otherwise all, which is ambiguous. */
function nearestFit(fits: readonly Fit[], expected: number): Fit[] {
  const distance = ({ origin }: Fit): number => Math.abs(origin - expected);
  const [first, second] = fits.toSorted((a, b) => distance(a) - distance(b));
  if (first && second && distance(second) <= 2 * distance(first)) return [...fits];
  return first ? [first] : [];
}

/** Drops context lines at both ends, one more each round. Removed lines are never dropped. */
function* fuzzyFits(source: SearchedText, { lines }: Hunk, expected: number, end: number): SlicedWork<Fit[]> {
  const [contextBefore, contextAfter] = contextAtEnds(lines);
  for (let fuzz = 1; fuzz <= contextBefore + contextAfter; fuzz++) {
    for (const comparison of [EXACT, TRAILING]) {
      const fits = new Map<number, Fit>();
      for (let head = Math.max(0, fuzz - contextAfter); head <= Math.min(contextBefore, fuzz); head++) {
        const rest = lines.slice(head, lines.length - (fuzz - head));
        if (!rest.some(({ kind, text }) => kind !== "add" && text.trim() !== "")) continue;
        for (const fit of yield* fitsBy(source, rest, comparison)) {
          const origin = fit.at - head;
          const isNear = Math.abs(origin - expected) <= LIMITS.patchFuzzLines;
          if (isNear && fit.at >= end) fits.set(origin, { ...fit, origin, fuzz });
        }
      }
      if (fits.size > 0) return nearestFit([...fits.values()], expected);
    }
  }
  return [];
}

function contextAtEnds(lines: readonly HunkLine[]): [number, number] {
  const first = lines.findIndex(({ kind }) => kind !== "context");
  const last = lines.findLastIndex(({ kind }) => kind !== "context");
  return [Math.min(LIMITS.patchFuzz, Math.max(0, first)), Math.min(LIMITS.patchFuzz, lines.length - 1 - last)];
}
