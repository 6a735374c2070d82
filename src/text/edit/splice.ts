/** The ways of comparing text, strictest first. */
export const TIERS = ["exact", "line_endings", "trailing_space", "indentation", "look_alikes"] as const;

export type Tier = (typeof TIERS)[number];

/** Replaces a range of a text. Offsets are UTF-16 code units of the decoded original. */
export interface TextSplice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One replacement of an edit; `tier` is the comparison that found the place. */
export interface Splice extends TextSplice {
  readonly tier: Tier;
}

/** Applies all splices at once. They are sorted and do not overlap; text between them is unchanged. */
export function applySplices(text: string, splices: readonly TextSplice[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const splice of splices) {
    pieces.push(text.slice(from, splice.start), splice.text);
    from = splice.end;
  }
  return pieces.join("") + text.slice(from);
}

/** Returns the loosest tier that was needed; exact if there are no splices. */
export function loosestOf(splices: readonly Pick<Splice, "tier">[]): Tier {
  let loosest = 0;
  for (const { tier } of splices) loosest = Math.max(loosest, TIERS.indexOf(tier));
  return TIERS[loosest] ?? "exact";
}

/**
 * Returns true if the second of two sorted splices begins before the first has ended, or if both insert at the same
 * offset.
 */
export function isOverlap(first: Splice, second: Splice): boolean {
  return second.start < first.end || (second.start === first.start && second.end === first.end);
}

/** Sorts splices by offset. An insertion comes before a replacement that starts at the same offset. */
export const bySpliceOrder = (a: TextSplice, b: TextSplice): number => a.start - b.start || a.end - b.end;
