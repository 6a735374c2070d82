import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { plural } from "../../../text/plural.ts";
import { quoted } from "../../../text/quote.ts";
import type { WalkResult } from "../../../workspace/walk/walk.ts";
import { entryType, MARKS } from "../../entry-types.ts";

export const match = z.object({
  path: z.string(),
  type: entryType,
  size: z.int().optional(),
  modified: z.string().optional(),
});

export type FindMatch = z.output<typeof match>;

export const group = z.object({ key: z.string(), count: z.int(), size: z.int() });

export const duplicate = z.object({
  sha256: z.string(),
  size: z.int(),
  count: z.int(),
  reclaim: z.int(),
  paths: z.array(z.string()),
});

/** Holds the fields that report on the directory walk. */
export const walkedFields = {
  unreadable: z.int().optional(),
  blocked: z.int().optional(),
  stopped: z.object({ by: z.string(), before: z.string() }).optional(),
};

export const walkedData = ({ unreadable, blocked, stopped }: WalkResult): object => ({
  ...(unreadable > 0 && { unreadable }),
  ...(blocked > 0 && { blocked }),
  ...(stopped && { stopped: { by: STOPPED[stopped.by].word, before: stopped.at } }),
});

const STOPPED = {
  entries: { word: "entries", after: `${LIMITS.walkEntries} entries` },
  directories: { word: "directories", after: `${LIMITS.walkDirectories} directories` },
  ms: { word: "time", after: `${LIMITS.walkMs / 1000} s` },
} as const;

/** Lists what the walk could not see and how to continue where it stopped. */
export function walkedNotes({ unreadable, blocked, stopped }: WalkResult): readonly string[] {
  const notes: string[] = [];
  if (unreadable > 0) notes.push(`Not opened: ${unreadable} directories that cannot be read`);
  if (blocked > 0) notes.push(`Left out: ${blocked} blocked by a rule`);
  if (stopped) {
    const where = `before ${quoted(stopped.at)}`;
    notes.push(`Stopped after ${STOPPED[stopped.by].after}, ${where}: search its path, or others, one by one`);
  }
  return notes;
}

/** Formats one match. Size and time appear only if the query needed them, because the path alone is used next. */
export function matchLine({ path, type, size, modified }: FindMatch, withFacts: boolean): string {
  const shown = quoted(path) + MARKS[type];
  return withFacts && modified !== undefined
    ? `${shown}\t${type === "file" ? size : "-"}\t${modified.slice(0, 19)}Z`
    : shown;
}

export const nothingFound = ({ leftOut }: WalkResult): string =>
  leftOut > 0
    ? `No matches; ${leftOut} hidden or ignored entries were left out: include_hidden, include_ignored`
    : "No matches";

export const groupLine = ({ key, count, size }: z.output<typeof group>): string =>
  `${quoted(key)}\t${plural(count, "file")}\t${plural(size, "byte")}`;

export const duplicateLines = ({ size, count, reclaim, paths }: z.output<typeof duplicate>): readonly string[] => [
  `${count} x ${plural(size, "byte")}, ${reclaim} to reclaim:`,
  ...paths.map((path) => `  ${quoted(path)}`),
  ...(count > paths.length ? [`  … ${count - paths.length} more`] : []),
];
