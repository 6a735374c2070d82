import type { Buffer } from "node:buffer";
import { visible } from "../../text/quote.ts";

/**
 * Removes what only a terminal understands, such as colors and titles, and escapes every other character that is not
 * visible. A sequence without an end hides nothing: its text stays.
 */
export const withoutSequences = (text: string): string => (text.includes(ESC) ? text.replace(SEQUENCE, "") : text);

const ESC = "\u001b";

/**
 * Matches CSI (colors, cursor), OSC (title, clipboard, links) and other strings with their end, charsets, and the
 * sequences of a single character.
 */
const SEQUENCE = new RegExp(
  [
    String.raw`\u001b\[[0-?]{0,64}[ -/]{0,4}[@-~]`,
    String.raw`\u001b\][^\u0007\u001b\n]{0,4096}(?:\u0007|\u001b\\)`,
    String.raw`\u001b[PX^_][^\u001b\n]{0,4096}\u001b\\`,
    String.raw`\u001b[ -/][0-~]`,
    String.raw`\u001b[=>78DEHMNOZc]`,
  ].join("|"),
  "g",
);

/** Counts the bytes at the end that may begin a sequence whose rest has not been printed yet. */
export function unfinishedSequence(bytes: Buffer): number {
  const end = bytes.subarray(-LONGEST_UNFINISHED).toString("latin1");
  const at = end.lastIndexOf(ESC);
  return at >= 0 && UNFINISHED.test(end.slice(at)) ? end.length - at : 0;
}

const LONGEST_UNFINISHED = 256;
const UNFINISHED = new RegExp(String.raw`^\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\n]*|[ -/]?)$`);

/** Escapes hidden characters and what looks like a note of ours. Wide and unbreakable spaces become plain ones. */
export const withVisibleText = (text: string): string =>
  visible(text.replace(SPACES, " ")).replace(NOTE_OPENING, (found) => `\\u{5b}${found.slice(1)}`);

/** `tree` and others align with these; they are no more than a space. */
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;

/** Matches what begins like a note, in any spelling that a reader could take for one. */
const NOTE_OPENING = /\[\s*holdfast\s*:/gi;

/** Formats a note of ours inside output. Output itself can never contain one. */
export const noteOf = (text: string): string => `[holdfast: ${text}]`;
