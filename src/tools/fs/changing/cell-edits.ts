import * as z from "zod";
import { Fault, hasCode } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { runInSlices } from "../../../base/time-slicing.ts";
import type { CellEdit, EditedCell, EditedCells } from "../../../content/cells/cell-edit.ts";
import { binaryDocumentKind, textDocumentKind } from "../../../content/documents/document-kind.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { unifiedDiff } from "../../../text/diff/diff.ts";
import { plural } from "../../../text/plural.ts";
import { deltaOf } from "../../../workspace/changes/delta.ts";
import { orSuggestion } from "../../../workspace/did-you-mean.ts";
import { readWholeFile } from "../../../workspace/read/whole-file.ts";
import type { View } from "../../../workspace/view.ts";
import type { ChangeIntent } from "../../tool.ts";
import { change, quotedName, versionAfter } from "./change-answer.ts";
import { comparedToSeen } from "./rewriting.ts";

const name = z.string().max(LIMITS.quotedNameChars);

/** Holds the fields of an edit that names a cell. */
export const cellInput = {
  sheet: name.optional(),
  cell: z
    .union([name, z.int().transform(String)])
    .optional()
    .describe('The cell of a workbook ("B2") or notebook ("3") that gets newText; oldText is left out')
    .meta({ listed: { type: "string", description: 'Instead of oldText: "B2" of a workbook, "3" of a notebook' } }),
};

interface CellArguments {
  readonly path: string;
  readonly if_match?: string | undefined;
  readonly dry_run: boolean;
}

interface AnyEdit {
  readonly sheet?: string | undefined;
  readonly cell?: string | undefined;
  readonly oldText?: string | undefined;
  readonly newText: string;
  readonly count?: number | undefined;
}

interface GivenEdits {
  readonly edits?: readonly AnyEdit[] | undefined;
  readonly oldText?: string | undefined;
  readonly newText?: string | undefined;
  readonly replaceAll: boolean;
  readonly regex: boolean;
}

/** Returns the edits if they name cells. Refuses a list of both kinds, and what only edits of text have. */
export function cellsIn({
  edits = [],
  oldText,
  newText,
  replaceAll,
  regex,
}: GivenEdits): readonly CellEdit[] | undefined {
  if (!edits.some(({ cell, sheet }) => cell !== undefined || sheet !== undefined)) return undefined;
  const isMixed = replaceAll || regex || oldText !== undefined || newText !== undefined;
  return edits.map(({ sheet, cell, newText: text, oldText: old, count }) => {
    if (cell !== undefined && old === undefined && count === undefined && !isMixed)
      return { sheet, cell, newText: text };
    const problem = cell === undefined ? 'an edit has no "cell"' : '"cell" goes with "sheet" and "newText" only';
    throw new Fault("invalid_input", `Cannot edit cells: ${problem}`, { argument: "edits" });
  });
}

/** Plans edits of the cells of a workbook or a notebook. The worker makes the new content. */
export async function planCellEdits(
  { path, if_match, dry_run, cells }: CellArguments & { readonly cells: readonly CellEdit[] },
  view: View,
): Promise<ChangeIntent> {
  const now = await orSuggestion(view, path, () => view.withFile(path, readWholeFile));
  const place = now.facts.path;
  const edits = restoredEdits(view, place, cells);
  const edited = await editedBytes(view, path, now.bytes, edits);
  for (const { before } of edited.cells) view.noteDocumentText(place, before);
  const isOlder = if_match !== undefined && if_match !== now.version;
  if (isOlder) await requireSameCells(view, place, if_match, edits, edited);
  const isText = textDocumentKind(path) === "notebook";
  return change({
    isDryRun: dry_run,
    changes: [
      {
        kind: "write",
        path: place,
        content: edited.bytes,
        expect: now.version,
        delta: deltaOf(now.bytes, edited.bytes),
        ...(isText && { lines: (await comparedToSeen(view, place, now.bytes, edited.bytes)).lines }),
      },
    ],
    lines: [["Edited", `${quotedName(view, place)}: ${plural(edited.cells.length, "cell")}`]],
    diff: await cellDiff(view, place, edited.cells),
    warnings: [...(isOlder ? [MERGED] : []), ...edited.notes],
    data: (record) => ({ path, ...versionAfter(record, place), replacements: edited.cells.length, tier: "exact" }),
  });
}

