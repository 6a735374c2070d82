import * as z from "zod";
import type { SafePath } from "../../../storage/storage.ts";
import { type VerbForms, imperativeOf } from "../../../text/verb-forms.ts";
import { quoted } from "../../../text/quote.ts";
import type { Change, ChangeRecord, ChangeSet } from "../../../workspace/changes/change.ts";
import type { View } from "../../../workspace/view.ts";
import type { Block, ChangeIntent } from "../../tool.ts";

/** Taken by every tool that changes something. */
export const mutating = {
  dry_run: z
    .boolean()
    .default(false)
    .describe("Show what would happen, change nothing")
    .meta({ listed: { type: "boolean" } }),
};

/** What every change gives back. */
export const changed = {
  change_id: z.string().optional(),
  dry_run: z.boolean().optional(),
  diff: z.string().optional(),
  warnings: z.array(z.string()).optional(),
};

interface ChangeDescription {
  readonly isDryRun: boolean;
  readonly changes: readonly Change[];
  readonly undoes?: readonly string[];
  readonly undoneAt?: ChangeSet["undoneAt"];
  /** One line for each thing. */
  readonly lines: readonly ChangeSummary[];
  readonly diff?: string | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** Structured output, made for this one answer; what is known only afterwards is made from the record. */
  readonly data: (record: ChangeRecord | null) => Record<string, unknown>;
}

/** What is done, and to what: told as done only once it is. */
export type ChangeSummary = string | readonly [done: VerbForms, what: string];

/** A change with the words for it, before and after. */
export function change({
  isDryRun,
  changes,
  undoes,
  undoneAt,
  lines,
  diff,
  warnings = [],
  data,
}: ChangeDescription): ChangeIntent {
  const worded = (word: (done: VerbForms) => string): readonly string[] => [
    ...lines.map((line) => (typeof line === "string" ? line : `${word(line[0])} ${line[1]}`)),
    ...(diff ? [diff.trimEnd()] : []),
  ];
  const blocks = (record: ChangeRecord | null): readonly Block[] => {
    const isDone = record !== null || changes.length === 0;
    const answered = isDone
      ? worded((done) => done)
      : ["Nothing was changed; this is a dry run:", ...worded(imperativeOf)];
    const notes = warnings.map((warning) => `Note: ${warning}`);
    return [{ kind: "text", text: [...answered, ...notes].join("\n") }];
  };
  return {
    kind: "change",
    isDryRun,
    changes,
    undoes,
    undoneAt,
    preview: worded(imperativeOf).join("\n"),
    tell(record) {
      const told: Record<string, unknown> = data(record);
      if (isDryRun) told["dry_run"] = true;
      if (diff) told["diff"] = diff;
      if (warnings.length > 0) told["warnings"] = warnings;
      return { blocks: blocks(record), data: told };
    },
  };
}

/** A path as answers spell it. */
export const quotedName = (view: View, place: SafePath): string => quoted(view.nameOf(place));

/** The version that a place has after a change. */
export const versionAfter = (record: ChangeRecord | null, place: string): { version?: string } => {
  const effect = record?.effects.findLast(({ path }) => path === place);
  return effect?.after ? { version: effect.after.version } : {};
};
