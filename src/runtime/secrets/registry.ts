import { Buffer } from "node:buffer";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { PLACEHOLDERS, secretPlaceholder } from "../../text/secrets/placeholder.ts";
import { createValueIndex, type SharedPart, type Spelling } from "../../text/secrets/value-index.ts";

/** The secrets that a session has met, each under a handle that stays the same. */
export interface SecretRegistry {
  /** Grows with everything that becomes known. */
  size(): number;
  /** The handle of a value; met again, it has the same one whatever it is called there. */
  placeholderFor(value: string, label: string): string;
  /** Where values stand in a text. Short ones, and pieces out of longer ones, count only where they are named: they may be any word. */
  find(text: string, named?: ReadonlySet<string>): readonly HiddenSpan[];
  /** A short value that was written by its handle is known from now on wherever it stands alone. */
  markWritten(value: string): void;
  /** Whether much of one of these values stands in a text without the rest of it. */
  isSplitIn(text: string, values: ReadonlySet<string>): boolean;
  /** Whether a handle stands for a value: anybody can write what looks like one. */
  has(handle: string): boolean;
  /** What a handle stands for; nothing where that is so short that it may be any word. */
  longValueOf(handle: string): string | undefined;
  /** The text with values for handles, or what is put for them. An unknown handle is refused: written as it is, it would replace a secret. */
  restore(text: string, put?: (value: string, handle: string) => string): string;
}

/** A stretch of a text, and the handle that stands for it. */
export interface HiddenSpan {
  readonly start: number;
  readonly end: number;
  readonly placeholder: string;
}

export function createSecretRegistry(): SecretRegistry {
  const handles = new Map<string, string>();
  const values = new Map<string, string>();
  const counts = new Map<string, number>();
  const shortSpellings = new Map<string, readonly Spelling[]>();
  const handedOut = new Set<string>();
  const index = createValueIndex();
  return {
    size: () => handles.size + handedOut.size,
    markWritten(value) {
      if (shortSpellings.has(value)) handedOut.add(value);
    },
    placeholderFor(value, label) {
      const known = handles.get(value);
      if (known !== undefined) return known;
      const number = (counts.get(label) ?? 0) + 1;
      counts.set(label, number);
      const handle = secretPlaceholder(label, number);
      handles.set(value, handle);
      values.set(handle, value);
      const spellings = spellingsOf(value).map((spelled) => ({ spelled, value, handle }));
      if (isLong(value)) spellings.forEach(index.add);
      else shortSpellings.set(value, spellings);
      return handle;
    },
    find(text, named) {
      const found: HiddenSpan[] = [];
      if (handles.size === 0) return found;
      const isNamed = ({ value }: Spelling): boolean => named?.has(value) === true;
      const isMeant = (spelling: Spelling, from: number): boolean => from === 0 || isNamed(spelling);
      index.find(text, isMeant, (shared) => {
        const span = isPrefixMatch(shared)
          ? extendedToWordEnd(text, shared)
          : isNamed(shared.spelling)
            ? shared
            : undefined;
        if (span) found.push({ start: span.start, end: span.end, placeholder: shared.spelling.handle });
        return span !== undefined;
      });
      for (const value of named ? new Set([...handedOut, ...named]) : handedOut)
        for (const spelling of shortSpellings.get(value) ?? []) addStandalone(text, spelling, found);
      return found;
    },
    isSplitIn(text, apart) {
      let rest = text;
      for (const value of apart) rest = rest.replaceAll(value, " ");
      let isFound = false;
      const isMeant = ({ value }: Spelling): boolean => apart.has(value);
      index.find(rest, isMeant, ({ spelling: { value }, start, end }) => {
        isFound ||= end - start > Math.min(value.length / 2, LIMITS.secretPartChars);
        return true;
      });
      return isFound;
    },
    has: (handle) => values.has(handle),
    longValueOf(handle) {
      const value = values.get(handle) ?? "";
      return isLong(value) ? value : undefined;
    },
    restore: (text, put = (value) => value) =>
      text.replace(PLACEHOLDERS, (handle) => put(values.get(handle) ?? throwUnknownPlaceholder(handle), handle)),
  };
}

const isLong = (value: string): boolean => value.length >= LIMITS.secretChars;

/** As it is, as it stands in a message that quotes it, and as its bytes look that are taken for characters. */
function spellingsOf(value: string): readonly string[] {
  const utf16 = Buffer.from(value, "utf16le");
  const quoted = JSON.stringify(value).slice(1, -1);
  const bytes = [Buffer.from(value), utf16, Buffer.from(utf16).swap16()].map((each) => each.toString("latin1"));
  return [...new Set([value, quoted, ...bytes])];
}

/** All of a value, or as much of its beginning as tells that it was cut off. */
const isPrefixMatch = ({ spelling: { spelled }, from, start, end }: SharedPart): boolean =>
  from === 0 && end - start >= Math.min(spelled.length, LIMITS.secretPartChars);

const extendedToWordEnd = (
  text: string,
  { spelling: { spelled }, start, end }: SharedPart,
): Pick<HiddenSpan, "start" | "end"> => ({
  start,
  end: end - start < spelled.length ? endOfWord(text, end) : end,
});

/** Where only the start of a value stands, all that follows goes with it: what stayed would tell where a guess is wrong. */
function endOfWord(text: string, from: number): number {
  WORD.lastIndex = from;
  WORD.test(text);
  return WORD.lastIndex;
}

const WORD = /[^\s"'`\u2026[\]]*/y;

/** A short value may be part of any word. */
function addStandalone(text: string, { spelled, handle }: Spelling, found: HiddenSpan[]): void {
  for (let start = text.indexOf(spelled); start >= 0; start = text.indexOf(spelled, start + 1)) {
    const end = start + spelled.length;
    if (!/\w/.test(text[start - 1] ?? "") && !/\w/.test(text[end] ?? ""))
      found.push({ start, end, placeholder: handle });
  }
}

/** What is left of a text, and handles, in turn. Nothing that any of the spans holds is left. */
export function* partsBetween(length: number, spans: readonly HiddenSpan[]): Generator<[number, number] | string> {
  let from = 0;
  for (const { start, end, placeholder } of mergedSpans(spans)) {
    yield [from, start];
    yield placeholder;
    from = end;
  }
  yield [from, length];
}

/** In order; those that overlap are one, under the handle of the first. */
export function mergedSpans(spans: readonly HiddenSpan[]): readonly HiddenSpan[] {
  const apart: HiddenSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1);
    if (!last || span.start >= last.end) apart.push(span);
    else if (span.end > last.end) apart[apart.length - 1] = { ...last, end: span.end };
  }
  return apart;
}

function throwUnknownPlaceholder(handle: string): never {
  throw new Fault("invalid_input", `Cannot use ${handle}: it stands for no secret of this session`, {
    hint: "Read the file again for the handles it has now; nothing was changed",
  });
}
