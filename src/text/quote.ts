/** A name as it is when every character shows, else quoted and escaped: no name can forge a line, hide or reorder. */
export function quoted(name: string): string {
  if (PLAIN.test(name)) return name;
  const escaped = name.replace(HIDDEN, escapeOf);
  const plain = escaped === name && name !== "" && !name.startsWith(" ") && !name.endsWith(" ");
  return plain ? name : `"${escaped}"`;
}

/** Nearly every name: printable ASCII without space, quote and backslash. */
const PLAIN = /^[!#-[\]-~]+$/;

/**
 * Controls, format and bidi characters, lone surrogates, unassigned and private ones, every space but the plain one,
 * fillers and other characters without a glyph. An emoji keeps its variation selector.
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

/** Text of several lines with everything that cannot be seen escaped, for messages that may quote a name. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (character) => (KEPT.has(character) ? character : escapeOf(character)));

/** A tab shows well enough, and text that is quoted to be copied must have it as it is. */
const KEPT: ReadonlySet<string> = new Set(["\n", "\t", '"', "\\"]);
