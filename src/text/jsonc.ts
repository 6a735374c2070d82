import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { KeyPath } from "./key-path.ts";
import { contentStart } from "./text-lines.ts";

/** A parsed document with the lines of its keys. */
export interface Jsonc {
  readonly value: unknown;
  /** Returns the line of a key or an element, from 1, or undefined if there is none. */
  lineOf(path: KeyPath): number | undefined;
}

/** Parses JSON with comments and trailing commas. Throws a fault that names the line of a syntax error. */
export function parseJsonc(text: string): Jsonc {
  const reader = createReader(text.slice(contentStart(text)));
  const lines = new Map<string, number>();
  const value = readValue(reader, [], lines);
  if (reader.peek() !== "") throw reader.error("nothing may follow the value");
  return { value, lineOf: (path) => lines.get(keyOf(path)) };
}

const keyOf = (path: KeyPath): string => JSON.stringify(path.map(String));

interface Reader {
  /** Returns the next character that is not white space or a comment; an empty string at the end. */
  peek(): string;
  /** Consumes the next character if it is this one. */
  take(character: string): boolean;
  /** Consumes the literal that begins here. */
  literal(): string;
  line(): number;
  error(problem: string): Fault;
}

function createReader(text: string): Reader {
  let at = 0;
  let line = 1;
  const advance = (to: number): void => {
    for (let each = at; each < to; each++) if (text[each] === "\n") line++;
    at = to;
  };
  const faultOf = (problem: string): Fault => new Fault("invalid_input", `line ${line}: ${problem}`, { line });
  const skip = (): void => {
    for (;;) {
      BLANK.lastIndex = at;
      const [blank = ""] = BLANK.exec(text) ?? [];
      if (blank === "") break;
      advance(at + blank.length);
    }
    if (text.startsWith("/*", at)) throw faultOf("this comment is never closed");
  };
  const peek = (): string => {
    skip();
    return text[at] ?? "";
  };
  return {
    peek,
    take(character) {
      const isThere = peek() === character;
      if (isThere) advance(at + 1);
      return isThere;
    },
    literal() {
      skip();
      LITERAL.lastIndex = at;
      const [found] = LITERAL.exec(text) ?? [];
      if (found === undefined) throw faultOf(`a value is missing before ${JSON.stringify(text.slice(at, at + 20))}`);
      advance(at + found.length);
      return found;
    },
    line: () => line,
    error: faultOf,
  };
}

const BLANK = /[ \t\r\n]+|\/\/[^\n]*|\/\*[^]*?\*\//y;
const LITERAL = /"(?:[^"\\\n]|\\.)*"|[-+.\w]+/y;

type Lines = Map<string, number>;

function readValue(reader: Reader, path: KeyPath, lines: Lines): unknown {
  if (path.length > LIMITS.configDepth) throw reader.error("it is nested too deep");
  const first = reader.peek();
  if (!lines.has(keyOf(path))) lines.set(keyOf(path), reader.line());
  if (reader.take("{")) return readObject(reader, path, lines);
  if (reader.take("[")) return readList(reader, path, lines);
  if (first === "") throw reader.error("the file ends too early");
  return parseLiteral(reader, reader.literal());
}

/** Reads an object. Every key becomes an own property, also "__proto__". */
function readObject(reader: Reader, path: KeyPath, lines: Lines): Readonly<Record<string, unknown>> {
  const entries = new Map<string, unknown>();
  while (!reader.take("}")) {
    if (reader.peek() !== '"') throw reader.error('a key in double quotes is missing, or the closing "}"');
    const key = parseLiteral(reader, reader.literal()) as string;
    if (entries.has(key)) throw reader.error(`the key ${JSON.stringify(key)} is there twice`);
    const keyPath = [...path, key];
    lines.set(keyOf(keyPath), reader.line());
    if (!reader.take(":")) throw reader.error(`a ":" is missing after ${JSON.stringify(key)}`);
    entries.set(key, readValue(reader, keyPath, lines));
    if (!reader.take(",") && reader.peek() !== "}") throw reader.error('a comma is missing, or the closing "}"');
  }
  return Object.fromEntries(entries);
}

function readList(reader: Reader, path: KeyPath, lines: Lines): readonly unknown[] {
  const list: unknown[] = [];
  while (!reader.take("]")) {
    list.push(readValue(reader, [...path, list.length], lines));
    if (!reader.take(",") && reader.peek() !== "]") throw reader.error('a comma is missing, or the closing "]"');
  }
  return list;
}

function parseLiteral(reader: Reader, literal: string): unknown {
  try {
    return JSON.parse(literal);
  } catch {
    throw reader.error(`${literal.slice(0, 40)} is no JSON value`);
  }
}
