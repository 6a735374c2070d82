import { LIMITS } from "../base/limits.ts";
import { foldLooks } from "./encoding/look-alikes.ts";

/** Returns the candidate that is most similar to a mistyped word, or undefined if none is similar enough. */
export const mostSimilar = (word: string, candidates: Iterable<string>): string | undefined =>
  similarTo(word, candidates)[0];

/** Returns all candidates that are similar enough, the most similar first. */
export function similarTo(word: string, candidates: Iterable<string>): readonly string[] {
  const folded = looksOf(word).slice(0, LIMITS.quotedNameChars);
  return [...candidates]
    .map((name) => ({ name, distance: editDistance(folded, looksOf(name)) }))
    .filter(({ name, distance }) => distance <= allowedDistance(folded, name))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

/** Folds case, Unicode composition, and look-alike spaces and quotes, none of which count as typing errors. */
const looksOf = (word: string): string => foldLooks(word).toLowerCase();

/** Returns the largest edit distance at which a word of this length is still likely a typing error. */
function allowedDistance(word: string, name: string): number {
  const length = Math.max(word.length, name.length) - sharedExtension(word, name).length;
  return length === 1 ? 0 : Math.max(1, length / 3);
}

/** Returns the extension that both share. It is not compared: "a.txt" and "b.txt" are as different as "a" and "b". */
function sharedExtension(word: string, name: string): string {
  const extension = /\.[^.]+$/.exec(word)?.[0] ?? "";
  return name.endsWith(extension) ? extension : "";
}

/** Formats a suggestion: the candidate that was probably meant, or else the given text. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const meant = mostSimilar(word, candidates);
  return meant === undefined ? otherwise : `did you mean "${meant}"?`;
}

/** Quotes a mistyped word for a message, cut to a length that still identifies it. */
export const quotedInput = (word: string): string => JSON.stringify(word.slice(0, LIMITS.quotedNameChars));

/** Computes the optimal string alignment distance: insertions, deletions, replacements and swaps of two neighbours. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchange ? (before[j - 2] as number) + 1 : Infinity;
      next.push(Math.min(replaced, exchanged, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) as number;
}
