import { LIMITS } from "../../base/limits.ts";
import { indentOf } from "./indent.ts";
import { foldLooks, unitsOf } from "../encoding/look-alikes.ts";
import { shortenLine, type TextLine } from "../text-lines.ts";

/** Describes the difference between a line as the caller wrote it and as the file has it. */
export function differenceBetween(wrote: string, has: string): string {
  if (wrote.trim() === has.trim()) return blankDifference(wrote, has);
  if (foldLooks(wrote) === foldLooks(has)) return lookDifference(wrote, has);
  const [mine, theirs] = aroundDifference(wrote, has);
  return `you wrote "${mine}", the file has "${theirs}"`;
}

/** Shows the numbered lines of the file around a difference, and how to read the rest. */
export function excerptAround(lines: readonly TextLine[], different: number, last: number): string {
  const from = Math.max(0, different - 2);
  const to = Math.min(lines.length, last + 1, from + LIMITS.closestLines);
  const shown = lines.slice(from, to).map((line, index) => `${from + index + 1}\t${shortenLine(line.text)}`);
  const rest = last + 1 - to;
  return ["The file has:", ...shown, ...(rest > 0 ? [`[Cut: ${rest} more lines; read from line ${to + 1}]`] : [])].join(
    "\n",
  );
}

function blankDifference(wrote: string, has: string): string {
  const [mine, theirs] = [indentOf(wrote), indentOf(has)];
  if (mine !== theirs) return `you wrote ${blanksIn(mine)}, the file has ${blanksIn(theirs)} at the start`;
  const [tail, theirTail] = [wrote.slice(wrote.trimEnd().length), has.slice(has.trimEnd().length)];
  return `you wrote ${blanksIn(tail)}, the file has ${blanksIn(theirTail)} at the end`;
}

/** Describes white space: "4 spaces", "a tab", "a tab and 2 spaces", "no white space". */
function blanksIn(blanks: string): string {
  if (blanks === "") return "no white space";
  const runs = blanks.match(/ +|\t+|[^ \t]/g) ?? [];
  return runs.slice(0, 4).map(runInWords).join(" and ") + (runs.length > 4 ? " and more" : "");
}

function runInWords(run: string): string {
  const name = run.startsWith(" ") ? "space" : run.startsWith("\t") ? "tab" : codePointOf(run);
  return run.length === 1 ? `a ${name}` : `${run.length} ${name}s`;
}

function lookDifference(wrote: string, has: string): string {
  const [mine, theirs] = [unitsOf(wrote), unitsOf(has)];
  const at = mine.findIndex((unit, index) => unit !== theirs[index]);
  return `you wrote ${quotedWithCodePoints(mine[at] ?? "")}, the file has ${quotedWithCodePoints(theirs[at] ?? "")}`;
}

const quotedWithCodePoints = (unit: string): string => `"${unit}" (${Array.from(unit, codePointOf).join(" ")})`;

/** Formats a code point as "U+00E9". */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

const BEFORE = 24;

/** Cuts both lines to start shortly before their first difference. */
function aroundDifference(wrote: string, has: string): [string, string] {
  let at = 0;
  while (at < Math.min(wrote.length, has.length) && wrote[at] === has[at]) at++;
  if (Math.max(wrote.length, has.length) <= LIMITS.quotedLineChars) return [wrote, has];
  const from = Math.max(0, at - BEFORE);
  const lead = from > 0 ? "…" : "";
  const most = LIMITS.quotedLineChars / 2;
  return [lead + shortenLine(wrote.slice(from), most), lead + shortenLine(has.slice(from), most)];
}
