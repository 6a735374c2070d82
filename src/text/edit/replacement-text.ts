import { LIMITS } from "../../base/limits.ts";
import type { TierMatch, SearchedText, EditTarget } from "./match-tiers.ts";
import { isSameShift, type Shift, shiftLines } from "./indent.ts";
import { foldLooks, unitsOf } from "../encoding/look-alikes.ts";

/**
 * Creates a function that returns the replacement of each match of one edit. Equal replacements are the same string.
 */
export function createComposer(source: SearchedText, target: EditTarget): (match: TierMatch) => string {
  let last:
    | { readonly region: string; readonly ending: string; readonly shift?: Shift; readonly text: string }
    | undefined;
  return (match) => {
    const region = source.text.slice(match.start, match.end);
    const ending = source.endingAt(match.start);
    const { shift } = match;
    const isRepeated = last?.region === region && last.ending === ending && isSameShift(last.shift, shift);
    if (!last || !isRepeated)
      last = { region, ending, ...(shift && { shift }), text: composeText(source, match, target) };
    return last.text;
  };
}

/**
 * Builds the replacement of a match. Lines that the edit does not change stay byte for byte as in the file; new lines
 * get the indentation and the line breaks of their surroundings.
 */
function composeText(source: SearchedText, match: TierMatch, target: EditTarget): string {
  const { text, breaks } = source;
  const region = text.slice(match.start, match.end);
  if (region === target.oldText && isPlain(source, target)) return target.newText;
  const [oldText, newText] = withoutMissingBreak(region, target, breaks);
  const old = oldText.split(breaks);
  const fresh = newText.split(breaks);
  if (isSame(old, fresh)) return target.newText;
  const texts = composedLines(region.split(breaks), old, fresh, match);
  return joinLines(texts, region.match(breaks) ?? [], source.endingAt(match.start));
}

/** Returns true if nothing needs to be adapted: there is no line break, or only one kind. */
function isPlain({ hasReturn }: SearchedText, { oldText, newText }: EditTarget): boolean {
  if (!/[\r\n]/.test(oldText + newText)) return true;
  return !newText.includes("\r") && !hasReturn;
}

/** A line of the replacement. `kept` is the index of the line in the region, if it is unchanged. */
interface Composed {
  readonly text: string;
  readonly kept?: number;
}

/** Drops the last line break of both texts if the last line of the file fileLine none, because it matched nothing. */
function withoutMissingBreak(region: string, { oldText, newText }: EditTarget, breaks: RegExp): [string, string] {
  const isMissing = (region.match(breaks)?.length ?? 0) < (oldText.match(breaks)?.length ?? 0);
  return isMissing ? [withoutLastBreak(oldText), withoutLastBreak(newText)] : [oldText, newText];
}

const withoutLastBreak = (text: string): string => text.replace(/(?:\r\n|\r|\n)$/, "");

/** Returns true if only the line breaks differ; then the new text is taken literally. */
function isSame(old: readonly string[], fresh: readonly string[]): boolean {
  return old.length === fresh.length && old.every((line, index) => line === fresh[index]);
}

function composedLines(
  region: readonly string[],
  old: readonly string[],
  fresh: readonly string[],
  { shift }: TierMatch,
): Composed[] {
  const moved = shift ? (shiftLines(fresh, shift, region) ?? fresh) : fresh;
  const kept = keptLines(old, fresh);
  const replaced = replacedLines(kept, old.length, fresh.length);
  return fresh.map((line, index) => {
    const same = kept[index] ?? -1;
    if (same >= 0) return { text: region[same] ?? line, kept: same };
    const was = replaced[index] ?? -1;
    if (was < 0 || shift) return { text: moved[index] ?? line };
    return { text: keepSpelling(region[was] ?? "", old[was] ?? "", line) };
  });
}

/** Joins the lines. Unchanged lines keep their line breaks; a new line ends like the one above it. */
function joinLines(lines: readonly Composed[], endings: readonly string[], near: string): string {
  let ending = near;
  const pieces = lines.map(({ text, kept }, index) => {
    if (kept !== undefined) ending = endings[kept] ?? ending;
    return index < lines.length - 1 ? text + ending : text;
  });
  return pieces.join("");
}

/**
 * Returns for each new line the old line that it repeats, or -1: a longest common subsequence, within
 * `LIMITS.alignedPairs`.
 */
function keptLines(old: readonly string[], fresh: readonly string[]): number[] {
  const kept = fresh.map(() => -1);
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) kept[head] = head++;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) {
    kept[fresh.length - 1 - tail] = old.length - 1 - tail;
    tail++;
  }
  const [rows, columns] = [old.length - head - tail, fresh.length - head - tail];
  if (rows * columns > LIMITS.alignedPairs) return kept;
  const lengths = commonLengths(old.slice(head, head + rows), fresh.slice(head, head + columns));
  for (let row = 0, column = 0; row < rows && column < columns;) {
    const here = lengths[row]?.[column];
    if (old[head + row] === fresh[head + column]) kept[head + column++] = head + row++;
    else if (here === lengths[row + 1]?.[column]) row++;
    else column++;
  }
  return kept;
}

/** Returns the table of the longest common subsequence: `[row][column]` is the number of common lines from there on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1));
  for (let row = old.length - 1; row >= 0; row--) {
    const [here, below] = [lengths[row], lengths[row + 1]];
    if (!here || !below) continue;
    for (let column = fresh.length - 1; column >= 0; column--) {
      here[column] =
        old[row] === fresh[column] ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, here[column + 1] ?? 0);
    }
  }
  return lengths;
}

/**
 * Returns for each new line the old line it replaces, or -1. Lines are paired only between two kept lines with equally
 * many lines on both sides.
 */
function replacedLines(kept: readonly number[], oldLength: number, freshLength: number): number[] {
  const replaced = kept.map(() => -1);
  let from = 0;
  let oldFrom = 0;
  for (let index = 0; index <= freshLength; index++) {
    const same = index === freshLength ? oldLength : (kept[index] ?? -1);
    if (same < 0) continue;
    if (index - from === same - oldFrom) for (let at = from; at < index; at++) replaced[at] = oldFrom + at - from;
    [from, oldFrom] = [index + 1, same + 1];
  }
  return replaced;
}

/** Keeps the file's spelling (its quotes, dashes and accents) at both ends of a line that the edit leaves unchanged. */
function keepSpelling(fileLine: string, old: string, fresh: string): string {
  if (fileLine === old) return fresh;
  const [fileUnits, oldUnits, newUnits] = [unitsOf(fileLine.trimEnd()), unitsOf(old.trimEnd()), unitsOf(fresh)];
  if (fileUnits.length !== oldUnits.length || foldLooks(fileUnits.join("")) !== foldLooks(oldUnits.join("")))
    return fresh;
  const most = Math.min(oldUnits.length, newUnits.length);
  let head = 0;
  while (head < most && oldUnits[head] === newUnits[head]) head++;
  let tail = 0;
  while (tail < most - head && oldUnits[oldUnits.length - 1 - tail] === newUnits[newUnits.length - 1 - tail]) tail++;
  const middle = newUnits.slice(head, newUnits.length - tail);
  return [...fileUnits.slice(0, head), ...middle, ...fileUnits.slice(fileUnits.length - tail)].join("");
}
