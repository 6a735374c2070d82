import { randomInt } from "node:crypto";
import { Fault } from "../../base/errors.ts";
import type { SearchableText } from "../../workspace/view.ts";
import { mergedSpans, type RedactedSpan } from "./registry.ts";

/**
 * Substitutes tokens for secrets while a tool matches text. A token is as long as its value, so that offsets stay the
 * same, and consists of random characters, so that no guessed text matches it. Tokens are valid for one call.
 */
export interface EqualLengthTokens {
  tokenFor(value: string, placeholder: string): string;
  /** Replaces the values at these spans by tokens. */
  substitute(text: string, spans: readonly RedactedSpan[]): SearchableText;
  /** Replaces tokens by placeholders. */
  withPlaceholders(text: string): string;
}

export function createEqualLengthTokens(): EqualLengthTokens {
  const known = new Map<string, { readonly token: string; readonly value: string; readonly placeholder: string }>();
  const tokenFor = (value: string, placeholder: string): string => {
    const made = known.get(value) ?? { token: randomIdeographs(value.length), value, placeholder };
    known.set(value, made);
    return made.token;
  };
  const replaced = (text: string, by: "value" | "placeholder"): string => {
    let result = text;
    for (const each of known.values()) result = result.replaceAll(each.token, () => each[by]);
    return result;
  };
  const requireWhole = (made: string, text: string): string => {
    const tokenCharacters = new Set([...known.values()].flatMap(({ token }) => token.split("")));
    const left = tokenCharacters.size === 0 ? [] : new Set(made.match(TOKEN_CHARACTER));
    const isPart = [...left].some((one) => tokenCharacters.has(one) && !text.includes(one));
    if (!isPart) return made;
    throw new Fault("invalid_input", "Cannot write a part of a secret: the pattern takes it apart", {
      hint: "Let the pattern match all of the placeholder, or nothing of it; nothing was changed",
    });
  };
  const placeholderOf = (rest: string): string | undefined =>
    [...known.values()].find(({ token }) => token.includes(rest))?.placeholder;
  return {
    tokenFor,
    substitute(text, spans) {
      let shown = "";
      let from = 0;
      for (const { start, end, placeholder } of mergedSpans(spans)) {
        shown += text.slice(from, start) + tokenFor(text.slice(start, end), placeholder);
        from = end;
      }
      return {
        text: shown + text.slice(from),
        restored: (made) => (known.size === 0 ? made : requireWhole(replaced(made, "value"), text)),
      };
    },
    withPlaceholders: (text) =>
      replaced(text, "placeholder").replace(TRUNCATED_TOKEN, (rest) => placeholderOf(rest) ?? rest),
  };
}

/** Returns random rare ideographs: answers show them as they are, and no rule for look-alikes or case changes them. */
const randomIdeographs = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(FIRST + randomInt(IDEOGRAPHS))).join("");

const FIRST = 0x3400;
const IDEOGRAPHS = 0x19c0;
const TOKEN_CHARACTER = /[\u3400-\u4dbf]/g;
/** Matches the rest of a token in a message that cuts a text. */
const TRUNCATED_TOKEN = /[\u3400-\u4dbf]{2,}/g;
