const QUOTE = 34;
const BACKSLASH = 92;
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [91, 93, 123, 125];

/**
 * Returns true when JSON text nests deeper than `most` levels. It runs before the parser, which takes seconds for a
 * million levels, and everything recursive behind it fails. Text that is not JSON is left to the parser.
 */
export function isDeeperThan(text: string, most: number): boolean {
  if (text.length < 2 * most) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === END_OF_LIST || code === END_OF_OBJECT) depth--;
    else if ((code === LIST || code === OBJECT) && ++depth > most) return true;
  }
  return false;
}

/** Returns the index of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
