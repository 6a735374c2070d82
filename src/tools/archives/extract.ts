import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { nameIn } from "../../base/paths.ts";
import { plural } from "../../text/plural.ts";
import { orSuggestion } from "../../workspace/did-you-mean.ts";
import { sourceOfArchive } from "../../workspace/archives/archive-cache.ts";
import type { OpenFile } from "../../storage/storage.ts";
import type { View } from "../../workspace/view.ts";
import { change, changed, mutating, quotedName } from "../fs/changing/change-answer.ts";
import { pathInput } from "../paths.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";
import { contentsOf, type Unpacked } from "./packing/contents.ts";
import { shownNames, skippedNotes } from "./packing/names.ts";
import { selectEntries, type Selection } from "./packing/selection.ts";
import { placeFiles } from "./packing/placing.ts";

const input = z.strictObject({
  archive: pathInput,
  into: pathInput.describe("Directory"),
  members: z
    .array(z.string().min(1).max(LIMITS.patternChars))
    .min(1)
    .max(LIMITS.pathsPerCall)
    .optional()
    .describe("Paths or globs in the archive"),
  overwrite: z.boolean().default(false),
  ...mutating,
});

const output = z.object({
  archive: z.string(),
  into: z.string(),
  extracted: z.int(),
  bytes: z.int(),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })).optional(),
  ...changed,
});

export const extract = defineTool({
  name: "extract",
  title: "Unpack an archive",
  description: "Unpack a zip or tar into a directory. To look inside only, read archive.zip!/path.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "archives", order: 180 },
  input,
  output,

  async plan({ archive: path, into, members, overwrite, dry_run }, view) {
    const { files, directories, skipped } = await orSuggestion(view, path, () =>
      view.withFile(path, (file) => unpack(file, path, members, view)),
    );
    const { changes, top } = await placeFiles(view, { into, files, directories, overwrite });
    const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
    return change({
      isDryRun: dry_run,
      changes,
      lines: [
        ["Extracted", `${plural(files.length, "file")}, ${plural(bytes, "byte")}, into ${quotedName(view, top)}`],
        ...shownNames(files),
      ],
      warnings: skippedNotes(skipped),
      data: () => ({
        archive: path,
        into,
        extracted: files.length,
        bytes,
        ...(skipped.length > 0 && { skipped: skipped.slice(0, LIMITS.archiveNamesListed) }),
      }),
    });
  },
});

async function unpack(
  file: OpenFile,
  path: string,
  members: readonly string[] | undefined,
  view: View,
): Promise<Unpacked & Pick<Selection, "skipped">> {
  const { openArchive } = await import("../../content/archives/archive.ts");
  const source = sourceOfArchive(file);
  const archive = await openArchive(source, nameIn(file.facts.path), view.checkpoint);
  if (!archive)
    throw new Fault("invalid_input", `Cannot unpack ${JSON.stringify(path)}: it is not a zip, tar, gzip or zstd file`, {
      argument: "archive",
    });
  const selected = selectEntries(archive, { members, top: `${file.facts.path}!`, mayOpen: view.mayOpen });
  return { ...(await contentsOf(archive, source, selected.entries, view.checkpoint)), skipped: selected.skipped };
}
