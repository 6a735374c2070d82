import { columnIndex, columnName } from "../documents/table-text.ts";
import { type CellPosition, type CellRange, MOST_COLUMNS, MOST_ROWS } from "./cell-reference.ts";
import { FUTURE_FUNCTIONS } from "./future-functions.ts";

type TokenKind = "text" | "error" | "sheet" | "area" | "lines" | "call" | "name" | "number" | "bracket" | "mark";

interface FormulaToken {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Splits a formula into tokens. Returns undefined where it is none. */
function formulaTokens(formula: string): readonly FormulaToken[] | undefined {
  const tokens: FormulaToken[] = [];
  for (let at = 0; at < formula.length;) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(formula)?.groups;
    const [kind, start = ""] = Object.entries(groups ?? {}).find(([, each]) => each !== undefined) ?? [];
    if (kind === undefined) return undefined;
    const text = kind === "bracket" ? bracketAt(formula, at) : start;
    if (text === undefined) return undefined;
    tokens.push({ kind: kind as TokenKind, text });
    at += text.length;
  }
  return tokens;
}

const CELL = String.raw`\$?[A-Za-z]{1,3}\$?[1-9]\d{0,6}`;
const WORD = String.raw`[\p{L}_\\][\p{L}\p{N}_.\\?]*`;
const TOKEN = new RegExp(
  [
    `(?<text>"(?:[^"]|"")*")`,
    `(?<error>#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\\?|NUM!|N/A|SPILL!|CALC!|GETTING_DATA))`,
    `(?<sheet>(?:'(?:[^']|'')+'|[\\p{L}_][\\p{L}\\p{N}_.]*(?::[\\p{L}_][\\p{L}\\p{N}_.]*)?)!)`,
    `(?<area>${CELL}(?::${CELL})?(?![\\p{L}\\p{N}_.(:!]))`,
    `(?<lines>(?:\\$?[A-Za-z]{1,3}:\\$?[A-Za-z]{1,3}|\\$?\\d{1,7}:\\$?\\d{1,7})(?![\\p{L}\\p{N}_.(]))`,
    `(?<call>${WORD}(?=\\())`,
    `(?<name>${WORD})`,
    `(?<number>(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)`,
    `(?<bracket>\\[)`,
    `(?<mark>[-+*/^&=<>%(),;{}:@#\\s])`,
  ].join("|"),
  "uy",
);

/** Returns the bracket that begins here with all brackets in it, as references to tables have them. */
function bracketAt(formula: string, start: number): string | undefined {
  let depth = 0;
  for (let at = start; at < formula.length; at++) {
    if (formula[at] === "[") depth++;
    else if (formula[at] === "]" && --depth === 0) return formula.slice(start, at + 1);
  }
  return undefined;
}

/** Returns what is wrong with a formula that a spreadsheet program would refuse the whole file for. */
export function formulaProblem(formula: string): string | undefined {
  const tokens = formulaTokens(formula)?.filter(({ text }) => text.trim() !== "");
  if (!tokens) return "it is no formula";
  const open: string[] = [];
  for (const [nth, { kind, text }] of tokens.entries()) {
    const isInside = kind === "mark" && open.at(-1) === "{";
    if (text === ";" && !isInside) return 'its arguments must have "," between them, not ";"';
    if (kind === "call" && PARAMETERS.has(text.toUpperCase())) return `${text.toUpperCase()} cannot be written`;
    if (text === "(" || text === "{") open.push(text);
    if ((text === ")" || text === "}") && open.pop() !== PAIRS[text]) return "its parentheses do not match";
    if (kind === "sheet" && !REFERENCES.has(tokens[nth + 1]?.kind ?? ""))
      return `something is missing behind "${text}"`;
    if (kind === "mark" && isBinary(text) && !isOperand(tokens[nth + 1]))
      return `something is missing behind "${text}"`;
    if (isOperandEnd(tokens[nth]) && isOperandStart(tokens[nth + 1]))
      return `something is missing before "${tokens[nth + 1]?.text}"`;
  }
  if (tokens.length === 0) return "it is empty";
  return open.length > 0 ? "its parentheses do not match" : undefined;
}

/** Functions whose own names are stored in another form, which is not written here. */
const PARAMETERS: ReadonlySet<string> = new Set(["LET", "LAMBDA"]);
const PAIRS: Readonly<Record<string, string>> = { ")": "(", "}": "{" };

const REFERENCES: ReadonlySet<string> = new Set(["area", "lines", "name", "call", "error"]);

