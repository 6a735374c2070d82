import { LIMITS } from "../base/limits.ts";
import { foldLooks } from "./encoding/look-alikes.ts";

/** The candidate nearest to a mistyped word, when one is near enough to be meant. */
export const mostSimilar = (word: string, candidates: Iterable<string>): string | undefined =>
  similarTo(word, candidates)[0];

/** Every candidate that is near enough to be meant, the nearest first. */
export function similarTo(word: string, candidates: Iterable<string>): readonly string[] {
  const folded = looksOf(word).slice(0, LIMITS.quotedNameChars);
  return [...candidates]
    .map((name) => ({ name, distance: editDistance(folded, looksOf(name)) }))
    .filter(({ name, distance }) => distance <= allowedDistance(folded, name))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

/** Letters in another case, composed otherwise, and look-alike spaces and quotes are no mistakes at all. */
const looksOf = (word: string): string => foldLooks(word).toLowerCase();

/** How many a word of this length may have and still be meant: more, and it is another word. */
function allowedDistance(word: string, name: string): number {
  const length = Math.max(word.length, name.length) - sharedExtension(word, name).length;
  return length === 1 ? 0 : Math.max(1, length / 3);
}

/** "a.txt" and "b.txt" are as different as "a" and "b". */
function sharedExtension(word: string, name: string): string {
  const extension = /\.[^.]+$/.exec(word)?.[0] ?? "";
  return name.endsWith(extension) ? extension : "";
}

/** What to say to whoever mistyped a word: the candidate that was meant, else what there is instead. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const meant = mostSimilar(word, candidates);
  return meant === undefined ? otherwise : `did you mean "${meant}"?`;
}

/** A mistaken word as messages say it back: as much of it as tells which one it was. */
export const quotedInput = (word: string): string => JSON.stringify(word.slice(0, LIMITS.quotedNameChars));

/** Fewest insertions, deletions, replacements and exchanges of two neighbours that turn one word into the other. */
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
