/** How freely text was compared, strictest first. */
export const TIERS = ["exact", "line_endings", "trailing_space", "indentation", "look_alikes"] as const;

export type Tier = (typeof TIERS)[number];

/** One replacement: offsets are UTF-16 code units of the decoded original, `tier` is how the place was found. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly tier: Tier;
}

/** The text with all splices made at once. They are sorted and apart; what lies between them is untouched. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const splice of splices) {
    pieces.push(text.slice(from, splice.start), splice.text);
    from = splice.end;
  }
  return pieces.join("") + text.slice(from);
}

/** The loosest tier that was needed; exact when there are no splices. */
export function loosestOf(splices: readonly Pick<Splice, "tier">[]): Tier {
  let loosest = 0;
  for (const { tier } of splices) loosest = Math.max(loosest, TIERS.indexOf(tier));
  return TIERS[loosest] ?? "exact";
}

/** Whether the second of two sorted splices begins before the first has ended, or both insert at one place. */
export function isOverlap(first: Splice, second: Splice): boolean {
  return second.start < first.end || (second.start === first.start && second.end === first.end);
}

/** In the order of the text; an insertion comes before a replacement that starts at the same place. */
export const bySpliceOrder = (a: Splice, b: Splice): number => a.start - b.start || a.end - b.end;
