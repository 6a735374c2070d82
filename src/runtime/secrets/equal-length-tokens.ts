import { randomInt } from "node:crypto";
import { Fault } from "../../base/errors.ts";
import type { Redactable } from "../../workspace/view.ts";
import { mergedSpans, type HiddenSpan } from "./registry.ts";

/**
 * What stands for secrets while a tool looks for text: as long as they are, so that every place stays where it is, and of
 * characters that nobody can guess, so that no text that was guessed is found in them. For one call.
 */
export interface EqualLengthTokens {
  tokenFor(value: string, handle: string): string;
  /** A text in which secrets stand at these places. */
  substitute(text: string, spans: readonly HiddenSpan[]): Redactable;
  /** The text with handles for stand-ins. */
  withPlaceholders(text: string): string;
}

export function createEqualLengthTokens(): EqualLengthTokens {
  const known = new Map<string, { readonly standIn: string; readonly value: string; readonly handle: string }>();
  const standInFor = (value: string, handle: string): string => {
    const made = known.get(value) ?? { standIn: randomIdeographs(value.length), value, handle };
    known.set(value, made);
    return made.standIn;
  };
  const replaced = (text: string, by: "value" | "handle"): string => {
    let result = text;
    for (const each of known.values()) result = result.replaceAll(each.standIn, () => each[by]);
    return result;
  };
  const whole = (made: string, text: string): string => {
    const letters = new Set([...known.values()].flatMap(({ standIn }) => standIn.split("")));
    const left = letters.size === 0 ? [] : new Set(made.match(TOKEN_CHARACTER));
    const isPart = [...left].some((one) => letters.has(one) && !text.includes(one));
    if (!isPart) return made;
    throw new Fault("invalid_input", "Cannot write a part of a secret: the pattern takes it apart", {
      hint: "Let the pattern match all of the handle, or nothing of it; nothing was changed",
    });
  };
  const handleOf = (rest: string): string | undefined =>
    [...known.values()].find(({ standIn }) => standIn.includes(rest))?.handle;
  return {
    tokenFor: standInFor,
    substitute(text, spans) {
      let shown = "";
      let from = 0;
      for (const { start, end, placeholder } of mergedSpans(spans)) {
        shown += text.slice(from, start) + standInFor(text.slice(start, end), placeholder);
        from = end;
      }
      return { text: shown + text.slice(from), real: (made) => whole(replaced(made, "value"), text) };
    },
    withPlaceholders: (text) => replaced(text, "handle").replace(TRUNCATED_TOKEN, (rest) => handleOf(rest) ?? rest),
  };
}

/** Rare ideographs by chance: letters that answers show as they are, and that no rule about look-alikes or case changes. */
const randomIdeographs = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(FIRST + randomInt(IDEOGRAPHS))).join("");

const FIRST = 0x3400;
const IDEOGRAPHS = 0x19c0;
const TOKEN_CHARACTER = /[\u3400-\u4dbf]/g;
/** A message that shows a part of a text may end within one. */
const TRUNCATED_TOKEN = /[\u3400-\u4dbf]{2,}/g;
