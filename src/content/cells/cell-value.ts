import { Fault } from "../../base/errors.ts";
import { cellFault } from "./cell-edit.ts";
import { formulaProblem, shownFormula, storedFormula } from "./formula.ts";
import { dateOf, type NumberFormat, serialOf } from "./number-format.ts";
import { type CellXml, contentOf, formulaIn } from "./sheet-xml.ts";
import { attributesOf, escapeXml, tagsIn, xmlText } from "./xml-tags.ts";

/** The content of a cell. Its text is what people read. */
export interface CellValue {
  readonly kind: "empty" | "formula" | "number" | "boolean" | "text" | "error";
  readonly text: string;
  /** Is set where the file stores something else than the text. */
  readonly stored?: string;
}

/** Tells what the values of a workbook depend on. */
export interface ValueContext {
  readonly isFrom1904: boolean;
  formatOf(style: string | undefined): NumberFormat;
  /** Returns a text of the table that all sheets share. */
  sharedText(index: number): string;
}

/** Interprets a text as if it was typed into a cell of this format. */
export function typedValue(name: string, given: string, format: NumberFormat, isFrom1904: boolean): CellValue {
  const text = given.replace(/\r\n?/g, "\n");
  if (text === "") return { kind: "empty", text };
  if (text.startsWith("=") && text.length > 1) return formulaValue(name, text.slice(1).trim());
  if (text.startsWith("'")) return plainText(name, text.slice(1));
  if (format === "text") return plainText(name, text);
  const serial = format === "date" ? serialOf(text, isFrom1904) : undefined;
  if (serial !== undefined) return { kind: "number", text, stored: String(serial) };
  if (/^(?:true|false)$/i.test(text))
    return { kind: "boolean", text: text.toUpperCase(), stored: text.length === 4 ? "1" : "0" };
  return isNumber(text) ? { kind: "number", text: String(Number(text)) } : plainText(name, text);
}

/** Leading noughts and more digits than a number can hold make a text: it would not be the same afterwards. */
const isNumber = (text: string): boolean =>
  /^-?(?:0|[1-9]\d*)?(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i.test(text) &&
  /^-?\.?\d/.test(text) &&
  text.replace(/e.*$/i, "").replace(/\D|^-?0\.?0*/g, "").length <= MOST_DIGITS &&
  Number.isFinite(Number(text));

const MOST_DIGITS = 15;

function formulaValue(name: string, formula: string): CellValue {
  const problem =
    formula.length > MOST_FORMULA ? `it is longer than ${MOST_FORMULA} characters` : formulaProblem(formula);
  if (problem !== undefined)
    throw cellFault(
      name,
      `the formula cannot be used: ${problem}`,
      "Write it in English as in A1 style: =SUM(A1:B2, 3)",
    );
  requirePlain(name, formula);
  return { kind: "formula", text: `=${formula}`, stored: storedFormula(formula) };
}

const MOST_FORMULA = 8192;
const MOST_TEXT = 32_767;

function plainText(name: string, text: string): CellValue {
  if (text.length > MOST_TEXT) throw cellFault(name, `a cell holds at most ${MOST_TEXT} characters`);
  requirePlain(name, text);
  return { kind: "text", text };
}

function requirePlain(name: string, text: string): void {
  if (!CONTROL.test(text) && !/\p{Surrogate}/u.test(text)) return;
  throw new Fault("cannot_encode", `Cannot edit ${name}: the text has characters that a cell cannot hold`, {
    argument: "edits",
  });
}

// oxlint-disable-next-line no-control-regex -- these characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/** Returns the type attribute and the content of a cell that has this value. */
export function valueXml({ kind, text, stored = text }: CellValue, prefix: string): { type?: string; inner: string } {
  const element = (name: string, content: string): string => `<${prefix}${name}>${content}</${prefix}${name}>`;
  if (kind === "empty") return { inner: "" };
  if (kind === "formula") return { inner: element("f", escapeXml(stored)) };
  if (kind === "number") return { inner: element("v", stored) };
  if (kind === "boolean") return { type: "b", inner: element("v", stored) };
  const space = /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : "";
  const escaped = escapeXml(text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_"));
  return { type: "inlineStr", inner: element("is", `<${prefix}t${space}>${escaped}</${prefix}t>`) };
}

/** Reads the content of a cell. */
export function valueIn(xml: string, cell: CellXml | undefined, context: ValueContext): CellValue {
  if (!cell) return { kind: "empty", text: "" };
  const formula = formulaIn(xml, cell);
  if (formula) return { kind: "formula", text: `=${shownFormula(formula.text)}` };
  const attributes = attributesOf(xml, cell.tag);
  const type = attributes.get("t") ?? "n";
  if (type === "inlineStr") return { kind: "text", text: runsText(contentOf(xml, cell.inlineText)) };
  const value = xmlText(contentOf(xml, cell.value));
  if (value === "") return { kind: "empty", text: "" };
  if (type === "s") return { kind: "text", text: context.sharedText(Number(value)) };
  if (type === "b") return { kind: "boolean", text: value === "1" ? "TRUE" : "FALSE" };
  if (type !== "n") return { kind: type === "e" ? "error" : "text", text: decodeEscapes(value) };
  const isDate = context.formatOf(attributes.get("s")) === "date";
  return { kind: "number", text: isDate ? dateOf(Number(value), context.isFrom1904) : String(Number(value)) };
}

/** Joins the runs of a text; how it is pronounced is no part of it. */
export function runsText(xml: string): string {
  let [text, start, isPhonetic] = ["", -1, false];
  for (const { name, kind, start: from, end } of tagsIn(xml)) {
    if (name === "rPh" || name === "phoneticPr") isPhonetic = kind === "open";
    if (name !== "t" || isPhonetic) continue;
    if (kind === "open") start = end;
    if (kind === "close") text += xmlText(xml.slice(start, from));
  }
  return decodeEscapes(text);
}

const decodeEscapes = (text: string): string =>
  text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
