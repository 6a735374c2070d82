import { Buffer } from "node:buffer";
import { Fault } from "../base/errors.ts";
import type { SafePath } from "../storage/storage.ts";
import { type LineStats, unifiedDiff } from "../text/diff.ts";
import type { AddFile, DeleteFile, FilePatch, UpdateFile } from "../text/file-patch.ts";
import { applyFilePatch } from "../text/patch-apply.ts";
import type { Change, Expected } from "../workspace/change.ts";
import { deltaOf } from "../workspace/delta.ts";
import { readWhole, type Whole } from "../workspace/reading.ts";
import type { Target, View } from "../workspace/view.ts";
import { parents } from "./preconditions.ts";
import { baseOf } from "./rewriting.ts";
import { decoded, respliced } from "./splicing.ts";

/** What a patch did to one file. */
export interface PatchedFile {
  readonly path: string;
  readonly place: SafePath;
  readonly action: "add" | "update" | "move" | "delete";
  readonly from?: string;
}

/** All files of a patch as they will be: sections are applied in turn, and nothing is written. */
export interface Draft {
  apply(patch: FilePatch): Promise<void>;
  finish(): { readonly changes: readonly Change[]; readonly files: readonly PatchedFile[]; readonly diff: string };
}

/** One place that the patch touches. */
interface Sheet {
  readonly path: string;
  readonly target: Target;
  /** What is on disk, where the patch needed it. */
  readonly original: Whole | null;
  /** What will be there; null for nothing. */
  bytes: Uint8Array | null;
  mode?: number | undefined;
  /** Lines added and removed. */
  lines?: LineStats;
  /** The file that moves here. */
  from?: Sheet;
  /** It moved away. */
  hasMoved?: boolean;
}

export function createDraft(view: View, versions: Readonly<Record<string, string>>): Draft {
  const sheets = new Map<SafePath, Sheet>();
  const diffs: string[] = [];
  const expected = new Map(Object.entries(versions));
  const sheetOf = async (path: string): Promise<Sheet> => {
    const target = await view.target(path, "follow");
    const known = sheets.get(target.place);
    if (known) return known;
    const original = target.now?.facts.kind === "file" ? await view.withFile(target.place, readWhole) : null;
    const sheet: Sheet = { path, target, original, bytes: original?.bytes ?? null };
    sheets.set(target.place, sheet);
    return sheet;
  };
  const apply = async (patch: FilePatch): Promise<void> => {
    const sheet = await sheetOf(patch.path);
    const version = expected.get(patch.path);
    expected.delete(patch.path);
    if (patch.kind === "add") return void diffs.push(add(sheet, patch));
    if (patch.kind === "delete") return void diffs.push(await remove(view, sheet, patch, version));
    const destination = patch.to === undefined || patch.to === patch.path ? undefined : await sheetOf(patch.to);
    diffs.push(await update(view, sheet, patch, destination, version));
  };
  return {
    apply: (patch) => apply(patch).catch((error) => Promise.reject(placed(error, patch))),
    finish() {
      const [stray] = expected.keys();
      if (stray !== undefined)
        throw new Fault(
          "invalid_input",
          `Cannot apply the patch: if_match names ${JSON.stringify(stray)}, the patch does not`,
        );
      const touched = [...sheets.values()];
      return {
        changes: touched.flatMap(changesOf),
        files: touched.flatMap(fileOf),
        diff: diffs.join(""),
      };
    },
  };
}

/** Every fault says which file of the patch it is about. */
function placed(error: unknown, { path, line }: FilePatch): unknown {
  if (!(error instanceof Fault) || error.details["path"] !== undefined) return error;
  return new Fault(error.code, error.message, { path, line, ...error.details }, error);
}

function add(sheet: Sheet, { path, text, mode }: AddFile): string {
  if (sheet.bytes !== null || (sheet.target.now && !sheet.original))
    throw new Fault("exists", `Cannot add ${JSON.stringify(path)}: it exists already`, {
      path,
      hint: "Update the file instead of adding it, or delete it in the same patch first",
    });
  sheet.bytes = Buffer.from(text, "utf8");
  sheet.mode = mode;
  const { text: diff, ...lines } = unifiedDiff("", text, { path, kind: "create" });
  sheet.lines = lines;
  return diff;
}

async function remove(view: View, sheet: Sheet, patch: DeleteFile, version: string | undefined): Promise<string> {
  const bytes = contentOf(sheet, patch.path);
  requireVersion(sheet, version);
  const text = patch.hunks.length > 0 ? await checkedText(bytes, patch) : undefined;
  sheet.bytes = null;
  if (text === undefined) return `--- ${view.nameOf(sheet.target.place)} deleted\n`;
  return unifiedDiff(text, "", { path: patch.path, kind: "delete" }).text;
}

