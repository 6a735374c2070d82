const LF = 10;

/** The byte form of a line feed in an encoding: one byte, or two with the zero byte on either side. */
export type LineFeed = "byte" | "utf-16le" | "utf-16be";

export const lineFeedOf = (label: string): LineFeed => (label === "utf-16le" || label === "utf-16be" ? label : "byte");

/**
 * Returns the end of the line that holds `from`: the index after its line feed, or -1. `from` is a character boundary.
 */
export function lineEnd(bytes: Buffer, from: number, feed: LineFeed): number {
  if (feed === "byte") return bytes.indexOf(LF, from) + 1 || -1;
  const [at, other] = feed === "utf-16le" ? [0, 1] : [1, 0];
  for (let hit = bytes.indexOf(LF, from); hit >= 0; hit = bytes.indexOf(LF, hit + 1)) {
    const start = hit - at;
    if (start >= from && (start - from) % 2 === 0 && bytes[start + other] === 0) return start + 2;
  }
  return -1;
}

/** Returns the start of the last line before `before`: the index after the line feed in front of it, or -1. */
export function lineStart(bytes: Buffer, before: number, feed: LineFeed): number {
  if (feed === "byte") return before <= 0 ? -1 : bytes.lastIndexOf(LF, before - 1) + 1 || -1;
  const [at, other] = feed === "utf-16le" ? [0, 1] : [1, 0];
  for (let start = before - 2; start >= 0; start -= 2) {
    if (bytes[start + at] === LF && bytes[start + other] === 0) return start + 2;
  }
  return -1;
}

/** Counts the line feeds. A last line without one is not counted. */
export function countLineFeeds(bytes: Buffer, feed: LineFeed): number {
  let count = 0;
  for (let end = lineEnd(bytes, 0, feed); end > 0; end = lineEnd(bytes, end, feed)) count++;
  return count;
}

/** Puts its number and a tab before every line. */
export function numberedLines(text: string, firstLine: number): string {
  const lines = text.split("\n");
  const open = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  return lines.map((line, index) => (index < open ? `${firstLine + index}\t${line}` : line)).join("\n");
}
