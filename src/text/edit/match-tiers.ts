import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { type Fold, type FoldedText, foldText } from "./folded-text.ts";
import { type Shift, shiftBetween, shiftLines } from "./indent.ts";
import { createLineSearch, LINE_KEYS, type LineKey, type LineSearch } from "./line-search.ts";
import { foldLooks, isGraphemeBoundary, isInsideCharacter } from "../encoding/look-alikes.ts";
import { occurrencesOf } from "../search/occurrences.ts";
import { type Tier, TIERS } from "./splice.ts";
import { breaksOf, contentStart, createEndingFinder, endOf, linesOf, type TextLine } from "../text-lines.ts";

/** A range that matches the old text. `shift` is set if the indentation differs. */
export interface TierMatch {
  readonly start: number;
  readonly end: number;
  readonly shift?: Shift;
}

/** A text to search in. The index of each tier is built on first use and shared by all edits. */
export interface SearchedText {
  readonly text: string;
  readonly breaks: RegExp;
  /** Is true if the text contains a carriage return. */
  readonly hasReturn: boolean;
  readonly lines: () => SlicedWork<readonly TextLine[]>;
  /** Returns the line break that a new line at this offset should get. */
  readonly endingAt: (offset: number) => string;
  readonly folded: (fold: Fold) => SlicedWork<FoldedText>;
  readonly search: (keyOf: LineKey) => SlicedWork<LineSearch>;
}

/** Creates the searchable text. It computes nothing before it is needed. */
export function createSearchedText(text: string, breaks = breaksOf(text)): SearchedText {
  const lines = memoizeWork(() => linesOf(text, breaks));
  return {
    text,
    breaks,
    hasReturn: text.includes("\r"),
    lines: () => lines(undefined),
    endingAt: createEndingFinder(text, breaks),
    folded: memoizeWork((fold: Fold) => foldText(text, fold, breaks)),
    search: memoizeWork(function* (keyOf: LineKey) {
      return yield* createLineSearch(yield* lines(undefined), keyOf);
    }),
  };
}

/**
 * The text to find and its replacement. A block with other indentation matches only if the new text can be shifted too.
 */
export interface EditTarget {
  readonly oldText: string;
  readonly newText: string;
  /** Is true if only matches count that do not overlap. */
  readonly excludesOverlaps: boolean;
}

/** Returns the matches of the first tier that has any, in order, up to one more than a call may change. */
export function* findMatches(
  source: SearchedText,
  target: EditTarget,
): SlicedWork<{ tier: Tier; matches: readonly TierMatch[] } | null> {
  for (const tier of TIERS) {
    const matches = yield* FINDERS[tier](source, target);
    if (matches.length > 0) return { tier, matches };
  }
  return null;
}

type Finder = (source: SearchedText, target: EditTarget) => SlicedWork<TierMatch[]>;

const FINDERS: Readonly<Record<Tier, Finder>> = {
  exact: exactMatches,
  line_endings: (source, target) =>
    isCrlfOnly(source.text) ? crlfMatches(source, target) : foldedMatches(source, target, "line_endings"),
  trailing_space: (source, target) => foldedMatches(source, target, "trailing_space"),
  indentation: (source, target) => shiftedMatches(source, target, LINE_KEYS.trimmed),
  *look_alikes(source, target) {
    const matches = yield* foldedMatches(source, target, "look_alikes");
    return matches.length > 0 ? matches : yield* shiftedMatches(source, target, LINE_KEYS.trimmedLook);
  },
};

function memoizeWork<Key, Value>(make: (key: Key) => SlicedWork<Value>): (key: Key) => SlicedWork<Value> {
  const made = new Map<Key, Value>();
  return function* (key) {
    const value = made.get(key) ?? (yield* make(key));
    made.set(key, value);
    return value;
  };
}

/** One match more than a call may change is enough to know that there are too many. */
const MATCH_LIMIT = LIMITS.editPlaces + 1;

function* exactMatches({ text }: SearchedText, { oldText, excludesOverlaps }: EditTarget): SlicedWork<TierMatch[]> {
  const accepts = (at: number): boolean =>
    !isInsideCharacter(text, at) && !isInsideCharacter(text, at + oldText.length);
  const found = yield* occurrencesOf(text, oldText, {
    from: contentStart(text),
    excludesOverlaps,
    most: MATCH_LIMIT,
    accepts,
  });
  return found.map((start) => ({ start, end: start + oldText.length }));
}

const LONE_FEED = /(?<!\r)\n/;

const isCrlfOnly = (text: string): boolean => text.includes("\r\n") && !LONE_FEED.test(text);

/**
 * Handles the common case ten times as fast as a fold: if the file has only CRLF, the old text is converted to CRLF.
 */
