import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import { isoOf } from "../../base/time.ts";
import type { Entry, Facts, OpenDirectory } from "../../storage/storage.ts";
import { plural } from "../../text/plural.ts";
import { quoted } from "../../text/quote.ts";
import { notOurCursor } from "../../workspace/read/cursor.ts";
import { orSuggestion } from "../../workspace/did-you-mean.ts";
import type { LinkTarget, View } from "../../workspace/view.ts";
import { entryType, MARKS } from "../entry-types.ts";
import { noted } from "../notes.ts";
import { pathInput } from "../paths.ts";
import { type Answer, answer, defineTool, READ_ONLY } from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";

const KEYS = ["name", "size", "modified"] as const;
type Key = (typeof KEYS)[number];

const input = z.strictObject({
  path: pathInput.default("."),
  sort_by: z.enum([...KEYS, "-name", "-size", "-modified"]).default("name"),
  times: z.boolean().default(false).describe("Also when each was modified"),
  include_hidden: z.boolean().default(true).meta(UNLISTED.rare),
  limit: z.int().min(1).max(LIMITS.listEntriesMost).optional(),
  cursor: z.string().max(LIMITS.argumentChars).optional(),
});

const listed = z.object({
  name: z.string(),
  type: entryType,
  size: z.int().optional(),
  modified: z.string().optional(),
  outside: z.boolean().optional(),
  dangling: z.boolean().optional(),
});

type Input = z.output<typeof input>;
type Listed = z.output<typeof listed>;

const output = z.object({
  path: z.string(),
  entries: z.array(listed),
  total: z.int(),
  truncated: z.boolean(),
  cursor: z.string().optional(),
  ...noted,
});

export const ls = defineTool({
  name: "ls",
  title: "List a directory",
  description: "Entries of one directory.",
  annotations: READ_ONLY,
  catalogue: { group: "fs", order: 70, step: "base", profiles: ["readonly"], subAgent: true },
  otherNames: ["list"],
  input,
  output,
  reads: ({ path }) => [path],

  plan: (args, view) =>
    orSuggestion(view, args.path, () =>
      view.withDirectory(args.path, (directory) => listDirectory(args, directory, view)),
    ),
});

async function listDirectory(args: Input, directory: OpenDirectory, view: View): Promise<Answer> {
  const all = withoutHidden(await view.entriesOf(directory), args);
  const from = startOf(args.cursor);
  const inOrder = await sortEntries(all, args, directory, view);
  const page = inOrder.slice(from, from + (args.limit ?? LIMITS.listEntries));
  const entries = await describeEntries(page, args, directory, view);
  const next = from + page.length;
  const isCut = next < all.length;
  const data = {
    path: args.path,
    entries,
    total: all.length,
    truncated: isCut,
    ...(isCut && { cursor: String(next) }),
  };
  return answer(entries.map(lineOf).join("\n"), data, notesOn(page.length, all.length, next));
}

const withoutHidden = (entries: readonly Entry[], { include_hidden: all }: Input): readonly Entry[] =>
  all ? entries : entries.filter(({ name }) => !name.startsWith("."));

function startOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw notOurCursor();
}

async function sortEntries(
  entries: readonly Entry[],
  { sort_by: order }: Input,
  directory: OpenDirectory,
  view: View,
): Promise<readonly Entry[]> {
  const descending = order.startsWith("-");
  const key = (descending ? order.slice(1) : order) as Key;
  const byName = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const inOrder = key === "name" ? byName : await sortedByFacts(byName, directory, key, view);
  return descending ? inOrder.toReversed() : inOrder;
}

async function sortedByFacts(
  entries: readonly Entry[],
  directory: OpenDirectory,
  key: Exclude<Key, "name">,
  view: View,
): Promise<readonly Entry[]> {
  const keyed: { readonly entry: Entry; readonly value: number }[] = [];
  for (const entry of entries) {
    await view.checkpoint();
    const facts = directory.stat(entry);
    keyed.push({ entry, value: (key === "size" ? facts?.size : facts?.modifiedMs) ?? 0 });
  }
  return keyed.toSorted((a, b) => a.value - b.value).map(({ entry }) => entry);
}

async function describeEntries(
  page: readonly Entry[],
  { sort_by: order, times }: Input,
  directory: OpenDirectory,
  view: View,
): Promise<readonly Listed[]> {
  if (page.length > LIMITS.listDetailed) return page.map(({ name, kind }) => ({ name, type: kind }));
  const withTimes = times || order.endsWith("modified");
  const described: Listed[] = [];
  for (const entry of page) {
    const pause = view.checkpoint();
    if (pause) await pause;
    const facts = directory.stat(entry);
    const end = entry.kind === "symlink" && facts ? (await view.linkTargetOf(facts.path)).kind : "inside";
    described.push(facts ? listedOf(entry, facts, withTimes, end) : { name: entry.name, type: entry.kind });
  }
  return described;
}

/** Leaves out the size of a directory: its size on disk is not the size of its content. */
const listedOf = ({ name, kind: type }: Entry, facts: Facts, withTimes: boolean, end: LinkTarget["kind"]): Listed => ({
  name,
  type,
  ...(type !== "directory" && { size: facts.size }),
  ...(withTimes && { modified: isoOf(facts.modifiedMs) }),
  ...(end !== "inside" && { [end]: true }),
});

function notesOn(shown: number, total: number, next: number): readonly string[] {
  if (total === 0) return ["Empty directory"];
  if (shown === 0) return [`Nothing there: the directory has ${entryCount(total)}`];
  return next < total ? [`Cut: ${total - next} more, ${entryCount(total)} in all; cursor="${next}"`] : [];
}

const entryCount = (count: number): string => plural(count, "entry", "entries");

function lineOf({ name, type, size, modified, outside, dangling }: Listed): string {
  const end = outside ? " (leads outside)" : dangling ? " (leads to nothing)" : "";
  const seconds = modified === undefined ? [] : [`${modified.slice(0, 19)}Z`];
  const bytes = type === "file" && size !== undefined ? [size] : [];
  return [`${quoted(name)}${MARKS[type]}${end}`, ...bytes, ...seconds].join(" ");
}
