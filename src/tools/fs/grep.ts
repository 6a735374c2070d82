import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { globsOf } from "../../text/glob/glob.ts";
import { withEitherBreak } from "../../text/search/pattern-dialect.ts";
import { createPattern, escapeRegex, type PatternOptions } from "../../text/search/pattern.ts";
import { sortByRank } from "../../workspace/search/ranking.ts";
import { type CollectedMatches, comparePaths, type MatchBudget } from "../../workspace/search/matches.ts";
import type { Query } from "../../workspace/search/search.ts";
import type { View } from "../../workspace/view.ts";
import { collectGrep, documentData, documentNotes, type GrepMatches } from "./grepping/collect.ts";
import { countGroups } from "./grepping/groups.ts";
import { type GrepAnswer, grepAnswer, pageOf, totalsAnswer } from "./grepping/page.ts";
import { type GrepInput, grepInput } from "./grepping/input.ts";
import { hiddenData, hiddenNotes } from "./grepping/hidden-by-policy.ts";
import { cursorOf, type GrepCursor, parseGrepCursor } from "./grepping/cursor.ts";
import { type Answer, answer, defineTool, READ_ONLY } from "../tool.ts";

export const grep = defineTool({
  name: "grep",
  title: "Search in files",
  description: "Find text in files, definitions first.",
  annotations: READ_ONLY,
  catalogue: { group: "fs", order: 50, step: "base", profiles: ["readonly"], subAgent: true },
  input: grepInput,
  output: grepAnswer,
  reads: ({ path }) => [path ?? "."],
  showsExcerpts: true,

  async plan(args, view, { pageBytes }) {
    const query = await queryOf(args);
    if (args.count_by !== undefined) return countGroups(view, args, query, args.count_by);
    if (args.mode === "total") return totalsAnswer(view, await collectGrep(view, args, query, ALL));
    const cursor = args.cursor === undefined ? undefined : parseGrepCursor(args.cursor);
    const chars = args.limit === undefined ? pageBytes : LIMITS.grepChars;
    return isInOrder(args, cursor)
      ? showInPathOrder(view, args, query, { chars, cursor })
      : showRanked(view, args, query, { chars, skip: cursor?.kind === "best" ? cursor.skip : 0 });
  },
});

const ALL: MatchBudget = { matches: Infinity, chars: Infinity };

async function queryOf(args: GrepInput): Promise<Query> {
  const { pattern: text, literal: isLiteral, ignoreCase: ignoresCase, word: isWord } = args;
  if (text.includes("\0"))
    throw new Fault("invalid_input", 'Cannot use "pattern": it contains a NUL', { argument: "pattern" });
  const given: PatternOptions = { pattern: text, isLiteral, ignoresCase, isWord };
  const givenPattern = await createPattern(given);
  const isMultiline = args.multiline || text.includes("\n") || (!isLiteral && NAMES_LINE_FEED.test(text));
  const patternOptions = isMultiline
    ? { ...given, isLiteral: false, pattern: withEitherBreak(isLiteral ? escapeRegex(text) : text) }
    : given;
  return {
    patternOptions,
    pattern: isMultiline ? await createPattern(patternOptions) : givenPattern,
    isConfidential: false,
    isMultiline,
    isInOrder: false,
    onlyFirst: args.mode === "files",
    lineChars: args.mode === "matches" || args.mode === "files" ? LIMITS.grepLineChars : 0,
    globs: args.glob === undefined ? [] : globsOf(args.glob, "glob"),
    exclude: args.exclude,
    includeIgnored: args.include_ignored,
    includeHidden: args.include_hidden,
    ms: LIMITS.walkMs,
  };
}

/** Detects a line feed in a pattern: such a pattern can only match across lines. */
const NAMES_LINE_FEED = /(?<!\\)(?:\\\\)*\\n/;

/** Chooses path order when there are more matches than can be ranked, and when a cursor continues in path order. */
const isInOrder = ({ limit = 0, mode }: GrepInput, cursor: GrepCursor | undefined): boolean =>
  cursor?.kind === "after" || (mode === "matches" && limit > LIMITS.grepRanked && cursor === undefined);

interface RankedPage {
  readonly chars: number;
  readonly skip: number;
}

async function showRanked(view: View, args: GrepInput, query: Query, { chars, skip }: RankedPage): Promise<Answer> {
  const most = args.mode === "matches" ? LIMITS.grepRanked : LIMITS.grepCounted;
  const found = await collectGrep(view, args, query, {
    matches: args.mode === "count" ? Infinity : most,
    chars: Infinity,
  });
  const ranked = { ...found, files: inOrderOf(found, args, query) };
  const page = await pageOf(view, ranked, args, { chars, skip });
  if (page.isLast && found.isComplete) return answerFrom(page, found);
  if (found.isComplete) return answerFrom(page, found, cursorOf({ kind: "best", skip: page.next }));
  const why = `more than ${most} matches, not all looked at: name a path or glob; the cursor goes through all by path`;
  return answerFrom(page, found, cursorOf({ kind: "after", place: "", line: 0 }), why);
}

const inOrderOf = ({ files }: CollectedMatches, { mode }: GrepInput, query: Query) =>
  mode === "count"
    ? files.toSorted((a, b) => b.count - a.count || comparePaths(a.place, b.place))
    : sortByRank(files, query);

interface PathOrderPage {
  readonly chars: number;
  readonly cursor: GrepCursor | undefined;
}

async function showInPathOrder(
  view: View,
  args: GrepInput,
  query: Query,
  { chars, cursor }: PathOrderPage,
): Promise<Answer> {
  const after = cursor?.kind === "after" ? cursor : undefined;
  const matches = args.limit ?? LIMITS.grepMatches;
  const found = await collectGrep(view, args, { ...query, isInOrder: after !== undefined }, { matches, chars, after });
  const page = await pageOf(view, found, { ...args, limit: matches }, { chars, skip: 0 });
  if (found.isComplete && page.isLast) return answerFrom(page, found);
  const next = after === undefined ? { place: "", line: 0 } : page.last;
  return answerFrom(page, found, cursorOf({ kind: "after", ...next }), "more matches, in the order of paths");
}

function answerFrom(
  { text, data, notes }: GrepAnswer,
  { total, isComplete, hiddenByPolicy, unsearchedDocuments }: GrepMatches,
  cursor?: string,
  why?: string,
): Answer {
  const isCut = cursor !== undefined;
  const cut = isCut ? [`Cut: ${why ?? `${total} matches in all`}; cursor=${JSON.stringify(cursor)}`] : [];
  const nothing = text.length > 0 || notes.length > 0 || isCut ? [] : ["No matches"];
  return answer(
    text.join("\n"),
    {
      ...data,
      total_matches: total,
      ...(isComplete ? {} : { at_least: true }),
      ...hiddenData(hiddenByPolicy),
      ...documentData(unsearchedDocuments),
      truncated: isCut,
      ...(isCut && { cursor }),
    },
    [...nothing, ...notes, ...cut, ...hiddenNotes(hiddenByPolicy), ...documentNotes(unsearchedDocuments)],
  );
}
