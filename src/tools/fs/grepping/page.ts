import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { plural } from "../../../text/plural.ts";
import { quoted } from "../../../text/quote.ts";
import type { FileMatches, CollectedMatches } from "../../../workspace/search/matches.ts";
import type { Hit } from "../../../workspace/search/search.ts";
import { type ContextLines, contextLinesOf } from "../../../workspace/search/context-lines.ts";
import type { View } from "../../../workspace/view.ts";
import type { GrepInput } from "./input.ts";
import { noted } from "../../notes.ts";
import { documentData, documentNotes, type GrepMatches } from "./collect.ts";
import { hiddenData, hiddenFields, hiddenNotes } from "./hidden-by-policy.ts";
import { type Answer, answer } from "../../tool.ts";

const match = z.object({
  line: z.int(),
  column: z.int(),
  text: z.string(),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
  enclosing: z.object({ line: z.int(), text: z.string() }).optional(),
});

const file = z.object({
  path: z.string(),
  count: z.int().optional(),
  binary: z.boolean().optional(),
  matches: z.array(match).optional(),
});

export const grepAnswer = z.object({
  files: z.array(file).optional(),
  groups: z.array(z.object({ value: z.string(), count: z.int() })).optional(),
  total_matches: z.int(),
  total_files: z.int().optional(),
  /** Is true if the total is a lower bound. */
  at_least: z.boolean().optional(),
  not_searched: z.array(z.object({ path: z.string(), reason: z.string() })).optional(),
  ...hiddenFields,
  /** Counts documents below a directory, in which nothing was searched. */
  documents_not_searched: z.int().optional(),
  truncated: z.boolean(),
  cursor: z.string().optional(),
  ...noted,
});

type Match = z.output<typeof match>;
type FileAnswer = z.output<typeof file>;

/** One page of matches as text and as data. */
export interface GrepAnswer {
  readonly text: readonly string[];
  readonly data: { readonly files: readonly FileAnswer[] };
  readonly notes: readonly string[];
}

export interface GrepPage extends GrepAnswer {
  /** The number of matches up to the end of this page. */
  readonly next: number;
  readonly isLast: boolean;
  readonly last: { readonly place: string; readonly line: number };
}

interface Room {
  readonly chars: number;
  readonly skip: number;
}

/** Fills a page, file by file. */
export async function pageOf(
  view: View,
  found: CollectedMatches,
  args: GrepInput,
  { chars, skip }: Room,
): Promise<GrepPage> {
  const limit = args.limit ?? LIMITS.grepMatches;
  const isList = args.mode !== "matches";
  const text: string[] = [];
  const files: FileAnswer[] = [];
  let [passed, shown, used] = [0, 0, 0];
  let last = { place: "", line: 0 };
  let isLast = true;
  for (const each of found.files) {
    const weight = isList || each.isBinary ? 1 : each.hits.length;
    const from = Math.max(0, skip - passed);
    passed += weight;
    if (from >= weight) continue;
    const most = Math.min(limit - shown, weight - from);
    if (most <= 0 || used >= chars) {
      isLast = false;
      break;
    }
    const answered = isList
      ? filePartOf(view, each, args)
      : await detailedPartOf(view, each, each.hits.slice(from, from + most), args, chars - used);
    for (const line of answered.text) used += line.length + 1;
    text.push(...answered.text);
    files.push(answered.file);
    shown += answered.matchCount;
    last = { place: each.place, line: each.hits[from + answered.matchCount - 1]?.line ?? 0 };
    if (answered.matchCount === weight - from) continue;
    isLast = false;
    break;
  }
  const unsearched = unsearchedIn(view, found);
  const data = { files, ...unsearched.data };
  return { text, data, notes: unsearched.notes, next: skip + shown, isLast, last };
}

/** Lists the files that could not be searched, in words and in data. */
function unsearchedIn(view: View, { unsearched, moreUnsearched }: CollectedMatches) {
  const all = unsearched.map(({ place, unsearched: reason }) => ({ path: view.nameOf(place), reason }));
  return {
    data: all.length > 0 ? { not_searched: all } : {},
    notes: [
      ...all.map(({ path, reason }) => `Not searched: ${quoted(path)}: ${reason}`),
      ...(moreUnsearched > 0 ? [`Not searched: ${moreUnsearched} more`] : []),
    ],
  };
}