function* crlfMatches(source: SearchedText, target: EditTarget): SlicedWork<TierMatch[]> {
  const crlf = { ...target, oldText: target.oldText.replace(/\r?\n/g, "\r\n") };
  const found = crlf.oldText === target.oldText ? [] : yield* exactMatches(source, crlf);
  if (found.length > 0) return found;
  const { text } = source;
  const open = crlf.oldText.slice(0, -2);
  const isOpen = crlf.oldText.endsWith("\r\n") && open.trim() !== "" && !text.endsWith("\n") && text.endsWith(open);
  const last = { start: text.length - open.length, end: text.length };
  return isOpen && isWhole(text, last, "line_endings") ? [last] : [];
}

/**
 * Finds matches in folded text. Blank text is refused, because it would match nearly everywhere once white space is
 * ignored.
 */
function* foldedMatches(
  source: SearchedText,
  { oldText, excludesOverlaps }: EditTarget,
  fold: Fold,
): SlicedWork<TierMatch[]> {
  const isBlank = oldText.trim() === "";
  if (isBlank && fold !== "line_endings") return [];
  const file = yield* source.folded(fold);
  const bare = (yield* foldText(oldText, fold, source.breaks)).text;
  const tail = fold === "line_endings" ? "" : foldLooks(tailOf(oldText));
  const matchOf = (at: number, end: number): TierMatch => ({
    start: file.originOf(at),
    end: originOfEnd(source, file, end),
  });
  const find = function* (needle: string, isAllowed: (end: number) => boolean = () => true): SlicedWork<TierMatch[]> {
    const accepts = (at: number): boolean => {
      const end = at + needle.length;
      return isAllowed(end) && isWhole(source.text, matchOf(at, end), fold);
    };
    const found = yield* occurrencesOf(file.text, needle, { excludesOverlaps, most: MATCH_LIMIT, accepts });
    return found.map((at) => matchOf(at, at + needle.length));
  };
  const inside = yield* find(bare + tail);
  // Trailing white space of the old text may be missing in the file only at the end of a line.
  const isLineEnd = (end: number): boolean => end === file.text.length || file.text[end] === "\n";
  const found = inside.length > 0 || tail === "" ? inside : yield* find(bare, isLineEnd);
  if (found.length > 0 || isBlank) return found;
  const last = openEnd(file.text, bare);
  return last.map(({ at, end }) => matchOf(at, end)).filter((match) => isWhole(source.text, match, fold));
}

/** Returns the blanks after the last visible character or line break. */
function tailOf(text: string): string {
  const blank = text.slice(text.trimEnd().length);
  return blank.slice(Math.max(blank.lastIndexOf("\n"), blank.lastIndexOf("\r")) + 1);
}

/** Matches a last line without a line break, if the old text ends with one and was found nowhere else. */
function openEnd(text: string, bare: string): { readonly at: number; readonly end: number }[] {
  if (!bare.endsWith("\n") || text.endsWith("\n") || !text.endsWith(bare.slice(0, -1))) return [];
  return [{ at: text.length - bare.length + 1, end: text.length }];
}

/**
 * Maps the end of a match to the original. After a line break the match is over: the blanks of a following empty line
 * are not part of it.
 */
function originOfEnd({ text }: SearchedText, file: FoldedText, end: number): number {
  if (file.text[end - 1] !== "\n") return file.originOf(end);
  const feed = file.originOf(end - 1);
  return feed + (text.startsWith("\r\n", feed) ? 2 : 1);
}

function isWhole(text: string, { start, end }: TierMatch, fold: Fold): boolean {
  if (start < contentStart(text) || end < start) return false;
  if (fold === "look_alikes") return isGraphemeBoundary(text, start) && isGraphemeBoundary(text, end);
  return !isInsideCharacter(text, start) && !isInsideCharacter(text, end);
}

/** Finds whole lines that differ by one shift of indentation, which the new text can follow. */
function* shiftedMatches(
  source: SearchedText,
  { oldText, newText }: EditTarget,
  keyOf: LineKey,
): SlicedWork<TierMatch[]> {
  if (oldText.trim() === "") return [];
  const old = oldText.split(source.breaks);
  const isClosed = old.at(-1) === "";
  if (isClosed) old.pop();
  const fresh = newText.split(source.breaks);
  const lines = yield* source.lines();
  const matches: TierMatch[] = [];
  for (const at of yield* (yield* source.search(keyOf)).find(old)) {
    yield;
    const block = lines.slice(at, at + old.length);
    const has = block.map((line) => line.text);
    const shift = shiftBetween(old, has);
    const first = block[0];
    const last = block.at(-1);
    if (!first || !last || !shift || !shiftLines(fresh, shift, has)) continue;
    matches.push({ start: first.start, end: endOf(last) - (isClosed ? 0 : last.ending.length), shift });
    if (matches.length >= MATCH_LIMIT) break;
  }
  return matches;
}
