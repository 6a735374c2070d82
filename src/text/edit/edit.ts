import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { nearMiss } from "./near-miss.ts";
import { createComposer } from "./replacement-text.ts";
import { findPattern } from "./regex.ts";
import { createSearchedText, findMatches, type SearchedText, type EditTarget } from "./match-tiers.ts";
import { literalBreakWarnings } from "./literal-breaks.ts";
import { firstOccurrence, withoutOverlaps } from "../search/occurrences.ts";
import { createSizeBudget, type SizeBudget } from "./size-budget.ts";
import { bySpliceOrder, isOverlap, loosestOf, type Splice, type Tier } from "./splice.ts";
import { BOM, lineNumberAt, placesIn } from "../text-lines.ts";

/**
 * One replacement. `count` is the required number of matches; without it exactly one must match, or any number with
 * replaceAll.
 */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly count?: number | undefined;
}

/** Options for all edits of a call. */
export interface EditOptions {
  readonly replaceAll?: boolean;
  /** `oldText` is a regular expression, and `newText` may name its groups: $1, $<name>, $&. */
  readonly regex?: boolean;
}

/** The planned splices, sorted and without overlap. `tier` is the loosest tier that was needed. */
export interface EditPlan {
  readonly splices: readonly Splice[];
  readonly tier: Tier;
  readonly warnings: readonly string[];
}

/**
 * Plans all edits against the same original text. Throws a fault if one of them fails, so that nothing is applied in
 * part. Text outside the splices never changes. The size of the result is computed first; a result that is too large is
 * a fault as well.
 */
export function* planEdits(text: string, edits: readonly Edit[], options: EditOptions = {}): SlicedWork<EditPlan> {
  if (edits.length === 0) throw new Fault("invalid_input", "Cannot edit: there is no edit in the list");
  const source = createSearchedText(text);
  const budget = createSizeBudget(text.length);
  const named = edits.map((edit, index) => ({ edit, index, label: labelOf(index, edits.length) }));
  named.forEach((one) => checkEdit(one, options));
  const planned: Splice[][] = [];
  for (const one of named) planned.push(yield* planEdit(source, one, options, budget));
  const splices = planned.flat().toSorted(bySpliceOrder);
  if (splices.length > 1) yield* checkOverlaps(source, planned);
  return {
    splices,
    tier: loosestOf(splices),
    warnings: named.flatMap(warningsOf),
  };
}

interface NamedEdit {
  readonly edit: Edit;
  readonly index: number;
  /** The name of the edit in messages. */
  readonly label: string;
}

const labelOf = (index: number, length: number): string =>
  length === 1 ? "the edit" : `edit ${index + 1} of ${length}`;

function checkEdit({ edit, index, label }: NamedEdit, { regex }: EditOptions): void {
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

function* planEdit(
  source: SearchedText,
  named: NamedEdit,
  options: EditOptions,
  budget: SizeBudget,
): SlicedWork<Splice[]> {
  const { count = options.replaceAll ? undefined : 1, ...edit } = named.edit;
  const target = { ...edit, excludesOverlaps: count !== 1 };
  const found = yield* options.regex ? findPattern(source, target, budget) : findLiteral(source, target, budget);
  if (found.length === 0) throw yield* noMatch(source, named, options);
  const apart = count === 1 ? found : withoutOverlaps(found);
  if (count !== undefined && apart.length !== count) throw yield* wrongCount(source, named, apart, count);
  budget.takePlaces(apart.length);
  if (apart.every(({ start, end, text }) => source.text.slice(start, end) === text)) {
    throw new Fault("no_change", `Cannot apply ${named.label}: the file already has this text`, {
      edit: named.index,
    });
  }
  return apart;
}

/**
 * Finds the matches of a literal text. If it starts with a byte-order mark and is not found, the mark is taken for that
 * of the file.
 */
function* findLiteral(source: SearchedText, target: EditTarget, budget: SizeBudget): SlicedWork<Splice[]> {
  const found = yield* findMatches(source, target);
  if (found === null)
    return target.oldText.startsWith(BOM) ? yield* findLiteral(source, withoutBom(target), budget) : [];
  // With too many matches, the call fails, so their replacements are not needed.
  if (!target.excludesOverlaps && found.matches.length > 1)
    return found.matches.map((match) => spliceAt(match, "", found.tier));
  const compose = createComposer(source, target);
  const splices: Splice[] = [];
  for (const match of found.matches) {
    yield;
    const text = compose(match);
    budget.take(text.length - (match.end - match.start));
    splices.push(spliceAt(match, text, found.tier));
  }
  return splices;
}

const spliceAt = ({ start, end }: Pick<Splice, "start" | "end">, text: string, tier: Tier): Splice => ({
  start,
  end,
  text,
  tier,
});

function withoutBom({ oldText, newText, excludesOverlaps }: EditTarget): EditTarget {
  const fresh = newText.startsWith(BOM) ? newText.slice(BOM.length) : newText;
  return { oldText: oldText.slice(BOM.length), newText: fresh, excludesOverlaps };
}

function* noMatch(source: SearchedText, { edit, index, label }: NamedEdit, { regex }: EditOptions): SlicedWork<Fault> {
  const what = `Cannot apply ${label}`;
  if (regex) return new Fault("no_match", `${what}: the regular expression matches nothing`, { edit: index });
  const lines = yield* source.lines();
  const { summary, report, details } = yield* nearMiss(source.text, lines, edit.oldText);
  const done = edit.newText.trim() === "" ? -1 : yield* firstOccurrence(source.text, edit.newText);
  const already = done < 0 ? [] : [`newText is in the file already, at line ${lineNumberAt(lines, done)}`];
  const message = [`${what}: oldText is not in the file; ${summary}`, ...already, ...report].join("\n");
  return new Fault("no_match", message, { edit: index, ...details });
}

function* wrongCount(
  source: SearchedText,
  { index, label }: NamedEdit,
  found: readonly Splice[],
  count: number,
): SlicedWork<Fault> {
  const lines = yield* source.lines();
  const places = found.map(({ start }) => lineNumberAt(lines, start));
  const often = found.length > LIMITS.editPlaces ? `more than ${LIMITS.editPlaces} times` : `${found.length} times`;
  const times = found.length === 1 ? "once" : often;
  return new Fault(
    "many_matches",
    `Cannot apply ${label}: oldText is in the file ${times}, not ${count === 1 ? "once" : count}\n${placesIn(lines, places)}`,
    {
      edit: index,
      matches: found.length,
      lines: places.slice(0, LIMITS.placesListed),
      tier: found[0]?.tier,
    },
  );
}

function* checkOverlaps(source: SearchedText, planned: readonly (readonly Splice[])[]): SlicedWork<void> {
  const all = planned
    .flatMap((splices, index) => splices.map((splice) => ({ splice, index })))
    .toSorted((a, b) => bySpliceOrder(a.splice, b.splice));
  for (const [at, { splice, index }] of all.entries()) {
    const before = all[at - 1];
    if (before === undefined || !isOverlap(before.splice, splice)) continue;
    const line = lineNumberAt(yield* source.lines(), splice.start);
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