interface FilePart {
  readonly text: readonly string[];
  readonly file: FileAnswer;
  /** The number of matches shown. */
  readonly matchCount: number;
}

function filePartOf(view: View, { place, count, isBinary }: FileMatches, { mode }: GrepInput): FilePart {
  const path = view.nameOf(place);
  const binary = isBinary && { binary: true };
  if (mode === "files") return { text: [quoted(path)], file: { path, ...binary }, matchCount: 1 };
  return { text: [`${quoted(path)}: ${count}`], file: { path, count, ...binary }, matchCount: 1 };
}

async function detailedPartOf(
  view: View,
  each: FileMatches,
  hits: readonly Hit[],
  args: GrepInput,
  chars: number,
): Promise<FilePart> {
  const { place, count, isBinary } = each;
  const path = view.nameOf(place);
  if (isBinary) {
    return {
      text: [`${quoted(path)}: binary file matches`],
      file: { path, count, binary: true, matches: [] },
      matchCount: 1,
    };
  }
  const fitting = hits.slice(0, fittingCount(hits, chars));
  const isPlain = each.isDocument === true || (args.context === 0 && !args.enclosing);
  const around = isPlain ? [] : await contextLinesOf(view, place, fitting, args);
  const matches = fitting.map((hit, index) => matchOf(hit, around[index]));
  const lines = isPlain ? plainLines(matches) : linesOf(matches).join("\n");
  return { text: [quoted(path), lines], file: { path, count, matches }, matchCount: fitting.length };
}

/** Returns how many matches fit on the page: at least one, so that paging always advances. */
function fittingCount(hits: readonly Hit[], chars: number): number {
  let used = 0;
  const first = hits.findIndex(({ text }) => (used += text.length + PREFIX_CHARS) > chars);
  return first < 0 ? hits.length : Math.max(1, first);
}

const PREFIX_CHARS = 8;

const matchOf = ({ line, column, text }: Hit, around: ContextLines | undefined): Match => ({
  line,
  column,
  text,
  ...(around && around.before.length > 0 && { before: [...around.before] }),
  ...(around && around.after.length > 0 && { after: [...around.after] }),
  ...(around?.enclosing && { enclosing: around.enclosing }),
});

/** Builds one string per file, because an answer may have a hundred thousand lines. */
function plainLines(matches: readonly Match[]): string {
  let text = "";
  for (const { line, column, text: shown } of matches) text += `${text === "" ? "" : "\n"}${line}:${column} ${shown}`;
  return text;
}

/** Formats matches with context. A context line is printed once, however many matches it is near to. */
function linesOf(matches: readonly Match[]): readonly string[] {
  const own = new Set(matches.map(({ line }) => line));
  const answered = new Set<number>();
  let within = 0;
  const around = (line: number, text: string): readonly string[] => {
    if (own.has(line) || answered.has(line)) return [];
    answered.add(line);
    return [`${line}- ${text}`];
  };
  return matches.flatMap(({ line, column, text, before = [], after = [], enclosing }) => {
    const heading = enclosing && enclosing.line !== within ? [`in ${enclosing.line}: ${enclosing.text}`] : [];
    within = enclosing?.line ?? 0;
    return [
      ...heading,
      ...before.flatMap((each, index) => around(line - before.length + index, each)),
      `${line}:${column} ${text}`,
      ...after.flatMap((each, index) => around(line + 1 + index, each)),
    ];
  });
}

/** Answers with the numbers only. */
export function totalsAnswer(view: View, found: GrepMatches): Answer {
  const { total, files, isComplete, hiddenByPolicy } = found;
  const { data, notes } = unsearchedIn(view, found);
  const least = isComplete ? "" : "at least ";
  return answer(
    `${least}${plural(total, "match", "matches")} in ${plural(files.length, "file")}`,
    {
      total_matches: total,
      total_files: files.length,
      ...(isComplete ? {} : { at_least: true }),
      ...data,
      truncated: false,
      ...hiddenData(hiddenByPolicy),
      ...documentData(found.unsearchedDocuments),
    },
    [...notes, ...hiddenNotes(hiddenByPolicy), ...documentNotes(found.unsearchedDocuments)],
  );
}
