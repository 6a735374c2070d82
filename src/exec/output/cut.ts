/** The part of a budget that goes to the head of a long text: errors are at its end, but the start says what ran. */
export const HEAD_SHARE = 0.1;

/** Keeps the head and the tail of a text that is too long, at line borders where there are some, with a note between. */
export function headAndTail(text: string, most: number, note: (leftOutChars: number) => string): string {
  if (text.length <= most) return text;
  const head = headOf(text, Math.floor(most * HEAD_SHARE));
  const tail = tailOf(text, Math.max(0, most - head.length - NOTE_CHARS));
  return `${endedLine(head)}${note(text.length - head.length - tail.length)}\n${tail}`;
}

/** Leaves room for a note, so that the result keeps to its limit. */
export const NOTE_CHARS = 200;

/** Returns the start of a text up to the last line end within the limit; without one, up to a whole character. */
function headOf(text: string, most: number): string {
  const end = text.lastIndexOf("\n", most - 1) + 1;
  return end > most / 2 ? text.slice(0, end) : text.slice(0, isSplit(text, most) ? most - 1 : most);
}

function tailOf(text: string, most: number): string {
  const start = text.length - most;
  const lineStart = text.indexOf("\n", start - 1) + 1;
  if (lineStart > 0 && text.length - lineStart > most / 2) return text.slice(lineStart);
  return text.slice(isSplit(text, start) ? start + 1 : start);
}

/** Returns whether a cut would split a surrogate pair. */
const isSplit = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? "");

/** Ends the last line, so that a note begins its own. */
export const endedLine = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
