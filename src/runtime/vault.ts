import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { HANDLES, secretHandle } from "../text/secret-handle.ts";

/** The secrets that a session has met, each under a handle that stays the same. */
export interface Vault {
  size(): number;
  /** The handle of a value; met again, it has the same one whatever it is called there. */
  handleFor(value: string, label: string): string;
  /** Where values stand in a text. Short ones, and pieces out of longer ones, count only where they are named: they may be any word. */
  find(text: string, named?: ReadonlySet<string>): readonly HiddenSpan[];
  /** Whether much of one of these values stands in a text without the rest of it. */
  isApartIn(text: string, values: ReadonlySet<string>): boolean;
  /** What a handle stands for; nothing where that is so short that it may be any word. */
  longValueOf(handle: string): string | undefined;
  /** The text with values for handles. An unknown handle is refused: written as it is, it would replace a secret. */
  restored(text: string): string;
}

/** A stretch of a text, and the handle that stands for it. */
export interface HiddenSpan {
  readonly start: number;
  readonly end: number;
  readonly handle: string;
}

export function createVault(): Vault {
  const handles = new Map<string, string>();
  const values = new Map<string, string>();
  const counts = new Map<string, number>();
  const spellings: Spelling[] = [];
  const beginnings = createBeginnings();
  return {
    size: () => handles.size,
    handleFor(value, label) {
      const known = handles.get(value);
      if (known !== undefined) return known;
      const number = (counts.get(label) ?? 0) + 1;
      counts.set(label, number);
      const handle = secretHandle(label, number);
      handles.set(value, handle);
      values.set(handle, value);
      for (const spelled of spellingsOf(value)) {
        spellings.push({ spelled, value, handle });
        beginnings.add({ spelled, value, handle });
      }
      return handle;
    },
    find(text, named) {
      const found: HiddenSpan[] = [];
      const isMeant = ({ value }: Spelling): boolean =>
        value.length >= LIMITS.secretChars || named?.has(value) === true;
      if (spellings.length > FEW)
        beginnings.find(text, (spelling, at) => isMeant(spelling) && occurs(text, spelling, at, found));
      else for (const spelling of spellings) if (isMeant(spelling)) occurrences(text, spelling, found);
      for (const value of named ?? []) pieces(text, value, handles.get(value), found);
      return found;
    },
    isApartIn(text, apart) {
      let rest = text;
      for (const value of apart) rest = rest.replaceAll(value, " ");
      const found: HiddenSpan[] = [];
      for (const value of apart) pieces(rest, value, handles.get(value), found);
      return found.some(({ start, end, handle }) => end - start > Math.min(...muchOf(values.get(handle) ?? "")));
    },
    longValueOf(handle) {
      const value = values.get(handle) ?? "";
      return value.length >= LIMITS.secretChars ? value : undefined;
    },
    restored: (text) => text.replace(HANDLES, (handle) => values.get(handle) ?? refuse(handle)),
  };
}

interface Spelling {
  readonly spelled: string;
  readonly value: string;
  readonly handle: string;
}

/** As it is, and as it stands in a message that quotes it. */
const spellingsOf = (value: string): readonly string[] => [...new Set([value, JSON.stringify(value).slice(1, -1)])];

/** So many are faster found one by one, each by what the engine has for one word. */
const FEW = 12;

function occurrences(text: string, spelling: Spelling, found: HiddenSpan[]): void {
  const head = spelling.spelled.slice(0, LIMITS.secretPartChars);
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + 1)) occurs(text, spelling, at, found);
}

/** Also a value whose end was cut off. A short one must stand alone. */
function occurs(text: string, { spelled, value, handle }: Spelling, start: number, found: HiddenSpan[]): void {
  let end = start;
  while (end - start < spelled.length && text[end] === spelled[end - start]) end++;
  if (end - start < Math.min(spelled.length, LIMITS.secretPartChars)) return;
  if (end - start < spelled.length) end = endOfWord(text, end);
  if (value.length >= LIMITS.secretChars || standsAlone(text, start, end)) found.push({ start, end, handle });
}

const muchOf = (value: string): readonly number[] => [value.length / 2, LIMITS.secretPartChars];

/** A change that goes through the middle of a value leaves a piece of it. */
function pieces(text: string, value: string, handle: string | undefined, found: HiddenSpan[]): void {
  if (handle === undefined || value.length <= LIMITS.secretChars) return;
  const places = new Map<string, number>();
  for (let at = value.length - LIMITS.secretChars; at >= 0; at--)
    places.set(value.slice(at, at + LIMITS.secretChars), at);
  for (let start = 0, end = 0; start + LIMITS.secretChars <= text.length; start = Math.max(start + 1, end)) {
    const at = places.get(text.slice(start, start + LIMITS.secretChars));
    if (at === undefined) continue;
    end = start + LIMITS.secretChars;
    while (end < text.length && at + end - start < value.length && text[end] === value[at + end - start]) end++;
    found.push({ start, end, handle });
  }
}

/** Where only the start of a value stands, all that follows goes with it: what stayed would tell where a guess is wrong. */
function endOfWord(text: string, from: number): number {
  WORD.lastIndex = from;
  WORD.test(text);
  return WORD.lastIndex;
}

const WORD = /[^\s"'`\u2026[\]]*/y;

/** Finds where any of many words might begin, in one pass over a text. */
function createBeginnings() {
  const marks = new Uint8Array(MARKS);
  const byBeginning = new Map<string, Spelling[]>();
  return {
    add(spelling: Spelling): void {
      const { spelled } = spelling;
      const beginning = spelled.slice(0, BEGINNING);
      marks[markOf(spelled.charCodeAt(0), spelled.charCodeAt(1), spelled.charCodeAt(2))] = 1;
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), spelling]);
    },
    find(text: string, tell: (spelling: Spelling, at: number) => void): void {
      let [first, second] = [text.charCodeAt(0), text.charCodeAt(1)];
      for (let last = BEGINNING - 1; last < text.length; last++) {
        const third = text.charCodeAt(last);
        const isMarked = marks[markOf(first, second, third)] === 1;
        [first, second] = [second, third];
        if (!isMarked) continue;
        const at = last - BEGINNING + 1;
        for (const spelling of byBeginning.get(text.slice(at, at + BEGINNING)) ?? []) tell(spelling, at);
      }
    },
  };
}

const markOf = (first: number, second: number, third: number): number =>
  (first * 961 + second * 31 + third) & (MARKS - 1);

const BEGINNING = 3;
const MARKS = 2 ** 16;

const standsAlone = (text: string, start: number, end: number): boolean =>
  !/\w/.test(text[start - 1] ?? "") && !/\w/.test(text[end] ?? "");

/** What is left of a text, and handles, in turn. Nothing that any of the spans holds is left. */
export function* partsAround(length: number, spans: readonly HiddenSpan[]): Generator<[number, number] | string> {
  let from = 0;
  for (const { start, end, handle } of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= from) {
      yield [from, start];
      yield handle;
    }
    from = Math.max(from, end);
  }
  yield [from, length];
}

function refuse(handle: string): never {
  throw new Fault("invalid_input", `Cannot use ${handle}: it stands for no secret of this session`, {
    hint: "Read the file again for the handles it has now; nothing was changed",
  });
}
