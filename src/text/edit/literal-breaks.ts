/**
 * Counts the occurrences of a backslash and an "n" in a text without any line break, where a line break may have been
 * meant.
 */
const literalBreaksIn = (text: string): number => (/[\r\n]/.test(text) ? 0 : text.split("\\n").length - 1);

const NOT_INTERPRETED = 'it stays as it is, a backslash and an "n"';

/** Returns a warning about literal "\n", or an empty list. */
export function literalBreakWarnings(where: string, text: string): readonly string[] {
  const count = literalBreaksIn(text);
  return count === 0 ? [] : [`${where} has ${count} literal "\\n" and no line break; ${NOT_INTERPRETED}`];
}
