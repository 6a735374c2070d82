import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { plural } from "../../../text/plural.ts";
import { quoted } from "../../../text/quote.ts";
import { shortenLine } from "../../../text/text-lines.ts";
import type { Pattern } from "../../../text/search/pattern.ts";
import { searchAll } from "../../../workspace/search/search-all.ts";
import type { Query, ReportHits } from "../../../workspace/search/search.ts";
import type { View } from "../../../workspace/view.ts";
import type { GrepInput } from "./input.ts";
import { hiddenData, hiddenNotes } from "./hidden-by-policy.ts";
import { type Answer, answer } from "../../tool.ts";

/** Counts, over all matches, how often each value of a capture group occurs. */
export async function countGroups(view: View, args: GrepInput, query: Query, group: string | number): Promise<Answer> {
  if (query.isMultiline) {
    throw new Fault("invalid_input", "Cannot count by a group across lines: leave out multiline", {
      argument: "count_by",
    });
  }
  const index = groupIn(query.pattern, group) - 1;
  const counts = new Map<string, number>();
  const files = new Set<string>();
  let [total, isComplete] = [0, true];
  const take: ReportHits = (found) => {
    if ("unsearched" in found) return true;
    files.add(found.place);
    for (const { text, start } of found.hits) {
      for (const value of valuesIn(text, start, query, index)) {
        total++;
        if (counts.size < LIMITS.grepCounted || counts.has(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
        else isComplete = false;
      }
    }
    return true;
  };
  const whole = { ...query, onlyFirst: false, lineChars: Infinity };
  const hiddenByPolicy = await searchAll(view, args.path, whole, take);
  const groups = [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const shown = groups.slice(0, args.limit ?? LIMITS.grepMatches);
  const rest = groups.length - shown.length;
  return answer(
    shown.map(({ value, count }) => `${count}\t${quoted(value)}`).join("\n"),
    {
      groups: shown,
      total_matches: total,
      total_files: files.size,
      ...(isComplete ? {} : { at_least: true }),
      truncated: rest > 0,
      ...hiddenData(hiddenByPolicy),
    },
    [...notesOn(groups.length, rest, isComplete), ...hiddenNotes(hiddenByPolicy)],
  );
}

function notesOn(groups: number, rest: number, isComplete: boolean): readonly string[] {
  if (groups === 0) return ["No matches"];
  return [
    ...(rest > 0 ? [`Cut: ${plural(rest, "more value")}; raise limit`] : []),
    ...(isComplete ? [] : [`Not counted: values beyond the first ${LIMITS.grepCounted}`]),
  ];
}

function groupIn({ groupCount, groupNames }: Pattern, group: string | number): number {
  const number = typeof group === "number" ? group : (groupNames[group] ?? Number(group));
  if (Number.isInteger(number) && number >= 1 && number <= groupCount) return number;
  const names = Object.keys(groupNames);
  const has = `the pattern has ${groupCount} groups${names.length > 0 ? ` and the names ${names.join(", ")}` : ""}`;
  throw new Fault("invalid_input", `Cannot count by ${JSON.stringify(group)}: ${has}`, { argument: "count_by" });
}

/** Yields the group's value for every match in a line. For a match across lines, yields the one that starts there. */
function* valuesIn(text: string, start: number, { pattern }: Query, index: number): Generator<string> {
  for (let match = pattern.firstIn(text, start); match;) {
    const value = match.groups[index];
    if (value !== undefined) yield shortenLine(value, LIMITS.grepLineChars);
    const next = match.end > match.start ? match.end : match.end + 1;
    if (next > text.length) return;
    match = pattern.firstIn(text, next);
  }
}
