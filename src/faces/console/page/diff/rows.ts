import type { DiffLine, Hunk } from "../../contract.ts";

/** A line of a diff with its numbers on both sides. */
export interface NumberedLine extends DiffLine {
  readonly before?: number;
  readonly after?: number;
}

/** A row of a unified diff: a cut between hunks, or a line. */
export type UnifiedRow =
  | { readonly kind: "cut"; readonly text: string }
  | { readonly kind: "line"; readonly line: NumberedLine };

/** A row of a split diff; a side without a counterpart is empty. */
export type SplitRow =
  | { readonly kind: "cut"; readonly text: string }
  | { readonly kind: "pair"; readonly left?: NumberedLine; readonly right?: NumberedLine };

/** Lays hunks out below each other. */
export const unifiedRows = (hunks: readonly Hunk[]): readonly UnifiedRow[] =>
  hunks.flatMap((hunk) => [...cutsBefore(hunk), ...numbered(hunk).map((line): UnifiedRow => ({ kind: "line", line }))]);

/** Lays hunks out side by side: the n-th line of a removed run stands beside the n-th of the added run after it. */
export const splitRows = (hunks: readonly Hunk[]): readonly SplitRow[] =>
  hunks.flatMap((hunk) => [...cutsBefore(hunk), ...pairsOf(numbered(hunk))]);

/** A hunk at the very start of a file follows no cut. */
function cutsBefore({ oldStart, newStart, heading }: Hunk): readonly { readonly kind: "cut"; readonly text: string }[] {
  if (oldStart <= 1 && newStart <= 1 && heading === undefined) return [];
  return [{ kind: "cut", text: heading ?? "" }];
}

function numbered({ oldStart, newStart, lines }: Hunk): readonly NumberedLine[] {
  let [before, after] = [oldStart, newStart];
  return lines.map((line) => ({
    ...line,
    ...(line.sign !== "+" && { before: before++ }),
    ...(line.sign !== "-" && { after: after++ }),
  }));
}

function pairsOf(lines: readonly NumberedLine[]): readonly SplitRow[] {
  const rows: SplitRow[] = [];
  let removed: NumberedLine[] = [];
  let added: NumberedLine[] = [];
  const flush = (): void => {
    const length = Math.max(removed.length, added.length);
    for (let index = 0; index < length; index++) rows.push(pair(removed[index], added[index]));
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.sign === " ") {
      flush();
      rows.push(pair(line, line));
    } else if (line.sign === "+") added.push(line);
    else {
      if (added.length > 0) flush();
      removed.push(line);
    }
  }
  flush();
  return rows;
}

const pair = (left: NumberedLine | undefined, right: NumberedLine | undefined): SplitRow => ({
  kind: "pair",
  ...(left && { left }),
  ...(right && { right }),
});

/** Counts added and removed lines. */
export function lineCounts(hunks: readonly Hunk[]): { readonly added: number; readonly removed: number } {
  const signs = hunks.flatMap(({ lines }) => lines.map(({ sign }) => sign));
  return { added: signs.filter((sign) => sign === "+").length, removed: signs.filter((sign) => sign === "-").length };
}

/** Returns only the changed lines, without the indent that all of them share: so much fits on a phone. */
export function changedLines(hunks: readonly Hunk[]): readonly Hunk[] {
  const changed = hunks.flatMap(({ lines }) => lines.filter(({ sign, text }) => sign !== " " && text.trim() !== ""));
  const indent = Math.min(...changed.map(({ text }) => text.length - text.trimStart().length));
  const cut = Number.isFinite(indent) ? indent : 0;
  return hunks.flatMap((hunk) => changedRuns(hunk, cut));
}

/** Splits a hunk into its runs of changed lines, each with the numbers it has in the file. */
function changedRuns({ heading, ...hunk }: Hunk, cut: number): readonly Hunk[] {
  const runs: { oldStart: number; newStart: number; lines: DiffLine[]; heading?: string }[] = [];
  let isOpen = false;
  for (const { before, after, ...line } of numbered(hunk)) {
    if (line.sign !== " ") {
      if (!isOpen) runs.push({ oldStart: before ?? 1, newStart: after ?? before ?? 1, lines: [] });
      runs.at(-1)?.lines.push(unindented(line, cut));
    }
    isOpen = line.sign !== " ";
  }
  const [first, ...rest] = runs;
  if (!first) return [];
  return [{ ...first, ...(heading !== undefined && { heading }) }, ...rest];
}

function unindented(line: DiffLine, cut: number): DiffLine {
  const marks = line.marks?.map(([start, end]) => [Math.max(0, start - cut), Math.max(0, end - cut)] as const);
  return { ...line, text: line.text.slice(cut), ...(marks && { marks }) };
}
