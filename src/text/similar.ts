import { LIMITS } from "../base/limits.ts";

/** The candidate nearest to a mistyped word, when one is near enough to be meant. */
export function mostSimilar(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase().slice(0, LIMITS.shownNameChars);
  const rated = [...candidates].map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }));
  const best = rated.toSorted((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= Math.max(2, best.name.length / 3) ? best.name : undefined;
}

/** What to say to whoever mistyped a word: the candidate that was meant, else what there is instead. */
export function didYouMean(word: string, candidates: Iterable<string>, otherwise: string): string {
  const meant = mostSimilar(word, candidates);
  return meant === undefined ? otherwise : `did you mean "${meant}"?`;
}

/** A mistaken word as messages say it back: as much of it as tells which one it was. */
export const saidBack = (word: string): string => JSON.stringify(word.slice(0, LIMITS.shownNameChars));

/** Fewest insertions, deletions and replacements that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
