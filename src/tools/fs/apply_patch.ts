import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { runInSlices } from "../../base/time-slicing.ts";
import type { FilePatch } from "../../text/patch/file-patch.ts";
import { parsePatch } from "../../text/patch/parse.ts";
import type { ChangeRecord } from "../../workspace/changes/change.ts";
import type { View } from "../../workspace/view.ts";
import { change, changed, type ChangeSummary, mutating, versionAfter } from "./changing/change-answer.ts";
import { createPatchDraft, type PatchedFile } from "./changing/patch-draft.ts";
import { lookAlikeNotes } from "./changing/look-alikes.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";
import { quoted } from "../../text/quote.ts";

const patched = z.object({
  path: z.string(),
  action: z.enum(["add", "update", "move", "delete"]),
  from: z.string().optional(),
  version: z.string().optional(),
});

export const applyPatch = defineTool({
  name: "apply_patch",
  otherNames: ["apply-patch"],
  title: "Apply a patch",
  description:
    "Apply a *** Begin Patch envelope or a unified diff to any number of files, all or nothing. Add and Move never overwrite.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "fs", order: 40, step: "execution" },
  input: z.strictObject({
    input: z.string().min(1).max(LIMITS.messageBytes),
    if_match: z.record(z.string(), z.string()).optional().describe("Version by path").meta(UNLISTED.context),
    ...mutating,
  }),
  output: z.object({ files: z.array(patched), ...changed }),
  matchesText: true,

  async plan({ input, if_match = {}, dry_run }, view) {
    const draft = createPatchDraft(view, if_match);
    for (const patch of await patchesIn(input, view)) await draft.apply(patch);
    const { changes, files, diff, notes } = draft.finish();
    return change({
      isDryRun: dry_run,
      changes,
      lines: files.map(lineOf),
      diff,
      warnings: [...notes, ...(await lookAlikeNotes(view, changes))],
      data: (record) => ({ files: files.map((file) => patchedOf(file, record)) }),
    });
  },
});

/**
 * Parses the patch and limits the number of its files: all of them change in one transaction, and every other writer
 * waits.
 */
async function patchesIn(input: string, { checkpoint }: View): Promise<readonly FilePatch[]> {
  const patches = await runInSlices(parsePatch(input), checkpoint);
  if (patches.length <= LIMITS.patchFiles) return patches;
  throw new Fault("too_large", `Cannot apply the patch: it names ${patches.length} files`, {
    hint: `Split it: at most ${LIMITS.patchFiles} files in one patch`,
  });
}

const VERBS = { add: "Added", update: "Updated", move: "Moved", delete: "Deleted" } as const;

const lineOf = ({ action, path, from }: PatchedFile): ChangeSummary => [
  VERBS[action],
  `${from === undefined ? "" : `${quoted(from)} to `}${quoted(path)}`,
];

const patchedOf = (
  { action, path, from, place }: PatchedFile,
  record: ChangeRecord | null,
): z.output<typeof patched> => ({
  path,
  action,
  ...(from !== undefined && { from }),
  ...versionAfter(record, place),
});
