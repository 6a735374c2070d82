import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { nameIn } from "../../base/paths.ts";
import { plural } from "../../text/plural.ts";
import { orSuggestion } from "../../workspace/did-you-mean.ts";
import { sourceOfArchive } from "../../workspace/archives/archive-cache.ts";
import type { OpenFile, SafePath } from "../../storage/storage.ts";
import type { StreamedTree } from "../../storage/writer.ts";
import type { View } from "../../workspace/view.ts";
import { change, changed, mutating, quotedName } from "../fs/changing/change-answer.ts";
import { pathInput } from "../paths.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";
import { shownNames, skippedNotes } from "./packing/names.ts";
import { selectEntries, type Selection } from "./packing/selection.ts";
import { placeTree } from "./packing/placing.ts";

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
    const { entries, tree, origin, skipped } = await orSuggestion(view, path, () =>
      view.withFile(path, (file) => select(file, path, members, view)),
    );
    const { changes, top } = await placeTree(view, { into, tree, origin, overwrite });
    const files = entries.filter(({ kind }) => kind === "file");
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
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

interface Chosen extends Selection {
  readonly tree: StreamedTree;
  readonly origin: SafePath;
}

async function select(
  file: OpenFile,
  path: string,
  members: readonly string[] | undefined,
  view: View,
): Promise<Chosen> {
  const { openArchive } = await import("../../content/archives/archive.ts");
  const { unpackableTree } = await import("./packing/unpackable-tree.ts");
  const { facts } = file;
  const archive = await openArchive(sourceOfArchive(file), nameIn(facts.path), view.checkpoint);
  if (!archive) throw notAnArchive(path);
  const origin = `${facts.path}!` as SafePath;
  const selected = selectEntries(archive, { members, top: origin, packedSize: facts.size, mayOpen: view.mayOpen });
  return { ...selected, origin, tree: unpackableTree(view, { archive, facts, path, entries: selected.entries }) };
}

const notAnArchive = (path: string): Fault =>
  new Fault("invalid_input", `Cannot unpack ${JSON.stringify(path)}: it is not a zip, tar, gzip or zstd file`, {
    argument: "archive",
  });
