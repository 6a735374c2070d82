import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isoOf } from "../../base/time.ts";
import { plural } from "../../text/plural.ts";
import { notOurCursor } from "../../workspace/read/cursor.ts";
import { duplicatesAmong, type SizedFile } from "../../workspace/walk/duplicates.ts";
import { find as findBelow, type FoundEntry, foundPlace } from "../../workspace/walk/find.ts";
import { createTopK } from "../../workspace/walk/top-k.ts";
import { orSuggestion } from "../../workspace/did-you-mean.ts";
import { searchRootsFor } from "../../workspace/search/search-start.ts";
import type { View } from "../../workspace/view.ts";
import type { WalkResult } from "../../workspace/walk/walk.ts";
import * as answers from "./finding/answers.ts";
import { createGroups } from "./finding/groups.ts";
import { findInput, type FindInput, findOptionsOf } from "./finding/input.ts";
import { findCursorAt, orderOf, type Rank, rankAt } from "./finding/sort-order.ts";
import { noted } from "../notes.ts";
import { type Answer, answer, defineTool, READ_ONLY } from "../tool.ts";

const output = z.object({
  path: z.string(),
  total_matches: z.int(),
  matches: z.array(answers.match).optional(),
  groups: z.array(answers.group).optional(),
  duplicates: z.array(answers.duplicate).optional(),
  not_compared: z.int().optional(),
  truncated: z.boolean(),
  cursor: z.string().optional(),
  ...answers.walkedFields,
  ...noted,
});

export const find = defineTool({
  name: "find",
  title: "Find files",
  description: "Paths by glob; one without a slash matches names at any depth.",
  annotations: READ_ONLY,
  catalogue: { group: "fs", order: 60, step: "base", profiles: ["readonly"], subAgent: true },
  otherNames: ["glob"],
  input: findInput,
  output,
  reads: ({ path }) => [path ?? "."],

  plan(args, view) {
    if (args.duplicates && args.group_by !== undefined) {
      throw new Fault("invalid_input", 'Cannot use the arguments: give either "group_by" or "duplicates"', {
        argument: "group_by",
      });
    }
    if (args.duplicates) return duplicatesAnswer(args, view);
    return args.group_by === undefined ? matchesAnswer(args, view) : groupsAnswer(args, args.group_by, view);
  },
});

async function search(args: FindInput, view: View, take: (found: FoundEntry) => void): Promise<WalkResult> {
  const options = findOptionsOf(args);
  const below = (path: string) => orSuggestion(view, path, () => findBelow(view, path, options, take));
  const walks: WalkResult[] = [];
  for (const start of searchRootsFor(view, args.path)) walks.push(await below(start));
  return walks.reduce((sum, walked) => ({
    ...sum,
    ...walked,
    unreadable: sum.unreadable + walked.unreadable,
    blocked: sum.blocked + walked.blocked,
    leftOut: sum.leftOut + walked.leftOut,
  }));
}

async function matchesAnswer(args: FindInput, view: View): Promise<Answer> {
  const order = orderOf(args.sort_by);
  const start = args.cursor === undefined ? undefined : rankAt(args.cursor);
  const isAfter = (found: Rank) => start === undefined || order(found, start) > 0;
  const room = { count: args.limit ?? LIMITS.findMatches, length: LIMITS.findChars, lengthOf: pathLength };
  const first = createTopK<FoundEntry>(room, order, isAfter);
  const walked = await search(args, view, first.add);
  const { items: page, rest } = first.page();
  const matches = await withDetails(page, view);
  const last = rest > 0 ? page.at(-1) : undefined;
  const cursor = last && findCursorAt(last);
  const withFacts = findOptionsOf(args).needsFacts;
  const lines = matches.map((match) => answers.matchLine(match, withFacts));
  const notes: string[] = [];
  if (matches.length === 0) notes.push(first.total === 0 ? answers.nothingFound(walked) : "No more matches");
  if (cursor !== undefined) notes.push(cutNote(rest, first.total, "matches", cursor));
  return pageAnswer(args, walked, { lines, notes }, { total_matches: first.total, matches, cursor });
}