const MERGED = "the file has changed since it was read, in other cells; the result has both changes";

/**
 * Returns the edits with secrets instead of their placeholders. In a workbook none may be written: its parts are packed,
 * and a secret in them is not recognised again.
 */
function restoredEdits(view: View, place: SafePath, cells: readonly CellEdit[]): readonly CellEdit[] {
  const { restored } = view.searchableText(place, "");
  return cells.map((edit) => {
    const newText = restored(edit.newText);
    if (newText === edit.newText || textDocumentKind(place) === "notebook") return { ...edit, newText };
    throw new Fault("invalid_input", "Cannot edit cells: the new text contains the placeholder of a secret", {
      argument: "edits",
      hint: "Write the cell without it; nothing was changed",
    });
  });
}

async function editedBytes(
  view: View,
  path: string,
  bytes: Uint8Array,
  edits: readonly CellEdit[],
): Promise<EditedCells> {
  const { editInWorker } = await import("../../../content/documents/worker/document-worker.ts");
  const kind = (await kindOf(bytes)) ?? textDocumentKind(path);
  return editInWorker({ kind, bytes: new Uint8Array(bytes), edits }, view.checkpoint);
}

const kindOf = (bytes: Uint8Array) =>
  binaryDocumentKind({
    size: bytes.length,
    read(into, position) {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      return part.length;
    },
  });

/** Refuses if a cell has another content than in the version that the caller read: it would be lost. */
async function requireSameCells(
  view: View,
  place: SafePath,
  version: string,
  edits: readonly CellEdit[],
  edited: EditedCells,
): Promise<void> {
  const known = await view.contentOfVersion(version, place);
  const stale = (state: string): Fault =>
    new Fault("stale", `Cannot change ${JSON.stringify(view.nameOf(place))}: ${state}`, { path: view.nameOf(place) });
  if (!known) throw stale("it has changed since it was read");
  const before = await editedBytes(view, place, known, edits).catch((error: unknown) => {
    if (hasCode(error, "cancelled")) throw error;
    throw stale("it has changed since it was read, in the same cells");
  });
  const seen = new Map(before.cells.map((cell) => [cell.name, cell.before]));
  const changed = edited.cells.filter((cell) => cell.before !== seen.get(cell.name));
  if (changed.length > 0)
    throw stale(`it has changed since it was read, in ${changed.map((each) => each.name).join(", ")}`);
}

/** Shows the cells before and after as a diff of their texts. */
async function cellDiff(view: View, place: SafePath, cells: readonly EditedCell[]): Promise<string> {
  const textOf = (side: "before" | "after"): string => cells.map((cell) => cellLines(cell, cell[side])).join("");
  const steps = unifiedDiff(textOf("before"), textOf("after"), { path: view.nameOf(place) });
  return (await runInSlices(steps, view.checkpoint)).text;
}

/** Names a cell in the line of its text, or above it where the text has several lines. */
const cellLines = ({ name: cell, before, after }: EditedCell, text: string): string => {
  const isLong = `${before}${after}`.includes("\n");
  return `${cell}:${text === "" ? "" : `${isLong ? "\n" : " "}${text}`}${text.endsWith("\n") ? "" : "\n"}`;
};

/** Adds to the refusal of a binary file that its cells can be edited. */
export const withCellHint =
  (bytes: Uint8Array) =>
  async (error: unknown): Promise<never> => {
    if (!hasCode(error, "not_text") || (await kindOf(bytes)) !== "xlsx") throw error;
    throw new Fault(error.code, error.message, {
      ...error.details,
      hint: 'Edit its cells: edits: [{ "sheet": "Stock", "cell": "B2", "newText": "12" }]',
    });
  };
