import * as z from "zod";
import type { SafePath } from "../storage/storage.ts";
import { quoted } from "../text/quote.ts";
import type { Change, ChangeRecord, ChangeSet } from "../workspace/change.ts";
import type { View } from "../workspace/view.ts";
import type { Block, ChangeIntent } from "./tool.ts";

/** Taken by every tool that changes something. */
export const mutating = {
  dry_run: z.boolean().default(false).meta({ unlisted: true }).describe("Show what would happen, change nothing"),
};

/** What every change gives back. */
export const changed = {
  change_id: z.string().optional(),
  dry_run: z.boolean().optional(),
  diff: z.string().optional(),
  warnings: z.array(z.string()).optional(),
};

interface Telling {
  readonly isDryRun: boolean;
  readonly changes: readonly Change[];
  readonly undoes?: readonly string[];
  readonly undoneAt?: ChangeSet["undoneAt"];
  /** One line for each thing, worded as done; a dry run says first that it was not. */
  readonly lines: readonly string[];
  readonly diff?: string | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** Structured output; what is known only afterwards is made from the record. */
  readonly data: (record: ChangeRecord | null) => Readonly<Record<string, unknown>>;
}

/** A change with the words for it, the same before and after. */
export function change({
  isDryRun,
  changes,
  undoes,
  undoneAt,
  lines,
  diff,
  warnings = [],
  data,
}: Telling): ChangeIntent {
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
    undoneAt,
    preview,
    tell: (record) => ({
      blocks: blocks(record),
      data: {
        ...data(record),
        ...(isDryRun && { dry_run: true }),
        ...(diff && { diff }),
        ...(warnings.length > 0 && { warnings }),
      },
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
