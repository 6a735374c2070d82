import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { HANDLES, secretHandle } from "../text/secret-handle.ts";

/** The secrets that a session has met, each under a handle that stays the same. */
export interface Vault {
  size(): number;
  /** The handle of a value; met again, it has the same one whatever it is called there. */
  handleFor(value: string, label: string): string;
  /** Where values stand in a text. Short ones count only where they are named: they may be any word. */
  find(text: string, short?: ReadonlySet<string>): readonly HiddenSpan[];
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
      spellings.push(...spellingsOf(value).map((spelled) => ({ spelled, value, handle })));
      return handle;
    },
    find(text, short) {
      const found: HiddenSpan[] = [];
      for (const spelling of spellings) {
        if (spelling.value.length >= LIMITS.secretChars || short?.has(spelling.value))
          occurrences(text, spelling, found);
      }
      return found;
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

/** Also of a value whose end was cut off. A short one must stand alone. */
function occurrences(text: string, { spelled, value, handle }: Spelling, found: HiddenSpan[]): void {
  const head = spelled.slice(0, LIMITS.secretPartChars);
  for (let start = text.indexOf(head); start >= 0; start = text.indexOf(head, start + 1)) {
    let end = start + head.length;
    while (end - start < spelled.length && text[end] === spelled[end - start]) end++;
    if (value.length >= LIMITS.secretChars || standsAlone(text, start, end)) found.push({ start, end, handle });
  }
}

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
