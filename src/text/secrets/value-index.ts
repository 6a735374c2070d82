import { Buffer } from "node:buffer";
import { LIMITS } from "../../base/limits.ts";

/** One spelling of a secret value, and the placeholder that replaces it. */
export interface Spelling {
  readonly spelled: string;
  readonly value: string;
  readonly placeholder: string;
}

/**
 * A range of a text that equals a part of a spelling, at least one window long. `from` is its offset in the spelling.
 */
export interface SharedPart {
  readonly spelling: Spelling;
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/** Finds in one pass the parts that a text shares with any of many values. */
export interface ValueIndex {
  add(spelling: Spelling): void;
  /**
   * Calls `takes` for every longest shared part that `accepts` allows. Inside a part that was taken, only starts of
   * values count.
   */
  find(
    text: string,
    accepts: (spelling: Spelling, from: number) => boolean,
    takes: (shared: SharedPart) => boolean,
  ): void;
}

/** The shortest shared part that is found. */
export const WINDOW = LIMITS.secretChars;
/** The length of a word. Every window contains an aligned word, wherever it lies, so only aligned words are checked. */
const WORD = 4;
const MARK_BITS = 16;
const MARKS = 2 ** MARK_BITS;

export function createValueIndex(): ValueIndex {
  const words = new Uint8Array(MARKS);
  const windows = new Uint8Array(MARKS);
  const places = new Map<string, SpellingOffset[]>();
  return {
    add(spelling) {
      const { spelled } = spelling;
      for (let shift = 0; shift < WORD; shift++)
        for (const word of wordsOf(spelled.slice(shift))) words[wordMark(word)] = 1;
      for (let from = 0; from + WINDOW <= spelled.length; from++) {
        windows[windowMark(spelled, from)] = 1;
        addTo(places, spelled.slice(from, from + WINDOW), { spelling, from });
      }
    },
    find(text, accepts, takes) {
      let taken = 0;
      const reportFrom = (start: number): void => {
        for (const { spelling, from } of places.get(text.slice(start, start + WINDOW)) ?? []) {
          const isWithin = start + WINDOW <= taken && from > 0;
          if (isWithin || !accepts(spelling, from)) continue;
          const end = start + sharedLength(text, start, spelling.spelled, from);
          if (takes({ spelling, from, start, end })) taken = Math.max(taken, end);
        }
      };
      const all = wordsOf(text);
      for (let index = nextMarked(all, words, 0); index < all.length; index = nextMarked(all, words, index + 1)) {
        const at = index * WORD;
        for (let start = Math.max(0, at - WORD + 1); start <= at; start++)
          if (windows[windowMark(text, start)] === 1) reportFrom(start);
      }
    },
  };
}

interface SpellingOffset {
  readonly spelling: Spelling;
  readonly from: number;
}

/**
 * Packs four characters into a word by their low bytes. Characters that differ only in their high bytes are compared
 * later.
 */
function wordsOf(text: string): Int32Array {
  const words = new Int32Array(Math.ceil(text.length / WORD));
  Buffer.from(words.buffer).write(text, "latin1");
  return words;
}

function nextMarked(all: Int32Array, marked: Uint8Array, from: number): number {
  let index = from;
  while (index < all.length && marked[wordMark(all[index] as number)] === 0) index++;
  return index;
}

const wordMark = (word: number): number => Math.imul(word, 0x9e3779b1) >>> (32 - MARK_BITS);

function windowMark(text: string, at: number): number {
  let mark = 0;
  for (let next = at; next < at + WINDOW; next++) mark = Math.imul(mark, 31) + text.charCodeAt(next);
  return mark & (MARKS - 1);
}

/** Keeps only the first offset of each spelling per window, because the rest is found from there. */
function addTo(places: Map<string, SpellingOffset[]>, window: string, place: SpellingOffset): void {
  const known = places.get(window);
  if (!known) places.set(window, [place]);
  else if (known.at(-1)?.spelling !== place.spelling) known.push(place);
}

function sharedLength(text: string, start: number, spelled: string, from: number): number {
  let length = WINDOW;
  while (from + length < spelled.length && text[start + length] === spelled[from + length]) length++;
  return length;
}
