import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { runInSlices, type SlicedWork } from "../../base/time-slicing.ts";
import { plural } from "../../text/plural.ts";
import { type Edit, type EditOptions, type EditPlan, planEdits } from "../../text/edit/edit.ts";
import { TIERS } from "../../text/edit/splice.ts";
import { deltaOf } from "../../workspace/changes/delta.ts";
import { orSuggestion } from "../../workspace/did-you-mean.ts";
import type { SearchableText } from "../../workspace/view.ts";
import { readWholeFile } from "../../workspace/read/whole-file.ts";
import { cellInput, cellsIn, planCellEdits, withCellHint } from "./changing/cell-edits.ts";
import { change, changed, mutating, quotedName, versionAfter } from "./changing/change-answer.ts";
import { pathInput } from "../paths.ts";
import { ifMatch } from "./changing/preconditions.ts";
import { mergeBaseOf } from "./changing/merge-base.ts";
import { comparedToSeen } from "./changing/rewriting.ts";
import { type DecodedFile, decodedFile, realSplices, type Respliced, applySplices } from "./changing/splicing.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";

const text = z.string().max(LIMITS.messageBytes);

const input = z.strictObject({
  path: pathInput,
  edits: z
    .array(
      z.strictObject({
        oldText: text.optional(),
        newText: text,
        count: z.int().min(1).optional(),
        ...cellInput,
      }),
    )
    .max(LIMITS.editsPerCall)
    .optional(),
  oldText: text.optional().meta(UNLISTED.spelling),
  newText: text.optional().meta(UNLISTED.spelling),
  replaceAll: z.boolean().default(false),
  regex: z.boolean().default(false),
  if_match: ifMatch,
  ...mutating,
});

type Input = z.output<typeof input>;

const output = z.object({
  path: z.string(),
  version: z.string().optional(),
  replacements: z.int(),
  tier: z.enum(TIERS),
  ...changed,
});

export const edit = defineTool({
  name: "edit",
  title: "Edit a file",
  description: "Replace text. Each oldText must fit exactly one place; all edits apply together or not at all.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "fs", order: 30, step: "base" },
  matchesText: true,
  input,
  output,

  async plan(args, view) {
    const { path, replaceAll, regex, if_match } = args;
    const cells = cellsIn(args);
    if (cells) return planCellEdits({ ...args, cells }, view);
    const now = await orSuggestion(view, path, () => view.withFile(path, readWholeFile));
    const place = now.facts.path;
    const base = await mergeBaseOf(view, place, now, if_match);
    const original = await decodedFile(base.bytes, path).catch(withCellHint(base.bytes));
    const searchable = view.searchableText(place, original.text);
    const steps = editSteps(original, searchable, textEditsOf(args), { replaceAll, regex }, view.nameOf(place));
    const { edited, splices, tier, warnings } = await runInSlices(steps, view.checkpoint);
    const content = await base.merge(edited.bytes);
    const { diff, lines } = base.notes.length > 0 ? await comparedToSeen(view, place, now.bytes, content) : edited;
    const places = plural(splices.length, "place");
    return change({
      isDryRun: args.dry_run,
      changes: [
        {
          kind: "write",
          path: place,
          content,
          expect: now.version,
          lines,
          delta: deltaOf(now.bytes, content),
          isKnown: base.notes.length > 0 && base.isKnown,
        },
      ],
      lines: [
        [
          "Edited",
          `${quotedName(view, place)}: ${places}${tier === "exact" ? "" : ` (matched by ${tier.replace("_", " ")})`}`,
        ],
      ],
      diff,
      warnings: [...base.notes, ...warnings],
      data: (record) => ({ path, ...versionAfter(record, place), replacements: splices.length, tier }),
    });
  },
});

/** Plans the edits in slices, so that a large file does not block other calls. */
function* editSteps(
  original: DecodedFile,
  searchable: SearchableText,
  edits: readonly Edit[],
  options: EditOptions,
  name: string,
): SlicedWork<EditPlan & { readonly edited: Respliced }> {
  const plan = yield* planEdits(searchable.text, edits, options);
  const splices = yield* realSplices(plan.splices, searchable);
  return { ...plan, edited: yield* applySplices(original, splices, name) };
}

/** Returns the list of edits, or the single edit that `oldText` and `newText` give. */
function textEditsOf({ edits, oldText, newText }: Input): readonly Edit[] {
  const hasOne = oldText !== undefined || newText !== undefined;
  if (hasOne === (edits !== undefined))
    throw new Fault("invalid_input", 'Cannot edit: give "edits", or one "oldText" with its "newText"', {
      argument: "edits",
    });
  const given = edits ?? [{ oldText, newText }];
  return given.map((each) => ({ ...each, oldText: required(each, "oldText"), newText: required(each, "newText") }));
}

function required<Key extends "oldText" | "newText">(
  given: { readonly [key in Key]?: string | undefined },
  argument: Key,
) {
  const value = given[argument];
  if (value !== undefined) return value;
  throw new Fault("invalid_input", `Cannot edit: "${argument}" is missing`, { argument });
}
