import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { nearMiss } from "./closest.ts";
import { composeText } from "./edit-compose.ts";
import { findPattern } from "./edit-regex.ts";
import { createSource, findMatches, type Source } from "./edit-tiers.ts";
import { literalBreakWarnings } from "./literal-breaks.ts";
import { firstOccurrence, withoutOverlaps } from "./occurrences.ts";
import { bySpliceOrder, isOverlap, loosestOf, type Splice, type Tier } from "./splice.ts";
import { BOM, lineNumberAt, placesIn } from "./text-lines.ts";

/** One replacement. `count` says how many places must fit; without it exactly one must, or with replaceAll any. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly count?: number | undefined;
}

/** How all edits of a call are meant. */
export interface EditOptions {
  readonly replaceAll?: boolean;
  /** `oldText` is a regular expression, and `newText` may name its groups: $1, $<name>, $&. */
  readonly regex?: boolean;
}

/** Splices are sorted and apart, one for each place; `tier` is the loosest that was needed. */
export interface EditPlan {
  readonly splices: readonly Splice[];
  readonly tier: Tier;
  readonly warnings: readonly string[];
}

/** All edits, found in the same original, or a Fault: nothing is half done. Outside the splices nothing changes. */
export function planEdits(text: string, edits: readonly Edit[], options: EditOptions = {}): EditPlan {
  if (edits.length === 0) throw new Fault("invalid_input", "Cannot edit: there is no edit in the list");
  const source = createSource(text);
  const named = edits.map((edit, index) => ({ edit, index, label: labelOf(index, edits.length) }));
  named.forEach((one) => check(one, options));
  const planned = named.map((one) => planEdit(source, one, options));
  const splices = planned.flat().toSorted(bySpliceOrder);
  if (splices.length > 1) checkOverlaps(source, planned);
  return {
    splices,
    tier: loosestOf(splices),
    warnings: named.flatMap(warningsOf),
  };
}

interface NamedEdit {
  readonly edit: Edit;
  readonly index: number;
  /** How messages name it. */
  readonly label: string;
}

const labelOf = (index: number, length: number): string =>
  length === 1 ? "the edit" : `edit ${index + 1} of ${length}`;

function check({ edit, index, label }: NamedEdit, { regex }: EditOptions): void {
  const { oldText, newText, count } = edit;
  if (oldText === "" || oldText === BOM) {
    throw new Fault("invalid_input", `Cannot apply ${label}: oldText is empty, which fits everywhere`, { edit: index });
  }
  if (count !== undefined && !(Number.isInteger(count) && count > 0)) {
    throw new Fault("invalid_input", `Cannot apply ${label}: count must be a whole number from 1 on`, { edit: index });
  }
  if (oldText === newText && !regex) {
    throw new Fault("no_change", `Cannot apply ${label}: oldText and newText are the same`, { edit: index });
  }
}

function planEdit(source: Source, named: NamedEdit, options: EditOptions): Splice[] {
  const found = options.regex ? findPattern(source, named.edit) : findLiteral(source, named.edit);
  if (found.length === 0) throw noMatch(source, named, options);
  const { count = options.replaceAll ? undefined : 1 } = named.edit;
  const apart = count === 1 ? found : withoutOverlaps(found);
  if (count !== undefined && apart.length !== count) throw wrongCount(source, named, apart, count);
  if (apart.every(({ start, end, text }) => source.text.slice(start, end) === text)) {
    throw new Fault("no_change", `Cannot apply ${named.label}: the file already reads like that`, {
      edit: named.index,
    });
  }
  return apart;
}

/** A byte-order mark at the start of the old text is that of the file when it is found nowhere else. */
function findLiteral(source: Source, edit: Edit): Splice[] {
  const found = findMatches(source, edit);
  if (found === null) return edit.oldText.startsWith(BOM) ? findLiteral(source, withoutMark(edit)) : [];
  return found.matches.map((match) => ({
    start: match.start,
    end: match.end,
    text: composeText(source, match, edit),
    tier: found.tier,
  }));
}

function withoutMark({ oldText, newText }: Edit): Edit {
  return { oldText: oldText.slice(BOM.length), newText: newText.startsWith(BOM) ? newText.slice(BOM.length) : newText };
}

function noMatch({ text, lines }: Source, { edit, index, label }: NamedEdit, { regex }: EditOptions): Fault {
  const what = `Cannot apply ${label}`;
  if (regex) return new Fault("no_match", `${what}: the regular expression matches nothing`, { edit: index });
  const { summary, report, details } = nearMiss(text, lines(), edit.oldText);
  const done = edit.newText.trim() === "" ? -1 : firstOccurrence(text, edit.newText);
  const already = done < 0 ? [] : [`newText is in the file already, at line ${lineNumberAt(lines(), done)}`];
  const message = [`${what}: oldText is not in the file; ${summary}`, ...already, ...report].join("\n");
  return new Fault("no_match", message, { edit: index, ...details });
}

function wrongCount({ lines }: Source, { index, label }: NamedEdit, found: readonly Splice[], count: number): Fault {
  const places = found.map(({ start }) => lineNumberAt(lines(), start));
  const times = found.length === 1 ? "once" : `${found.length} times`;
  return new Fault(
    "many_matches",
    `Cannot apply ${label}: oldText is in the file ${times}, not ${count === 1 ? "once" : count}\n${placesIn(lines(), places)}`,
    {
      edit: index,
      matches: found.length,
      lines: places.slice(0, LIMITS.placesListed),
      tier: found[0]?.tier,
    },
  );
}

function checkOverlaps({ lines }: Source, planned: readonly (readonly Splice[])[]): void {
  const all = planned
    .flatMap((splices, index) => splices.map((splice) => ({ splice, index })))
    .toSorted((a, b) => bySpliceOrder(a.splice, b.splice));
  for (const [at, { splice, index }] of all.entries()) {
    const before = all[at - 1];
    if (before === undefined || !isOverlap(before.splice, splice)) continue;
    const line = lineNumberAt(lines(), splice.start);
    const pair = [before.index, index].toSorted((a, b) => a - b);
    const names = pair.map((one) => `edit ${one + 1}`).join(" and ");
    throw new Fault("overlap", `Cannot apply the edits: ${names} touch the same text in line ${line}`, {
      edits: pair,
      line,
    });
  }
}

const warningsOf = ({ edit: { newText }, label }: NamedEdit): readonly string[] =>
  literalBreakWarnings(`${label}: newText`, newText);
