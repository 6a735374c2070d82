import { type Fold, type FoldedText, foldText } from "./folded-text.ts";
import { type Shift, shiftBetween, shiftLines } from "./indent.ts";
import { createLineSearch, LINE_KEYS, type LineKey, type LineSearch } from "./line-search.ts";
import { foldLooks, isGraphemeBoundary, isInsideCharacter } from "./look-alikes.ts";
import { occurrencesOf } from "./occurrences.ts";
import { type Tier, TIERS } from "./splice.ts";
import { breaksOf, contentStart, createEndingFinder, endOf, linesOf, type TextLine } from "./text-lines.ts";

/** A place where the old text stands; `shift` when it stands there with other indentation. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly shift?: Shift;
}

/** A text to search in. What a tier needs is made when it is first asked for, once for all edits. */
export interface Source {
  readonly text: string;
  readonly breaks: RegExp;
  /** Whether there is a carriage return anywhere. */
  readonly hasReturn: boolean;
  readonly lines: () => readonly TextLine[];
  /** The line break that a new line at this offset should get. */
  readonly endingAt: (offset: number) => string;
  readonly folded: (fold: Fold) => FoldedText;
  readonly search: (keyOf: LineKey) => LineSearch;
}

/** Cheap to make: nothing is computed before it is needed. */
export function createSource(text: string): Source {
  const breaks = breaksOf(text);
  const lines = lazy(() => linesOf(text, breaks));
  return {
    text,
    breaks,
    hasReturn: text.includes("\r"),
    lines: () => lines(undefined),
    endingAt: createEndingFinder(text, breaks),
    folded: lazy((fold: Fold) => foldText(text, fold, breaks)),
    search: lazy((keyOf: LineKey) =>
      createLineSearch(
        lines(undefined).map((line) => line.text),
        keyOf,
      ),
    ),
  };
}

/** What is sought, and what it becomes: a block is moved only when the new text can move with it. */
export interface Wanted {
  readonly oldText: string;
  readonly newText: string;
}

/** All places in the first tier that has any, in the order of the text; overlapping ones too. */
export function findMatches(source: Source, wanted: Wanted): { tier: Tier; matches: readonly Match[] } | null {
  for (const tier of TIERS) {
    const matches = FINDERS[tier](source, wanted);
    if (matches.length > 0) return { tier, matches };
  }
  return null;
}

type Finder = (source: Source, wanted: Wanted) => Match[];

const FINDERS: Readonly<Record<Tier, Finder>> = {
  exact: exactMatches,
  line_endings: (source, wanted) =>
    isCrlfOnly(source.text) ? crlfMatches(source, wanted) : foldedMatches(source, wanted, "line_endings"),
  trailing_space: (source, wanted) => foldedMatches(source, wanted, "trailing_space"),
  indentation: (source, wanted) => shiftedMatches(source, wanted, LINE_KEYS.trimmed),
  look_alikes(source, wanted) {
    const matches = foldedMatches(source, wanted, "look_alikes");
    return matches.length > 0 ? matches : shiftedMatches(source, wanted, LINE_KEYS.trimmedLook);
  },
};

function lazy<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

function exactMatches({ text }: Source, { oldText }: Wanted): Match[] {
  return occurrencesOf(text, oldText, contentStart(text))
    .map((start) => ({ start, end: start + oldText.length }))
    .filter(({ start, end }) => !isInsideCharacter(text, start) && !isInsideCharacter(text, end));
}

const LONE_FEED = /(?<!\r)\n/;

const isCrlfOnly = (text: string): boolean => text.includes("\r\n") && !LONE_FEED.test(text);

