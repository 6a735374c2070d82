/** Groups the digits of a number by threes: "1,204". */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");

/** Formats a count with its noun: "1 file", "1,204 files". */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${grouped(count)} ${count === 1 ? noun : nouns}`;

/** Formats bytes in units of 1000: "0.9 kB", "41 kB", "2.3 MB". */
export function bytesText(bytes: number): string {
  if (bytes < 100) return `${bytes} B`;
  const power = Math.min(UNITS.length, Math.max(1, Math.floor(Math.log10(bytes) / 3)));
  const value = bytes / 1000 ** power;
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} ${UNITS[power - 1]}`;
}

const UNITS = ["kB", "MB", "GB", "TB"];
