import { Buffer } from "node:buffer";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { PLACEHOLDERS, secretPlaceholder } from "../../text/secrets/placeholder.ts";
import { createValueIndex, type SharedPart, type Spelling } from "../../text/secrets/value-index.ts";

/** Knows the secrets that a session has seen, each with a placeholder that stays the same. */
export interface SecretRegistry {
  /** Grows with every value that becomes known, and so serves as a version for caches. */
  size(): number;
  /** Returns the placeholder of a value: the same one again, whatever the label is the next time. */
  placeholderFor(value: string, label: string): string;
  /**
   * Finds values in a text. Finds short values, and parts of longer ones, only if they are in `named`: they may be any
   * word.
   */
  find(text: string, named?: ReadonlySet<string>): readonly RedactedSpan[];
  /** Makes a short value that was written through its placeholder known wherever it stands alone. */
  markWritten(value: string): void;
  /** Returns true where a large part of one of these values is in a text without the rest of it. */
  isSplitIn(text: string, values: ReadonlySet<string>): boolean;
  /** Returns false for what only looks like a placeholder. */
  has(placeholder: string): boolean;
  /** Returns the value of a placeholder; undefined where it is so short that it may be any word. */
  longValueOf(placeholder: string): string | undefined;
  /**
   * Replaces placeholders by values, or by what `replace` returns for them. Throws for an unknown one: written as it
   * is, it would replace a secret.
   */
  restore(text: string, replace?: (value: string, placeholder: string) => string): string;
}

/** Marks a range of a text that is shown as a placeholder. */
export interface RedactedSpan {
  readonly start: number;
  readonly end: number;
  readonly placeholder: string;
}

export function createSecretRegistry(): SecretRegistry {
  const placeholders = new Map<string, string>();
  const values = new Map<string, string>();
  const counts = new Map<string, number>();
  const shortSpellings = new Map<string, readonly Spelling[]>();
  const written = new Set<string>();
  const index = createValueIndex();
  return {
    size: () => placeholders.size + written.size,
    markWritten(value) {
      if (shortSpellings.has(value)) written.add(value);
    },
    placeholderFor(value, label) {
      const known = placeholders.get(value);
      if (known !== undefined) return known;
      const number = (counts.get(label) ?? 0) + 1;
      counts.set(label, number);
      const placeholder = secretPlaceholder(label, number);
      placeholders.set(value, placeholder);
      values.set(placeholder, value);
      const spellings = spellingsOf(value).map((spelled) => ({ spelled, value, placeholder }));
      if (isLong(value)) spellings.forEach(index.add);
      else shortSpellings.set(value, spellings);
      return placeholder;
    },
    find: (text, named) => (placeholders.size === 0 ? [] : findValues(text, { index, shortSpellings, written }, named)),
    isSplitIn: (text, split) => isSplitIn(text, split, index),
    has: (placeholder) => values.has(placeholder),
    longValueOf(placeholder) {
      const value = values.get(placeholder) ?? "";
      return isLong(value) ? value : undefined;
    },
    restore: (text, replace = (value) => value) =>
      text.replace(PLACEHOLDERS, (placeholder) =>
        replace(values.get(placeholder) ?? throwUnknownPlaceholder(placeholder), placeholder),
      ),
  };
}

interface KnownSpellings {
  readonly index: ReturnType<typeof createValueIndex>;
  readonly shortSpellings: ReadonlyMap<string, readonly Spelling[]>;
  readonly written: ReadonlySet<string>;
}

function findValues(
  text: string,
  { index, shortSpellings, written }: KnownSpellings,
  named?: ReadonlySet<string>,
): readonly RedactedSpan[] {
  const found: RedactedSpan[] = [];
  const isNamed = ({ value }: Spelling): boolean => named?.has(value) === true;
  const isWanted = (spelling: Spelling, from: number): boolean => from === 0 || isNamed(spelling);
  index.find(text, isWanted, (shared) => {
    const span = isPrefixMatch(shared)
      ? extendedToWordEnd(text, shared)
      : isNamed(shared.spelling)
        ? shared
        : undefined;
    if (span) found.push({ start: span.start, end: span.end, placeholder: shared.spelling.placeholder });
    return span !== undefined;
  });
  for (const value of named ? new Set([...written, ...named]) : written)
    for (const spelling of shortSpellings.get(value) ?? []) addStandalone(text, spelling, found);
  return found;
}

function isSplitIn(text: string, values: ReadonlySet<string>, index: KnownSpellings["index"]): boolean {
  let rest = text;
  for (const value of values) rest = rest.replaceAll(value, " ");
  let isFound = false;
  const isWanted = ({ value }: Spelling): boolean => values.has(value);
  index.find(rest, isWanted, ({ spelling: { value }, start, end }) => {
    isFound ||= end - start > Math.min(value.length / 2, LIMITS.secretPartChars);
    return true;
  });
  return isFound;
}

const isLong = (value: string): boolean => value.length >= LIMITS.secretChars;

/** Returns a value as it is, as JSON quotes it, and as its UTF-8 and UTF-16 bytes look when read as Latin-1. */
function spellingsOf(value: string): readonly string[] {
  const utf16 = Buffer.from(value, "utf16le");
  const quoted = JSON.stringify(value).slice(1, -1);
  const bytes = [Buffer.from(value), utf16, Buffer.from(utf16).swap16()].map((each) => each.toString("latin1"));
  return [...new Set([value, quoted, ...bytes])];
}

/** Accepts a whole value, or a prefix that is long enough to be a value that was cut off. */
const isPrefixMatch = ({ spelling: { spelled }, from, start, end }: SharedPart): boolean =>
  from === 0 && end - start >= Math.min(spelled.length, LIMITS.secretPartChars);

const extendedToWordEnd = (
  text: string,
  { spelling: { spelled }, start, end }: SharedPart,
): Pick<RedactedSpan, "start" | "end"> => ({
  start,
  end: end - start < spelled.length ? endOfWord(text, end) : end,
});

/** Hides the rest of the word after a prefix of a value: what stayed would reveal where a guess is wrong. */
function endOfWord(text: string, from: number): number {
  WORD.lastIndex = from;
  WORD.test(text);
  return WORD.lastIndex;
}

const WORD = /[^\s"'`\u2026[\]]*/y;

/** Finds a short value only between word boundaries, since it may be part of any word. */
function addStandalone(text: string, { spelled, placeholder }: Spelling, found: RedactedSpan[]): void {
  for (let start = text.indexOf(spelled); start >= 0; start = text.indexOf(spelled, start + 1)) {
    const end = start + spelled.length;
    if (!/\w/.test(text[start - 1] ?? "") && !/\w/.test(text[end] ?? "")) found.push({ start, end, placeholder });
  }
}

/** Yields the ranges between the spans and the placeholders of the spans, in turn. */
export function* partsBetween(length: number, spans: readonly RedactedSpan[]): Generator<[number, number] | string> {
  let from = 0;
  for (const { start, end, placeholder } of mergedSpans(spans)) {
    yield [from, start];
    yield placeholder;
    from = end;
  }
  yield [from, length];
}

/** Sorts spans and merges those that overlap, under the placeholder of the first. */
export function mergedSpans(spans: readonly RedactedSpan[]): readonly RedactedSpan[] {
  const merged: RedactedSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (!last || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}

function throwUnknownPlaceholder(placeholder: string): never {
  throw new Fault("invalid_input", `Cannot use ${placeholder}: it stands for no secret of this session`, {
    hint: "Read the file again for the placeholders it has now; nothing was changed",
  });
}
