import * as z from "zod";
import type { SafePath } from "../../../storage/storage.ts";
import { type VerbForms, conditionalOf } from "../../../text/verb-forms.ts";
import { quoted } from "../../../text/quote.ts";
import type { Change, ChangeRecord, ChangeSet } from "../../../workspace/changes/change.ts";
import type { View } from "../../../workspace/view.ts";
import type { Block, ChangeIntent } from "../../tool.ts";

/** Holds the input fields of every tool that changes files. */
export const mutating = {
  dry_run: z
    .boolean()
    .default(false)
    .describe("Show what would happen, change nothing")
    .meta({ listed: { type: "boolean" } }),
};

/** Holds the output fields of every tool that changes files. */
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
  /** Holds one line per changed file. What is known only after the commit comes from the record. */
  readonly lines: readonly ChangeSummary[] | ((record: ChangeRecord | null) => readonly ChangeSummary[]);
  readonly diff?: string | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** Builds the structured output of this answer. Values that are known only after the commit come from the record. */
  readonly data: (record: ChangeRecord | null) => Record<string, unknown>;
}

/** Pairs a verb with its object. The verb is in the past tense only once the change is committed. */
export type ChangeSummary = string | readonly [done: VerbForms, what: string];

/** Builds a change intent together with its preview and its answer. */
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
  const worded = (word: (done: VerbForms) => string, record: ChangeRecord | null = null): readonly string[] => [
    ...(typeof lines === "function" ? lines(record) : lines).map((line) =>
      typeof line === "string" ? line : `${word(line[0])} ${line[1]}`,
    ),
    ...(diff ? [diff.trimEnd()] : []),
  ];
  const blocks = (record: ChangeRecord | null): readonly Block[] => {
    const isDone = record !== null || changes.length === 0;
    const answered = isDone
      ? worded((done) => done, record)
      : ["Nothing was changed; this is a dry run:", ...worded(conditionalOf)];
    const notes = warnings.map((warning) => `Note: ${warning}`);
    return [{ kind: "text", text: [...answered, ...notes].join("\n") }];
  };
  return {
    kind: "change",
    isDryRun,
    changes,
    undoes,
    undoneAt,
    preview: worded(conditionalOf).join("\n"),
    answerFor(record) {
      const output: Record<string, unknown> = data(record);
      if (isDryRun) output["dry_run"] = true;
      if (diff) output["diff"] = diff;
      if (warnings.length > 0) output["warnings"] = warnings;
      return { blocks: blocks(record), data: output };
    },
  };
}

/** Formats a path for the text of an answer. */
export const quotedName = (view: View, place: SafePath): string => quoted(view.nameOf(place));

/** Returns the version of a file after the change. */
export const versionAfter = (record: ChangeRecord | null, place: string): { version?: string } => {
  const effect = record?.effects.findLast(({ path }) => path === place);
  return effect?.after ? { version: effect.after.version } : {};
};
