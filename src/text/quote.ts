/**
 * Returns the name unchanged if every character is visible, and otherwise quoted and escaped, so that no name can forge
 * a line, hide or reorder text.
 */
export function quoted(name: string): string {
  if (PLAIN.test(name)) return name;
  const escaped = name.replace(HIDDEN, escapeOf);
  const plain = escaped === name && name !== "" && !name.startsWith(" ") && !name.endsWith(" ");
  return plain ? name : `"${escaped}"`;
}

/** Matches nearly every name: printable ASCII without space, quote and backslash. */
const PLAIN = /^[!#-[\]-~]+$/;

/**
 * Matches controls, format and bidi characters, lone surrogates, unassigned and private characters, every space but the
 * plain one, fillers and other characters without a glyph. An emoji keeps its variation selector.
 */
const HIDDEN = /(?! |(?<=\p{ExtPict})[\uFE0E\uFE0F])[\p{C}\p{Z}\p{DI}\u2800"\\]/gu;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

function escapeOf(character: string): string {
  return SHORT.get(character) ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Escapes invisible characters in a text of several lines, for messages that may quote a name. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (character) => (KEPT.has(character) ? character : escapeOf(character)));

/** These stay as they are: a tab is visible enough, and quoted text is meant to be copied. */
const KEPT: ReadonlySet<string> = new Set(["\n", "\t", '"', "\\"]);
