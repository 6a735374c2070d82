import * as z from "zod";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Sighting } from "../storage/hands.ts";
import type { SafePath } from "../storage/storage.ts";
import { quoted } from "../text/quote.ts";
import type { Change, ChangeRecord } from "../workspace/change.ts";
import type { Target, View } from "../workspace/view.ts";
import type { Block, ChangeIntent } from "./tool.ts";

/** Taken by every tool that changes something. */
export const mutating = {
  dry_run: z.boolean().default(false).meta({ unlisted: true }).describe("Show what would happen, change nothing"),
};

/** For tools that change one file which the caller may have read before. */
export const ifMatch = z
  .string()
  .max(LIMITS.argumentChars)
  .optional()
  .meta({ unlisted: true })
  .describe("The version that was read: refuse, or merge, when the file has changed since");

/** What every change gives back. */
export const changed = {
  change_id: z.string().optional(),
  diff: z.string().optional(),
  warnings: z.array(z.string()).optional(),
};

/** Makes the directories that a path needs and does not have. */
export const parents = ({ missing }: Target): readonly Change[] => missing.map((path) => ({ kind: "mkdir", path }));

/** Refuses when a path needs directories that do not exist. */
export function requireParents({ missing: [first], place }: Target, view: View): void {
  if (first === undefined) return;
  const [path, name] = [view.nameOf(place), view.nameOf(first)].map((each) => JSON.stringify(each));
  throw new Fault("not_found", `Cannot make ${path}: there is no directory ${name}`);
}

/** Refuses when the caller knows another state than the one there is. */
export function requireMatch(now: Sighting | null, wanted: string | undefined, path: string): void {
  if (wanted === undefined || now?.version === wanted) return;
  const state = now ? "it has changed since it was read" : "it does not exist any more";
  throw new Fault("stale", `Cannot change ${JSON.stringify(path)}: ${state}`, { path, version: now?.version });
}

/** What is there and can go, or the fault that it is not. */
export function requireThere({ now, place }: Target, path: string, view: View): Sighting {
  if (view.roots.some(({ real }) => real === place))
    throw new Fault("denied", `Cannot take ${JSON.stringify(path)} away: it is a root of this workspace`, { path });
  if (now) return now;
  throw new Fault("not_found", `Cannot find ${JSON.stringify(path)}: it does not exist`, { path });
}

interface Telling {
  readonly isDryRun: boolean;
  readonly changes: readonly Change[];
  readonly undoes?: readonly string[];
  /** One line for each thing, worded as done; a dry run says first that it was not. */
  readonly lines: readonly string[];
  readonly diff?: string | undefined;
  readonly warnings?: readonly string[];
  /** Structured output; what is known only afterwards is made from the record. */
  readonly data: (record: ChangeRecord | null) => Readonly<Record<string, unknown>>;
}

/** A change with the words for it, the same before and after. */
export function change({ isDryRun, changes, undoes, lines, diff, warnings = [], data }: Telling): ChangeIntent {
  const preview = [...lines, ...(diff ? [diff.trimEnd()] : [])].join("\n");
  const blocks = (record: ChangeRecord | null): readonly Block[] => {
    const head = record || changes.length === 0 ? [] : ["Nothing was changed; this would be the result:"];
    const notes = warnings.map((warning) => `Note: ${warning}`);
    return [{ kind: "text", text: [...head, preview, ...notes].join("\n") }];
  };
  return {
    kind: "change",
    isDryRun,
    changes,
    undoes,
    preview,
    tell: (record) => ({
      blocks: blocks(record),
      data: { ...data(record), ...(diff && { diff }), ...(warnings.length > 0 && { warnings }) },
    }),
  };
}

/** A path as answers spell it. */
export const named = (view: View, place: SafePath): string => quoted(view.nameOf(place));

/** The version that a place has after a change. */
export const versionAfter = (record: ChangeRecord | null, place: string): { version?: string } => {
  const effect = record?.effects.findLast(({ path }) => path === place);
  return effect?.after ? { version: effect.after.version } : {};
};
