import type { SlicedWork } from "../../base/time-slicing.ts";
import type { SearchedText } from "../edit/match-tiers.ts";
import { type Hunk, type HunkLine, textsOf } from "./file-patch.ts";
import { shiftLines } from "../edit/indent.ts";
import type { Fit } from "./locate-hunk.ts";
import type { Splice } from "../edit/splice.ts";
import { endingNear, endOf, type TextLine } from "../text-lines.ts";

/** Returns one splice for each run of removed and added lines of a hunk. Context lines are not touched. */
export function* splicesOf(
  { text, lines: readLines }: SearchedText,
  fit: Fit,
  endings: EndingRule,
): SlicedWork<Splice[]> {
  const lines = yield* readLines();
  const file = { lines, endings, marksFinalBreak: fit.lines.some(({ isOpen }) => isOpen) };
  return runsOf(lines, fit).map((run) => {
    const last = run.removed.at(-1);
    const start = run.removed[0]?.start ?? file.lines[run.at]?.start ?? text.length;
    return { start, end: last ? endOf(last) : start, text: addedText(file, run), tier: fit.tier };
  });
}

/**
 * Removed lines and the lines that replace them. If no line is removed, the new lines go before the line with index
 * `at`.
 */
interface Run {
  readonly at: number;
  readonly removed: readonly TextLine[];
  readonly added: readonly HunkLine[];
}

function runsOf(lines: readonly TextLine[], fit: Fit): Run[] {
  const runs: { at: number; removed: TextLine[]; added: HunkLine[] }[] = [];
  let at = fit.at;
  let isNew = true;
  for (const line of movedLines(lines, fit)) {
    const theirs = lines[at];
    if (line.kind !== "add") at++;
    if (line.kind !== "context" && isNew) runs.push({ at: line.kind === "add" ? at : at - 1, removed: [], added: [] });
    isNew = line.kind === "context";
    if (line.kind === "add") runs.at(-1)?.added.push(line);
    if (line.kind === "remove" && theirs) runs.at(-1)?.removed.push(theirs);
  }
  return runs;
}

/** Returns the lines of the hunk, the added ones with the indentation of the file. */
function movedLines(lines: readonly TextLine[], { at, lines: all, shift }: Fit): readonly HunkLine[] {
  if (shift === undefined) return all;
  const block = lines.slice(at, at + textsOf(all, "old").length).map(({ text }) => text);
  const fresh = textsOf(all, "new");
  const moved = (shiftLines(fresh, shift, block) ?? fresh).values();
  return all.map((line) => (line.kind === "remove" ? line : { ...line, text: moved.next().value ?? line.text }));
}

/** Says whether the patch or the file determines the line breaks of new lines. */
export type EndingRule = "patch" | "file";

/** Returns "patch" if only some lines of the patch have carriage returns, because those were set on purpose. */
export function endingRuleOf(hunks: readonly Hunk[]): EndingRule {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const returns = lines.filter(({ hasReturn }) => hasReturn).length;
  return returns > 0 && returns < lines.length ? "patch" : "file";
}

/** The file around a run, and the line endings that the patch asks for. */
interface RunContext {
  readonly lines: readonly TextLine[];
  readonly endings: EndingRule;
  /** Is true if the hunk says whether the file ends with a line break. */
  readonly marksFinalBreak: boolean;
}

/**
 * Joins the added lines. They end like the lines they replace or their neighbours; the last line of a file ends as the
 * patch says.
 */
function addedText({ lines, endings, marksFinalBreak }: RunContext, { at, removed, added }: Run): string {
  const near = lines[at - 1]?.ending || endingNear(lines, lines[at]?.start ?? Infinity);
  const isOpen = lines.at(-1)?.ending === "";
  const isLast = at + removed.length >= lines.length;
  const staysOpen = isLast && (marksFinalBreak ? (added.at(-1)?.isOpen ?? false) : isOpen);
  const texts = added.map(({ text, hasReturn }, index) => {
    if (staysOpen && index === added.length - 1) return text;
    if (endings === "patch") return text + (hasReturn ? "\r\n" : "\n");
    return text + (removed[index]?.ending || near);
  });
  const isBehindOpen = isOpen && at >= lines.length && added.length > 0;
  return (isBehindOpen ? near : "") + texts.join("");
}
