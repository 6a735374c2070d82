// oxlint-disable-next-line import/default -- Node gives this CommonJS package a default export, and only that.
import jsonc from "jsonc-parser";
import { Fault } from "../../base/errors.ts";
import { isDeeperThan } from "../../base/json-depth.ts";
import { LIMITS } from "../../base/limits.ts";
import type { TextSplice } from "../../text/edit/splice.ts";
import { damaged } from "../documents/zip.ts";
import { type CellEdit, type EditedCells, splicedText } from "./cell-edit.ts";

/**
 * Replaces the source of cells in a notebook. Outputs of a code cell whose source changes are cleared, as they come from
 * the old one. Every byte outside of these values stays.
 */
export function editNotebook(bytes: Uint8Array, edits: readonly CellEdit[]): EditedCells {
  const text = decoded(bytes);
  const cells = cellsIn(text);
  const edited = edits.map((edit, index) => editedCell(text, cells, edit, index, edits));
  if (edited.every(({ splices }) => splices.length === 0))
    throw new Fault("no_change", "Cannot edit: the cells have this source already");
  const cleared = edited.filter(({ isCleared }) => isCleared).map(({ name }) => name);
  return {
    bytes: Buffer.from(
      splicedText(
        text,
        edited.flatMap(({ splices }) => splices),
      ),
    ),
    cells: edited.map(({ name, before, after }) => ({ name, before, after })),
    notes: cleared.length > 0 ? [`cleared the outputs of ${cleared.join(", ")}: they came from the old source`] : [],
  };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw damaged("it is not UTF-8");
  }
}

type Node = jsonc.Node;

/** Parses a notebook of format 4 with the places of its values. */
function cellsIn(text: string): readonly Node[] {
  const content = text.replace(/^\uFEFF/, " ");
  if (isDeeperThan(content, LIMITS.documentXmlDepth)) throw damaged("it is nested too deeply");
  try {
    JSON.parse(content);
  } catch {
    throw damaged("it is no JSON");
  }
  const root = jsonc.parseTree(content) as Node;
  const cells = valueOf(root, "cells");
  if (typeof valueOf(root, "nbformat")?.value !== "number" || cells?.type !== "array")
    throw damaged("it is no notebook of format 4");
  return cells.children ?? [];
}

/** Returns the value of a key; of one that is there twice the last, as other programs do. */
const valueOf = (object: Node | undefined, key: string): Node | undefined =>
  object?.type === "object"
    ? object.children?.findLast(({ children: [name] = [] }) => name?.value === key)?.children?.[1]
    : undefined;

interface EditedSource {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly splices: readonly TextSplice[];
  /** Is true if the cell had outputs. */
  readonly isCleared: boolean;
}

function editedCell(
  text: string,
  cells: readonly Node[],
  { sheet, cell, newText }: CellEdit,
  index: number,
  edits: readonly CellEdit[],
): EditedSource {
  if (sheet !== undefined)
    throw new Fault("invalid_input", 'Cannot use "sheet": a notebook has no sheets', { argument: "sheet" });
  const node = /^[1-9]\d{0,8}$/.test(cell) ? cells[Number(cell) - 1] : undefined;
  if (!node)
    throw new Fault(
      "invalid_input",
      `Cannot use "cell": ${JSON.stringify(cell)} is no number from 1 to ${cells.length}`,
      {
        argument: "cell",
      },
    );
  const name = `cell ${cell}`;
  if (edits.findIndex((each) => each.cell === cell) < index)
    throw new Fault("overlap", `Cannot edit ${name} twice in one call`, { argument: "edits" });
  const source = valueOf(node, "source");
  const before = sourceText(source);
  if (!source || before === undefined) throw damaged(`${name} has no source`);
  const after = newText.replace(/\r\n?/g, "\n");
  if (after === before) return { name, before, after, splices: [], isCleared: false };
  const stale = valueOf(node, "cell_type")?.value === "code" ? staleResults(node) : [];
  return {
    name,
    before,
    after,
    splices: [replaced(source, sourceJson(text, source, after)), ...stale],
    isCleared: (valueOf(node, "outputs")?.children ?? []).length > 0,
  };
}

/** Joins the lines of a source. Returns undefined where it is neither a text nor a list of texts. */
function sourceText(source: Node | undefined): string | undefined {
  if (source?.type === "string") return source.value as string;
  const lines = source?.type === "array" ? (source.children ?? []) : undefined;
  return lines?.every(({ type }) => type === "string") ? lines.map(({ value }) => value as string).join("") : undefined;
}

const replaced = ({ offset, length }: Node, text: string): TextSplice => ({
  start: offset,
  end: offset + length,
  text,
});

/** Empties what the old source left: outputs, and the number of its execution. */
function staleResults(cell: Node): readonly TextSplice[] {
  const [outputs, count] = [valueOf(cell, "outputs"), valueOf(cell, "execution_count")];
  return [
    ...(outputs?.type === "array" && (outputs.children ?? []).length > 0 ? [replaced(outputs, "[]")] : []),
    ...(count && count.type !== "null" ? [replaced(count, "null")] : []),
  ];
}

/** Writes a source in the form that the cell has: a text, or a list of lines in one line or in several. */
function sourceJson(text: string, source: Node, after: string): string {
  const literal = literalIn(text);
  if (source.type === "string") return literal(after);
  const lines = after.split(/(?<=\n)/).filter((line) => line !== "");
  if (lines.length === 0) return "[]";
  const { lead, between, tail } = listStyle(text, source);
  return `[${lead}${lines.map(literal).join(between)}${tail}]`;
}

/** Escapes what is not ASCII only if the file does. */
function literalIn(text: string): (line: string) => string {
  // oxlint-disable-next-line no-control-regex -- all that is not ASCII is what it looks for
  const isEscaped = !/[^\x00-\x7F]/.test(text) && /\\u(?!00[01])[\da-f]{4}/i.test(text);
  // oxlint-disable-next-line no-control-regex -- see above
  return (line) => (isEscaped ? JSON.stringify(line).replace(/[^\x00-\x7F]/g, escaped) : JSON.stringify(line));
}

const escaped = (each: string): string => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`;

interface ListStyle {
  readonly lead: string;
  readonly between: string;
  readonly tail: string;
}

/** Takes the spaces of a list from its own elements, or from the lines around it where it has too few. */
function listStyle(text: string, { offset, length, children = [] }: Node): ListStyle {
  const [first, second] = children;
  const last = children.at(-1);
  const inLine = text.includes('": ') ? ", " : ",";
  if (!first || !last) {
    const before = text.slice(text.lastIndexOf("\n", offset) + 1, offset);
    const lineBreak = /\r?\n/.exec(text)?.[0];
    if (lineBreak === undefined || before.includes("{")) return { lead: "", between: inLine, tail: "" };
    const indent = /^[ \t]*/.exec(before)?.[0] ?? "";
    const unit = /\n([ \t]+)/.exec(text)?.[1] ?? " ";
    const lead = `${lineBreak}${indent}${unit}`;
    return { lead, between: `,${lead}`, tail: `${lineBreak}${indent}` };
  }
  const lead = text.slice(offset + 1, first.offset);
  const tail = text.slice(last.offset + last.length, offset + length - 1);
  const own = lead.includes("\n") ? `,${lead}` : inLine;
  return { lead, between: second ? text.slice(first.offset + first.length, second.offset) : own, tail };
}
