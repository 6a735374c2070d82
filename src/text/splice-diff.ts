import { countLines, lineChanges, nextLine, previousLine } from "./changes.ts";
import { diffOf, type DiffOptions, type UnifiedDiff, unifiedDiff } from "./diff.ts";
import { applySplices, type Splice } from "./splice.ts";

/** The diff that splices make, the same as of the whole texts: only what lies around them is compared. */
export function spliceDiff(text: string, splices: readonly Splice[], options: DiffOptions): UnifiedDiff {
  const [from, to] = around(text, splices);
  const before = text.slice(from, to);
  const after = applySplices(
    before,
    splices.map(({ start, end, text: fresh, tier }) => ({ start: start - from, end: end - from, text: fresh, tier })),
  );
  const changes = lineChanges(before, after);
  const isTold = to === text.length || (changes.at(-1)?.to ?? to) < marginOf(before);
  if (!isTold) return unifiedDiff(text, applySplices(text, splices), options);
  return diffOf(before, after, changes, { ...options, linesBefore: countLines(text, 0, from) });
}

/** More lines than a diff shows around a change. */
const MARGIN = 8;

function around(text: string, splices: readonly Splice[]): readonly [from: number, to: number] {
  let from = splices[0]?.start ?? 0;
  let to = splices.at(-1)?.end ?? text.length;
  for (let line = 0; line <= MARGIN; line++) [from, to] = [previousLine(text, from), nextLine(text, to)];
  return [from, to];
}

/** A change among equal lines is told at the last of them. Where that may be beyond what was compared, all must be. */
function marginOf(before: string): number {
  let at = before.length;
  for (let line = 0; line < MARGIN / 2; line++) at = previousLine(before, at);
  return at;
}
