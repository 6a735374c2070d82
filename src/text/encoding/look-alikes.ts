/** Normalizes a text by appearance: NFC, with quotes, dashes, dots, widths and spaces as on a keyboard. */
export function foldLooks(text: string): string {
  return isAscii(text) ? text : text.replace(LOOKS, foldedLook);
}

/** Returns true if every character is ASCII and so looks like itself. */
export const isAscii = (text: string): boolean => !FOREIGN.test(text);

/** Folds one visible unit: a letter with its marks, a Hangul syllable, or a single character. */
export function foldedLook(unit: string): string {
  return SAME_LOOK.get(unit) ?? unit.normalize("NFC");
}

/** Matches units that may look like others: a character with marks, Hangul in parts, or anything that is not ASCII. */
export const LOOKS =
  /[^\p{M}\r\n]\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?|[\uAC00-\uD7A3][\u11A8-\u11C2]|[^\0-\x7F]/gu;

/** Splits a text into its visible units. */
export function unitsOf(text: string): string[] {
  return text.match(UNITS) ?? [];
}

const UNITS = new RegExp(`${LOOKS.source}|[^]`, "gu");

/** Spaces that are drawn like the plain one. */
export const ODD_SPACES = "\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000";

const FOREIGN = /[^\0-\x7F]/;

/** Characters without width: a zero-width space, a word joiner. */
const ZERO_WIDTH = "\u200B\u2060";

/** Full-width forms of all visible ASCII characters. */
const FULL_WIDTH = Array.from({ length: 94 }, (_, index) => [0x21 + index, 0xff01 + index] as const);

const LOOK_ALIKES: readonly (readonly [plain: string, others: string])[] = [
  ...FULL_WIDTH.map(([plain, wide]) => [String.fromCharCode(plain), String.fromCharCode(wide)] as const),
  ["...", "\u2026"],
  ["", ZERO_WIDTH],
  ["'", "\u2018\u2019\u201A\u201B\u2032\u2035\u02BC\uFF07"],
  ['"', "\u201C\u201D\u201E\u201F\u2033\u2036\uFF02"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uFE58\uFE63\uFF0D"],
  [" ", "\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000"],
];

const SAME_LOOK: ReadonlyMap<string, string> = new Map(
  LOOK_ALIKES.flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)),
);

/** Returns true if a cut here would split a CRLF, a surrogate pair, or a letter and its accent. */
export function isInsideCharacter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  if (before === CR) return after === LF;
  if (isLow(after)) return isHigh(before);
  if (after < FIRST_MARK || !MARK.test(text.charAt(at))) return false;
  const letter = isLow(before) ? text.slice(at - 2, at) : text.charAt(at - 1);
  return `${letter}${text.charAt(at)}`.normalize("NFC").length <= letter.length;
}

const CR = 13;
const LF = 10;
const FIRST_MARK = 0x300;
const MARK = /\p{M}/u;

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Returns true if a cut here keeps every grapheme whole, including flags, emoji families and conjuncts. */
export function isGraphemeBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (isAscii(text.slice(at - 1, at + 1))) return !isInsideCharacter(text, at);
  const from = Math.max(0, at - WINDOW);
  const before = text.slice(from, at);
  const line = before.slice(before.lastIndexOf("\n", before.length - 2) + 1);
  const segment = graphemes()
    .segment(line + text.slice(at, at + WINDOW))
    .containing(line.length);
  return segment === undefined || segment.index === line.length;
}

/** The longest grapheme that is considered; longer ones occur only in attacks. */
const WINDOW = 128;

let segmenter: Intl.Segmenter | undefined;

/** Creates the segmenter on first use, because that dominates the start-up time of this module. */
const graphemes = (): Intl.Segmenter => (segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" }));