/** The hunks of a deletion say what the file must hold. */
async function checkedText(bytes: Uint8Array, patch: DeleteFile): Promise<string> {
  const file = await decoded(bytes, patch.path);
  applyFilePatch(file.text, patch);
  return file.text;
}

async function update(
  view: View,
  sheet: Sheet,
  patch: UpdateFile,
  destination: Sheet | undefined,
  version: string | undefined,
): Promise<string> {
  const now = contentOf(sheet, patch.path);
  const there = { bytes: now, version: sheet.original?.version };
  const base = await baseOf(view, sheet.target.place, there, version);
  const file = await decoded(base.bytes, patch.path);
  const { splices } = applyFilePatch(file.text, patch);
  const { bytes, diff, lines } = respliced(file, splices, patch.to ?? patch.path, patch.path);
  const content = splices.length === 0 ? now : base.joined(bytes);
  if (destination) moveTo(sheet, destination, content, patch);
  else sheet.bytes = content;
  const result = destination ?? sheet;
  result.mode = patch.mode ?? result.mode;
  result.lines = sumOf(result.lines, lines);
  return diff;
}

/** Several sections may speak of one file. */
const sumOf = (before: LineStats = { added: 0, removed: 0 }, { added, removed }: LineStats): LineStats => ({
  added: before.added + added,
  removed: before.removed + removed,
});

function moveTo(sheet: Sheet, destination: Sheet, content: Uint8Array, { to = "" }: UpdateFile): void {
  if (destination.bytes !== null || destination.target.now)
    throw new Fault("exists", `Cannot move to ${JSON.stringify(to)}: something is there already`, { path: to });
  destination.bytes = content;
  destination.from = sheet;
  sheet.bytes = null;
  sheet.hasMoved = true;
}

function contentOf({ bytes, target }: Sheet, path: string): Uint8Array {
  if (bytes) return bytes;
  const [code, state] = target.now
    ? (["not_a_file", "it is not a regular file"] as const)
    : (["not_found", "it does not exist"] as const);
  throw new Fault(code, `Cannot patch ${JSON.stringify(path)}: ${state}`, { path });
}

function requireVersion({ original, path }: Sheet, version: string | undefined): void {
  if (version === undefined || version === original?.version) return;
  throw new Fault("stale", `Cannot delete ${JSON.stringify(path)}: it has changed since it was read`, { path });
}

/** A sheet that starts and ends with nothing asks for nothing. */
function changesOf(sheet: Sheet): readonly Change[] {
  const { target, original, bytes, mode, from, hasMoved } = sheet;
  const path = target.place;
  const expect = original?.version ?? null;
  if (from) return [...parents(target), ...arrivalOf(sheet, from)];
  if (hasMoved && bytes === null) return [];
  if (bytes === null) return original ? [{ kind: "remove", path, expect, into: "trash" }] : [];
  if (bytes !== original?.bytes) return [...parents(target), writeOf(sheet, path, hasMoved ? null : expect)];
  return mode === undefined ? [] : [{ kind: "chmod", path, mode, expect }];
}

function writeOf({ bytes, mode, original, lines }: Sheet, path: SafePath, expect: Expected): Change {
  const content = bytes ?? new Uint8Array();
  const delta = original ? deltaOf(original.bytes, content) : undefined;
  return { kind: "write", path, content, expect, mode, lines, delta };
}

/** It is changed where it is, so that owner and mode come along, and moves then. */
function arrivalOf(sheet: Sheet, { original, target: source }: Sheet): readonly Change[] {
  const { target, bytes, mode } = sheet;
  if (!original) return [writeOf(sheet, target.place, null)];
  const [path, expect] = [source.place, original.version];
  const moved: Change = { kind: "move", path, to: target.place, replaces: null };
  if (bytes !== original.bytes) return [writeOf({ ...sheet, original }, path, expect), moved];
  return mode === undefined ? [{ ...moved, expect }] : [{ kind: "chmod", path, mode, expect }, moved];
}

function fileOf(sheet: Sheet): readonly PatchedFile[] {
  const { path, target, original, bytes, from, hasMoved, mode } = sheet;
  const { place } = target;
  if (from) return [{ path, place, action: "move", from: from.path }];
  if (bytes === null) return original && !hasMoved ? [{ path, place, action: "delete" }] : [];
  if (bytes === original?.bytes && mode === undefined) return [];
  return [{ path, place, action: original && !hasMoved ? "update" : "add" }];
}
