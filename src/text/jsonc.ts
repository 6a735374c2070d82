// oxlint-disable-next-line import/default -- Node gives this CommonJS package a default export, and only that.
import jsonc from "jsonc-parser";
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
  const content = text.slice(contentStart(text));
  const lines = linesIn(content);
  const tree = jsonc.parseTree(content, [], SYNTAX) as jsonc.Node;
  return { value: jsonc.getNodeValue(tree), lineOf: (path) => lines.get(keyOf(path)) };
}

const SYNTAX: jsonc.ParseOptions = { allowTrailingComma: true };

/** Returns the lines of all values and keys by their paths. Throws at the first error, before anything is nested deep. */
function linesIn(content: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const note = (path: KeyPath, line: number): void => {
    if (path.length > LIMITS.configDepth) throw faultAt(line, "it is nested too deep");
    // The line of a value is that of its key.
    if (!lines.has(keyOf(path))) lines.set(keyOf(path), line + 1);
  };
  const noteBegin = (_offset: number, _length: number, line: number, _column: number, path: () => KeyPath): void =>
    note(path(), line);
  jsonc.visit(
    content,
    {
      onObjectBegin: noteBegin,
      onArrayBegin: noteBegin,
      onLiteralValue: (_value, ...at) => noteBegin(...at),
      onObjectProperty(key, _offset, _length, line, _column, path) {
        if (lines.has(keyOf([...path(), key]))) throw faultAt(line, `the key ${JSON.stringify(key)} is there twice`);
        note([...path(), key], line);
      },
      onError(code, offset, length, line) {
        const found = content.slice(offset, offset + length);
        throw faultAt(line, found === "" ? "the file ends too early" : problemOf(code, found));
      },
    },
    SYNTAX,
  );
  return lines;
}

/** Joins keys and indexes, which are strings in a path of an issue. */
const keyOf = (path: KeyPath): string => JSON.stringify(path.map(String));

/** The parser counts lines from 0. */
const faultAt = (line: number, problem: string): Fault =>
  new Fault("invalid_input", `line ${line + 1}: ${problem}`, { line: line + 1 });

const problemOf = (code: jsonc.ParseErrorCode, found: string): string =>
  `${PROBLEMS[jsonc.printParseErrorCode(code)] ?? "this is no JSON value:"} ${JSON.stringify(found.slice(0, 20))}`;

const PROBLEMS: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is neither a value nor a key in double quotes:",
  ColonExpected: 'a ":" is missing before',
  CommaExpected: "a comma is missing before",
  PropertyNameExpected: "a key in double quotes is missing before",
  ValueExpected: "a value is missing before",
  EndOfFileExpected: "nothing may follow the value, but there is",
  UnexpectedEndOfComment: "this comment is never closed:",
};
