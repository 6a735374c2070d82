import { type Pairing, shortestEdit, UNPAIRED } from "./shortest-edit.ts";

/** A line of a diff. */
export interface DiffLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
  /** Ranges of characters that differ from the line on the other side. */
  readonly marks?: readonly (readonly [start: number, end: number])[];
}

/** Marks the words that differ between a removed line and the added line that took its place. */
export function withWordMarks(lines: readonly DiffLine[]): readonly DiffLine[] {
  const marked = [...lines];
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, "-");
    const added = runOf(lines, at + removed, "+");
    for (let nth = 0; nth < Math.min(removed, added); nth++) markPair(marked, at + nth, at + removed + nth);
    at += Math.max(1, removed + added);
  }
  return marked;
}

function runOf(lines: readonly DiffLine[], from: number, sign: DiffLine["sign"]): number {
  let count = 0;
  while (lines[from + count]?.sign === sign) count++;
  return count;
}

function markPair(lines: DiffLine[], old: number, fresh: number): void {
  const [before, after] = [lines[old], lines[fresh]];
  const marks = before && after && wordMarksOf(before.text, after.text);
  if (!marks) return;
  lines[old] = { ...before, ...(marks.before.length > 0 && { marks: marks.before }) };
  lines[fresh] = { ...after, ...(marks.after.length > 0 && { marks: marks.after }) };
}

type Ranges = readonly (readonly [start: number, end: number])[];

/** Compares two lines by words. Returns undefined where they have too little in common, or are too long. */
export function wordMarksOf(
  before: string,
  after: string,
): { readonly before: Ranges; readonly after: Ranges } | undefined {
  if (Math.max(before.length, after.length) > MOST_CHARS) return undefined;
  const [old, fresh] = [wordsIn(before), wordsIn(after)];
  const numbers = new Map<string, number>();
  const pairing = atOnce(shortestEdit(numbered(old, numbers), numbered(fresh, numbers), MOST_EDITS));
  const kept = new Set(pairing.filter((partner) => partner !== UNPAIRED));
  const isKept = (_: string, nth: number): boolean => pairing[nth] !== UNPAIRED;
  const common = old.filter((word, nth) => isKept(word, nth) && word.trim() !== "").join("").length;
  if (common < LEAST_SHARE * Math.max(before.trim().length, after.trim().length)) return undefined;
  return { before: rangesOf(old, isKept), after: rangesOf(fresh, (_, nth) => kept.has(nth)) };
}

const MOST_CHARS = 1000;
const MOST_EDITS = 400;
/** Below this share of common characters, marks would only speckle the lines. */
const LEAST_SHARE = 0.3;

const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^]/gu) ?? [];

const numbered = (words: readonly string[], numbers: Map<string, number>): Int32Array =>
  Int32Array.from(words, (word) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  });

/** Runs the comparison without a pause: a line is short. */
function atOnce(steps: ReturnType<typeof shortestEdit>): Pairing {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Joins the words that are not kept to ranges of characters. */
function rangesOf(words: readonly string[], isKept: (word: string, nth: number) => boolean): Ranges {
  const ranges: [number, number][] = [];
  let at = 0;
  for (const [nth, word] of words.entries()) {
    const last = ranges.at(-1);
    if (!isKept(word, nth)) {
      if (last?.[1] === at) last[1] = at + word.length;
      else ranges.push([at, at + word.length]);
    }
    at += word.length;
  }
  return ranges;
}