const isBinary = (text: string): boolean => /^[-+*/^&=<>:@]$/.test(text);
const isOperand = (next: FormulaToken | undefined): boolean =>
  next !== undefined && (next.kind !== "mark" || /^[-+(={<>@]$/.test(next.text));
const isOperandEnd = (token: FormulaToken | undefined): boolean =>
  token !== undefined && (["text", "number"].includes(token.kind) || token.text === ")");
const isOperandStart = (token: FormulaToken | undefined): boolean =>
  token !== undefined && ["text", "number", "call", "name"].includes(token.kind);

/** Returns a formula in the form in which files store it: newer functions have a prefix. */
export const storedFormula = (formula: string): string =>
  (formulaTokens(formula) ?? []).map(({ kind, text }) => (kind === "call" ? storedCall(text) : text)).join("");

function storedCall(name: string): string {
  const upper = name.toUpperCase();
  const prefix = FUTURE_FUNCTIONS.get(upper);
  return prefix === undefined ? name : prefix + upper;
}

/** Returns a stored formula as people write it. */
export const shownFormula = (formula: string): string => formula.replace(/\b_xlfn\.(?:_xlws\.)?/g, "");

/** Returns the formula of a cell that shares it with another one, so many rows and columns away. */
export const shiftedFormula = (formula: string, rows: number, columns: number): string =>
  (formulaTokens(formula) ?? [])
    .map(({ kind, text }) => (kind === "area" || kind === "lines" ? shiftedArea(text, rows, columns) : text))
    .join("");

function shiftedArea(area: string, rows: number, columns: number): string {
  const ends = area.split(":").map((end) => shiftedEnd(end, rows, columns));
  return ends.includes(undefined) ? "#REF!" : ends.join(":");
}

function shiftedEnd(end: string, rows: number, columns: number): string | undefined {
  const { fixedColumn, letters, fixedRow, digits } = partsOf(end);
  const column = letters === "" || fixedColumn ? 0 : columns;
  const row = digits === "" || fixedRow ? 0 : rows;
  const moved = [columnIndex(letters || "A") + column, Number(digits || 1) + row] as const;
  if (moved[0] < 0 || moved[0] >= MOST_COLUMNS || moved[1] < 1 || moved[1] > MOST_ROWS) return undefined;
  const shownColumn = letters === "" ? "" : `${fixedColumn}${columnName(moved[0])}`;
  return `${shownColumn}${digits === "" ? "" : `${fixedRow}${moved[1]}`}`;
}

function partsOf(end: string) {
  const [, fixedColumn = "", letters = "", fixedRow = "", digits = ""] =
    /^(\$?)([A-Za-z]{1,3})(\$?)(\d*)$/.exec(end) ?? [];
  if (letters !== "") return { fixedColumn, letters, fixedRow, digits };
  const [, fixed = "", number = ""] = /^(\$?)(\d+)$/.exec(end) ?? [];
  return { fixedColumn: "", letters: "", fixedRow: fixed, digits: number };
}

/** A range that a formula reads, with the sheet it names. */
export interface FormulaReference {
  readonly sheet?: string | undefined;
  readonly range: CellRange;
}

/** Returns what a formula reads. Returns undefined where that cannot be told: names, tables, INDIRECT, several sheets. */
export function referencesIn(formula: string): readonly FormulaReference[] | undefined {
  const tokens = formulaTokens(formula);
  if (!tokens) return undefined;
  const found: FormulaReference[] = [];
  for (const [nth, { kind, text }] of tokens.entries()) {
    if (isUnclear(kind, text)) return undefined;
    if (kind !== "area" && kind !== "lines") continue;
    const before = tokens[nth - 1];
    const sheet = before?.kind === "sheet" ? sheetNameIn(before.text) : undefined;
    found.push({ range: rangeOf(text), ...(sheet !== undefined && { sheet }) });
  }
  return found;
}

const isUnclear = (kind: TokenKind, text: string): boolean =>
  kind === "bracket" ||
  (kind === "name" && !/^(?:true|false)$/i.test(text)) ||
  (kind === "sheet" && /[:[\]]/.test(text)) ||
  (kind === "mark" && (text === ":" || text === "#")) ||
  (kind === "call" && /^(?:INDIRECT|OFFSET|INDEX|CELL|GETPIVOTDATA|_xlfn\..*LAMBDA|_xlfn\.LET)$/i.test(text));

const sheetNameIn = (text: string): string => {
  const name = text.slice(0, -1);
  return name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name;
};

function rangeOf(area: string): CellRange {
  const [from = "", to = from] = area.split(":");
  const [one, other] = [partsOf(from), partsOf(to)];
  const rows = [Number(one.digits || 1), Number(other.digits || MOST_ROWS)];
  const columns = [
    columnIndex(one.letters || "A"),
    other.letters === "" ? MOST_COLUMNS - 1 : columnIndex(other.letters),
  ];
  return {
    firstRow: Math.min(...rows),
    lastRow: Math.max(...rows),
    firstColumn: Math.min(...columns),
    lastColumn: Math.max(...columns),
  };
}

/** Returns how far one cell is from another one, as `shiftedFormula` takes it. */
export const distance = (from: CellPosition, to: CellPosition): readonly [rows: number, columns: number] => [
  to.row - from.row,
  to.column - from.column,
];
