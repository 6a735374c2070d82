import { LIMITS } from "../../base/limits.ts";
import type { OpenDocument } from "./document.ts";
import { textOf } from "./html.ts";
import { plural } from "../../text/plural.ts";
import { columnName, oneLine, rowText, tableHead } from "./table-text.ts";

/** Opens delimited text as a table: its columns with their types, and its rows by number. */
export async function openDelimited(bytes: Uint8Array): Promise<OpenDocument> {
  const isSample = bytes.length >= LIMITS.tableSampleBytes;
  const text = await textOf(isSample ? wholeLines(bytes) : bytes);
  const delimiter = delimiterOf(text);
  const rows = [...rowsOf(text, delimiter)];
  const width = Math.max(0, ...rows.slice(0, SAMPLED_ROWS).map((row) => row.length));
  return {
    units: () => ({
      unit: "row",
      total: rows.length,
      head: tableHead(0, Math.min(width, LIMITS.tableColumns)),
      notes: [columnsNote(rows), ...(isSample ? [SAMPLE_NOTE] : [])],
      part: (number) => ({ number, text: rowText(number, rows[number - 1] ?? []) }),
    }),
  };
}

const SAMPLED_ROWS = 1000;
const SAMPLE_NOTE = `Only the first ${LIMITS.tableSampleBytes} bytes are shown as a table; the rest can be read as text`;

/** Cuts after the last line feed. In UTF-16 it has two bytes, and a cut is only possible after an even number. */
function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(0x0a) + 1 || bytes.length;
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return bytes.subarray(0, isUtf16 ? end + (end % 2) : end);
}

/** Chooses the delimiter that splits the first lines into the same number of fields most often. */
function delimiterOf(text: string): string {
  const start = text.slice(0, LIMITS.sniffBytes);
  const scores = DELIMITERS.map((delimiter) => {
    const [first = [], ...others] = [...rowsOf(start, delimiter)].slice(0, SNIFFED_ROWS);
    const same = others.filter((row) => row.length === first.length).length;
    return first.length < 2 ? -1 : same * FIELD_WEIGHT + first.length;
  });
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ",";
}

const DELIMITERS = [",", "\t", ";", "|"] as const;
const SNIFFED_ROWS = 20;
const FIELD_WEIGHT = 1000;

/** Splits delimited text into rows of fields, as RFC 4180 describes them: a quoted field may hold anything. */
export function* rowsOf(text: string, delimiter: string): Generator<readonly string[]> {
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    const { value, next } = text[at] === '"' ? quotedField(text, at, delimiter) : plainField(text, at, delimiter);
    row.push(value);
    at = next;
    if (text[at] === delimiter) {
      at++;
      if (at < text.length) continue;
      row.push("");
    }
    if (text[at] === "\r") at++;
    if (text[at] === "\n") at++;
    yield row;
    row = [];
  }
}

interface Field {
  readonly value: string;
  readonly next: number;
}

function plainField(text: string, start: number, delimiter: string): Field {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
  return { value: text.slice(start, end), next: end };
}

/** Reads up to the quote that closes the field; a quote that never closes takes the rest of the text. */
function quotedField(text: string, start: number, delimiter: string): Field {
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { value: value + text.slice(from), next: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const rest = plainField(text, quote + 1, delimiter);
      return { value: value + rest.value, next: rest.next };
    }
    value += '"';
    from = quote + 2;
  }
}

/** Describes the columns by the names in the first row and the values below. */
function columnsNote(rows: readonly (readonly string[])[]): string {
  const [names = [], ...values] = rows.slice(0, SAMPLED_ROWS);
  const shown = names
    .slice(0, LIMITS.tableColumns)
    .map((name, index) => `${shownName(name, index)} (${typeOf(values.map((row) => row[index] ?? ""))})`);
  const more = names.length - shown.length;
  return `${plural(names.length, "column")}: ${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

/** Returns the letters of a column whose name is too long: to cut it could cut a secret, which is then not found. */
const shownName = (name: string, index: number): string =>
  name.length > LIMITS.quotedNameChars ? columnName(index) : oneLine(name);

function typeOf(values: readonly string[]): string {
  const filled = values.filter((value) => value.trim() !== "");
  if (filled.length === 0) return "empty";
  return TYPES.find(([, pattern]) => filled.every((value) => pattern.test(value.trim())))?.[0] ?? "text";
}

const TYPES = [
  ["integer", /^[+-]?\d{1,15}$/],
  ["number", /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i],
  ["true or false", /^(?:true|false|yes|no)$/i],
  ["date", /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/],
] as const;
