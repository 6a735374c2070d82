import { contentStart } from "../text-lines.ts";
import { formFault, lineAt, OPAQUE } from "./config-editor.ts";

/** A table header or a key with its value, with its whole lines. Keys are absolute. */
export interface TomlStatement {
  readonly kind: "table" | "array" | "pair";
  readonly key: readonly string[];
  /** Strings, booleans and lists of them; everything else is opaque. */
  readonly value: unknown;
  readonly start: number;
  /** The end of the last line, after its line break. */
  readonly end: number;
}

/** Splits a TOML document into its statements. Throws a fault with the line of anything unexpected. */
export function tomlStatements(text: string): readonly TomlStatement[] {
  const cursor = createCursor(text);
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (;;) {
    while (cursor.take(BLANK_LINE) !== undefined);
    if (cursor.isAtEnd()) return statements;
    const statement = readStatement(cursor, table);
    if (statement.kind !== "pair") table = statement.key;
    statements.push(statement);
  }
}

const BLANK_LINE = /[ \t]*(?:#[^\n]*)?\r?\n|[ \t]+$|[ \t]*#[^\n]*$/y;

/** Reads a text from front to back by patterns. */
interface Cursor {
  at(): number;
  isAtEnd(): boolean;
  /** Returns what the pattern matches here and moves behind it, or returns undefined. */
  take(pattern: RegExp): string | undefined;
  expect(pattern: RegExp, what: string): string;
}

function createCursor(text: string): Cursor {
  let offset = contentStart(text);
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) offset += found.length;
    return found === "" ? undefined : found;
  };
  return {
    at: () => offset,
    isAtEnd: () => offset >= text.length,
    take,
    expect(pattern, what) {
      const found = take(pattern);
      if (found === undefined) throw formFault(`line ${lineAt(text, offset)}: ${what} is missing`);
      return found;
    },
  };
}

function readStatement(cursor: Cursor, table: readonly string[]): TomlStatement {
  const start = cursor.at();
  cursor.take(SPACES);
  const open = cursor.take(/\[\[?/y);
  const name = readKey(cursor);
  const value =
    open === undefined ? readAssigned(cursor) : cursor.expect(open === "[" ? /\]/y : /\]\]/y, "a ]") && OPAQUE;
  cursor.take(SPACES);
  cursor.take(/#[^\n]*/y);
  if (!cursor.isAtEnd()) cursor.expect(/\r?\n/y, "a line break");
  const kind = open === undefined ? "pair" : open === "[" ? "table" : "array";
  return { kind, key: kind === "pair" ? [...table, ...name] : name, value, start, end: cursor.at() };
}

const SPACES = /[ \t]*/y;

function readKey(cursor: Cursor): readonly string[] {
  const key: string[] = [];
  do {
    cursor.take(SPACES);
    key.push(keyPart(cursor.expect(KEY_PART, "a key")));
    cursor.take(SPACES);
  } while (cursor.take(/\./y) !== undefined);
  return key;
}

const KEY_PART = /[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;

const keyPart = (written: string): string => (/^["']/.test(written) ? String(stringIn(written)) : written);

function readAssigned(cursor: Cursor): unknown {
  cursor.expect(/=/y, "an =");
  return readValue(cursor);
}

function readValue(cursor: Cursor): unknown {
  cursor.take(SPACES);
  if (cursor.take(/\[/y) !== undefined) return readList(cursor);
  if (cursor.take(/\{/y) !== undefined) return readInlineTable(cursor);
  if (cursor.take(LONG_STRING) !== undefined) return OPAQUE;
  const string = cursor.take(STRING);
  if (string !== undefined) return stringIn(string);
  const literal = cursor.expect(LITERAL, "a value");
  return literal === "true" || literal === "false" ? literal === "true" : OPAQUE;
}

const LONG_STRING = /"""(?:[^\\]|\\[^])*?"""(?:"{0,2}(?!"))|'''[^]*?'''(?:'{0,2}(?!'))/y;
const STRING = /"(?!"")(?:[^"\\\n]|\\.)*"|'(?!'')[^'\n]*'/y;
/** Matches numbers, booleans, dates and times; those two may have a space in between. */
const LITERAL = /[\w+.:-]+(?: \d\d:[\d:.]+(?:[Zz]|[+-]\d\d:\d\d)?)?/y;

/** Returns the value of a short string. JSON has all escapes that are in use but one or two. */
function stringIn(written: string): unknown {
  if (written.startsWith("'")) return written.slice(1, -1);
  try {
    return JSON.parse(written.replaceAll("\t", "\\t"));
  } catch {
    return OPAQUE;
  }
}

function readList(cursor: Cursor): unknown {
  const values: unknown[] = [];
  for (;;) {
    skipTrivia(cursor);
    if (cursor.take(/\]/y) !== undefined) return values;
    values.push(readValue(cursor));
    skipTrivia(cursor);
    if (cursor.take(/,/y) !== undefined) continue;
    cursor.expect(/\]/y, "a , or ]");
    return values;
  }
}

/** Reads over an inline table: none of ours has one. */
function readInlineTable(cursor: Cursor): unknown {
  for (;;) {
    skipTrivia(cursor);
    if (cursor.take(/\}/y) !== undefined) return OPAQUE;
    readKey(cursor);
    readAssigned(cursor);
    skipTrivia(cursor);
    if (cursor.take(/,/y) !== undefined) continue;
    cursor.expect(/\}/y, "a , or }");
    return OPAQUE;
  }
}

function skipTrivia(cursor: Cursor): void {
  while (cursor.take(/[ \t\r\n]+|#[^\n]*/y) !== undefined);
}
