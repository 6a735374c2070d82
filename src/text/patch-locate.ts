import { LIMITS } from "../base/limits.ts";
import type { Source } from "./edit-tiers.ts";
import { type Hunk, type HunkLine, sideOf } from "./file-patch.ts";
import { type Shift, shiftBetween, shiftLines } from "./indent.ts";
import { LINE_KEYS, type LineKey } from "./line-search.ts";
import { placesBehind, placesWithin } from "./patch-anchors.ts";
import type { Tier } from "./splice.ts";

/** Where a hunk belongs: its lines, less those that fuzz gave up, from the line with index `at` on. */
export interface Spot {
  readonly at: number;
  /** Where the hunk would begin with all its lines. */
  readonly origin: number;
  readonly lines: readonly HunkLine[];
  readonly tier: Tier;
  readonly fuzz: number;
  readonly shift?: Shift;
}

/** What is known when a hunk is sought: where the one before ended, and by how much that one was off. */
export interface Progress {
  readonly end: number;
  readonly drift: number;
}

/** The spots that are equally good: one, several, or none. */
export function locate(source: Source, hunk: Hunk, progress: Progress): Spot[] {
  if (sideOf(hunk, "old").length === 0) return insertionSpots(source, hunk, progress);
  return hunk.isLoose ? looseSpots(source, hunk, progress) : countedSpots(source, hunk, progress);
}

/** Without old lines only the patch's own word says where: a line number, an anchor, or the end of the file. */
function insertionSpots(source: Source, hunk: Hunk, { end, drift }: Progress): Spot[] {
  const size = source.lines().length;
  const spot = (at: number): Spot => ({ at, origin: at, lines: hunk.lines, tier: "exact", fuzz: 0 });
  if (hunk.isAtEnd || size === 0) return [spot(size)];
  if (hunk.anchors.length > 0) return placesBehind(source, hunk.anchors, end).map(spot);
  const at = hunk.start === undefined ? -1 : hunk.start + (hunk.start === 0 ? 0 : drift);
  return at >= 0 && at <= size ? [spot(at)] : [];
}

/** Lines a tier takes for equal. A shift is checked afterwards: it must be one and the same for all of them. */
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

function spotsBy(source: Source, lines: readonly HunkLine[], { tier, keyOf, isShifted }: Comparison): Spot[] {
  const old = lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
  const added = lines.filter(({ kind }) => kind === "add").map(({ text }) => text);
  return source
    .search(keyOf)
    .find(old)
    .flatMap((at): Spot[] => {
      const spot = { at, origin: at, lines, tier, fuzz: 0 };
      if (!isShifted) return [spot];
      const has = source
        .lines()
        .slice(at, at + old.length)
        .map((line) => line.text);
      const shift = shiftBetween(old, has);
      return shift && shiftLines(added, shift, has) ? [{ ...spot, shift }] : [];
    });
}

/** Written by hand: context and anchors decide, a line number only where it fits exactly. */
function looseSpots(source: Source, hunk: Hunk, { end, drift }: Progress): Spot[] {
  const size = sideOf(hunk, "old").length;
  for (const comparison of LOOSE) {
    const found = spotsBy(source, hunk.lines, comparison).filter(
      ({ at }) => !hunk.isAtEnd || at + size === source.lines().length,
    );
    const meant = found.filter(({ at }) => hunk.start !== undefined && at + 1 === hunk.start + drift && at >= end);
    if (meant.length > 0) return meant;
    const anchored = placesWithin(source, hunk.anchors, found, end);
    if (anchored.length > 0) return anchored;
  }
  return [];
}

/** Made from a file: the line number first, then the nearest place, then with less context. */
function countedSpots(source: Source, hunk: Hunk, progress: Progress): Spot[] {
  const expected = (hunk.start ?? 1) - 1 + progress.drift;
  const whole = [EXACT, TRAILING].map((comparison) =>
    spotsBy(source, hunk.lines, comparison).filter(({ at }) => at >= progress.end),
  );
  for (const spots of whole) {
    const there = spots.filter(({ at }) => at === expected);
    if (there.length > 0) return there;
  }
  for (const spots of whole) if (spots.length > 0) return nearest(spots, expected);
  return fuzzySpots(source, hunk, expected, progress.end);
}

/** The nearest one, when the next is more than twice as far away; else all, and nobody knows which is meant. */
function nearest(spots: readonly Spot[], expected: number): Spot[] {
  const distance = ({ origin }: Spot): number => Math.abs(origin - expected);
  const [first, second] = spots.toSorted((a, b) => distance(a) - distance(b));
  if (first && second && distance(second) <= 2 * distance(first)) return [...spots];
  return first ? [first] : [];
}

/** Gives up context at the ends, one line more each round; lines that are removed are never given up. */
function fuzzySpots(source: Source, { lines }: Hunk, expected: number, end: number): Spot[] {
  const [lead, trail] = contextAtEnds(lines);
  for (let fuzz = 1; fuzz <= lead + trail; fuzz++) {
    for (const comparison of [EXACT, TRAILING]) {
      const spots = new Map<number, Spot>();
      for (let head = Math.max(0, fuzz - trail); head <= Math.min(lead, fuzz); head++) {
        const rest = lines.slice(head, lines.length - (fuzz - head));
        if (!rest.some(({ kind, text }) => kind !== "add" && text.trim() !== "")) continue;
        for (const spot of spotsBy(source, rest, comparison)) {
          const origin = spot.at - head;
          const isNear = Math.abs(origin - expected) <= LIMITS.patchFuzzLines;
          if (isNear && spot.at >= end) spots.set(origin, { ...spot, origin, fuzz });
        }
      }
      if (spots.size > 0) return nearest([...spots.values()], expected);
    }
  }
  return [];
}

function contextAtEnds(lines: readonly HunkLine[]): [number, number] {
  const first = lines.findIndex(({ kind }) => kind !== "context");
  const last = lines.findLastIndex(({ kind }) => kind !== "context");
  return [Math.min(LIMITS.patchFuzz, Math.max(0, first)), Math.min(LIMITS.patchFuzz, lines.length - 1 - last)];
}
