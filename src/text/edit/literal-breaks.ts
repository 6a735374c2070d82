/** How often a text has a backslash and an "n", where it has no line break at all: then that may have been meant. */
const literalBreaksIn = (text: string): number => (/[\r\n]/.test(text) ? 0 : text.split("\\n").length - 1);

/** Nothing is interpreted. */
const WRITTEN = 'it stays as it is, a backslash and an "n"';

/** What to say of them; nothing when there are none. */
export function literalBreakWarnings(where: string, text: string): readonly string[] {
  const count = literalBreaksIn(text);
  return count === 0 ? [] : [`${where} has ${count} literal "\\n" and no line break; ${WRITTEN}`];
}