/** The usual case, ten times as fast as a fold: in a file with one kind of line break the old text takes it over. */
function crlfMatches(source: Source, { oldText, newText }: Wanted): Match[] {
  const crlf = { oldText: oldText.replace(/\r?\n/g, "\r\n"), newText };
  const found = crlf.oldText === oldText ? [] : exactMatches(source, crlf);
  if (found.length > 0) return found;
  const { text } = source;
  const open = crlf.oldText.slice(0, -2);
  const isOpen = crlf.oldText.endsWith("\r\n") && open.trim() !== "" && !text.endsWith("\n") && text.endsWith(open);
  const last = { start: text.length - open.length, end: text.length };
  return isOpen && isWhole(text, last, "line_endings") ? [last] : [];
}

/** Text without a visible character would fit nearly everywhere once white space is forgiven. */
function foldedMatches(source: Source, { oldText }: Wanted, fold: Fold): Match[] {
  const isBlank = oldText.trim() === "";
  if (isBlank && fold !== "line_endings") return [];
  const file = source.folded(fold);
  const bare = foldText(oldText, fold, source.breaks).text;
  const tail = fold === "line_endings" ? "" : foldLooks(tailOf(oldText));
  const inside = spansOf(file.text, bare + tail);
  const found = inside.length > 0 || tail === "" ? inside : lineEndMatches(file.text, bare);
  return (found.length > 0 || isBlank ? found : openEndMatches(file.text, bare))
    .map(({ at, end }) => ({ start: file.originOf(at), end: originOfEnd(source, file, end) }))
    .filter((match) => isWhole(source.text, match, fold));
}

interface Span {
  readonly at: number;
  readonly end: number;
}

const spansOf = (text: string, needle: string): Span[] =>
  occurrencesOf(text, needle).map((at) => ({ at, end: at + needle.length }));

/** The blanks behind the last visible character or line break. */
function tailOf(text: string): string {
  const blank = text.slice(text.trimEnd().length);
  return blank.slice(Math.max(blank.lastIndexOf("\n"), blank.lastIndexOf("\r")) + 1);
}

/** White space at the end of the old text may be missing in the file only where nothing else follows on the line. */
function lineEndMatches(text: string, bare: string): Span[] {
  return spansOf(text, bare).filter(({ end }) => end === text.length || text[end] === "\n");
}

/** A last line without a line break is still that line when the old text ends with one and stands nowhere else. */
function openEndMatches(text: string, bare: string): Span[] {
  if (!bare.endsWith("\n") || text.endsWith("\n") || !text.endsWith(bare.slice(0, -1))) return [];
  return [{ at: text.length - bare.length + 1, end: text.length }];
}

/** Behind a line break the match is over: the blanks of an empty line that follows are not part of it. */
function originOfEnd({ text }: Source, file: FoldedText, end: number): number {
  if (file.text[end - 1] !== "\n") return file.originOf(end);
  const feed = file.originOf(end - 1);
  return feed + (text.startsWith("\r\n", feed) ? 2 : 1);
}

function isWhole(text: string, { start, end }: Match, fold: Fold): boolean {
  if (start < contentStart(text) || end < start) return false;
  if (fold === "look_alikes") return isGraphemeBoundary(text, start) && isGraphemeBoundary(text, end);
  return !isInsideCharacter(text, start) && !isInsideCharacter(text, end);
}

/** Whole lines that differ by one shift, which the new text can follow. */
function shiftedMatches(source: Source, { oldText, newText }: Wanted, keyOf: LineKey): Match[] {
  if (oldText.trim() === "") return [];
  const old = oldText.split(source.breaks);
  const isClosed = old.at(-1) === "";
  if (isClosed) old.pop();
  const fresh = newText.split(source.breaks);
  return source
    .search(keyOf)
    .find(old)
    .flatMap((at) => {
      const block = source.lines().slice(at, at + old.length);
      const has = block.map((line) => line.text);
      const shift = shiftBetween(old, has);
      const first = block[0];
      const last = block.at(-1);
      if (!first || !last || !shift || !shiftLines(fresh, shift, has)) return [];
      return [{ start: first.start, end: endOf(last) - (isClosed ? 0 : last.ending.length), shift }];
    });
}