const cutNote = (rest: number, total: number, things: string, cursor: string): string =>
  `Cut: ${rest} more ${things}, ${total} in all; cursor="${cursor}"`;

const pathLength = ({ path }: FoundEntry): number => path.length;

/** Adds sizes and times to a short page. A long page has them only if the search read them anyway. */
async function withDetails(page: readonly FoundEntry[], view: View): Promise<readonly answers.FindMatch[]> {
  const isShort = page.length <= LIMITS.listDetailed;
  const matches: answers.FindMatch[] = [];
  for (const found of page) {
    const { path, kind: type } = found;
    const pause = view.checkpoint();
    if (pause) await pause;
    const facts = found.facts ?? (isShort ? await view.stat(foundPlace(found), "keep") : null);
    matches.push(facts ? { path, type, size: facts.size, modified: isoOf(facts.modifiedMs) } : { path, type });
  }
  return matches;
}

async function groupsAnswer(args: FindInput, by: NonNullable<FindInput["group_by"]>, view: View): Promise<Answer> {
  const groups = createGroups(by);
  let total = 0;
  const walked = await search(args, view, (found) => {
    total++;
    groups.add(found);
  });
  const all = groups.all();
  const { page, cursor, rest } = pageOf(all, args);
  const lines = page.map(answers.groupLine);
  const notes: string[] = [];
  if (total === 0) notes.push(answers.nothingFound(walked));
  if (cursor !== undefined) notes.push(cutNote(rest, all.length, "groups", cursor));
  return pageAnswer(args, walked, { lines, notes }, { total_matches: total, groups: page, cursor });
}

async function duplicatesAnswer(args: FindInput, view: View): Promise<Answer> {
  const files: SizedFile[] = [];
  const walked = await search(args, view, (found) => {
    if (found.facts && found.kind === "file") files.push(found as SizedFile);
  });
  const { groups, skipped } = await duplicatesAmong(view, files);
  const { page, cursor, rest } = pageOf(groups, args);
  const duplicates = page.map(({ sha256, size, paths, reclaim }) => ({
    sha256,
    size,
    count: paths.length,
    reclaim,
    paths: paths.slice(0, LIMITS.duplicatePaths),
  }));
  const lines = duplicates.flatMap(answers.duplicateLines);
  const notes: string[] = [];
  if (groups.length === 0) notes.push("No duplicates");
  if (skipped > 0) notes.push(`Not compared: ${plural(skipped, "file")}; at most ${LIMITS.duplicateBytes} bytes each`);
  if (cursor !== undefined) notes.push(cutNote(rest, groups.length, "groups", cursor));
  const data = { total_matches: files.length, duplicates, not_compared: skipped > 0 ? skipped : undefined, cursor };
  return pageAnswer(args, walked, { lines, notes }, data);
}

/** Cuts a page of groups. There are few of them, so the cursor is an index. */
function pageOf<T>(all: readonly T[], { cursor, limit = LIMITS.findMatches }: FindInput): Page<T> {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw notOurCursor();
  const from = Number(cursor ?? 0);
  const page = all.slice(from, from + limit);
  const rest = Math.max(0, all.length - from - page.length);
  return { page, rest, cursor: rest > 0 ? String(from + page.length) : undefined };
}

interface Page<T> {
  readonly page: readonly T[];
  readonly rest: number;
  readonly cursor: string | undefined;
}

function pageAnswer(
  { path = "." }: FindInput,
  walked: WalkResult,
  { lines, notes }: { readonly lines: readonly string[]; readonly notes: readonly string[] },
  { cursor, ...data }: Readonly<Record<string, unknown>>,
): Answer {
  const isCut = cursor !== undefined || walked.stopped !== undefined;
  const all = {
    path,
    ...data,
    truncated: isCut,
    ...(cursor !== undefined && { cursor }),
    ...answers.walkedData(walked),
  };
  return answer(lines.join("\n"), all, [...notes, ...answers.walkedNotes(walked)]);
}
