import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { plural } from "../../text/plural.ts";
import type { Change, ChangeRecord } from "../../workspace/changes/change.ts";
import type { Snapshot } from "../../storage/writer.ts";
import type { Target } from "../../workspace/view.ts";
import { change, changed, mutating, quotedName, versionAfter } from "../fs/changing/change-answer.ts";
import { mkdirMissingParents } from "../fs/changing/preconditions.ts";
import { pathInput } from "../paths.ts";
import { DESTRUCTIVE, defineTool } from "../tool.ts";
import { collectEntries } from "./packing/collect-entries.ts";
import { shownNames, skippedNotes } from "./packing/names.ts";

const input = z.strictObject({
  paths: z.array(pathInput).min(1).max(LIMITS.pathsPerCall),
  to: pathInput.describe(".zip, .tar, .tar.gz or .tar.zst"),
  overwrite: z.boolean().default(false),
  ...mutating,
});

const output = z.object({
  to: z.string(),
  packed: z.int(),
  bytes: z.int().optional(),
  version: z.string().optional(),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })).optional(),
  ...changed,
});

export const compress = defineTool({
  name: "compress",
  title: "Pack an archive",
  description: "Pack files and directories into an archive.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "archives", order: 190 },
  input,
  output,
  matchesText: true,

  async plan({ paths, to, overwrite, dry_run }, view) {
    const { canWrite, formatNamed } = await import("../../content/archives/archive-writer.ts");
    const { packedTree } = await import("./packing/packed-tree.ts");
    const format = formatNamed(to);
    if (!format || !canWrite(format)) throw formatFault(to, format);
    const target = await view.resolveTarget(to, "follow");
    requireFree(target.now, overwrite, to);
    const { entries, skipped } = await collectEntries(view, paths, target.place);
    const files = entries.filter(({ kind }) => kind === "file");
    const tree = packedTree(view, format, entries);
    const replaces = target.now?.version ?? null;
    const packed: Change = { kind: "unpack", path: target.place, tree, entry: "", entries: tree.entries, replaces };
    return change({
      isDryRun: dry_run,
      changes: [...mkdirMissingParents(target), packed],
      lines: (record) => [
        ["Packed", `${plural(files.length, "file")} into ${quotedName(view, target.place)}${sizeNote(record, target)}`],
        ...shownNames(files),
      ],
      warnings: skippedNotes(skipped),
      data: (record) => ({
        to,
        packed: files.length,
        ...packedBytes(record, target),
        ...versionAfter(record, target.place),
        ...(skipped.length > 0 && { skipped: skipped.slice(0, LIMITS.archiveNamesListed) }),
      }),
    });
  },
});

/** Returns the size of the archive, which is known once it is packed. */
function packedBytes(record: ChangeRecord | null, { place }: Target): { readonly bytes?: number } {
  const made = record?.effects.findLast(({ path }) => path === place)?.after;
  return made ? { bytes: made.size } : {};
}

function sizeNote(record: ChangeRecord | null, target: Target): string {
  const { bytes } = packedBytes(record, target);
  return bytes === undefined ? "" : `, ${plural(bytes, "byte")}`;
}

/** Says that a name asks for no format, or for one that cannot be written. */
function formatFault(to: string, format: string | undefined): Fault {
  const state = format === undefined ? "its ending names no format" : "this version of Node cannot write zstd";
  const hint =
    format === undefined
      ? "End it in .zip, .tar, .tar.gz or .tar.zst"
      : "End it in .tar.gz, or run Holdfast with Node 22.15 or newer";
  return new Fault("invalid_input", `Cannot pack into ${JSON.stringify(to)}: ${state}`, { argument: "to", hint });
}

function requireFree(now: Snapshot | null, overwrite: boolean, path: string): void {
  if (!now || (overwrite && now.facts.kind === "file")) return;
  throw new Fault("exists", `Cannot pack into ${JSON.stringify(path)}: something is there already`, { path });
}
