import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { visible } from "../../text/quote.ts";

/** One error of a file, as a server reported it. */
export interface FoundError {
  /** Counts from 1, as columns do. */
  readonly line: number;
  readonly column: number;
  /** Has one line, and no hidden characters. */
  readonly message: string;
  /** Names the part of the server that found it, such as "pyflakes". */
  readonly source?: string;
  readonly code?: string;
  /** Holds the text of the line, which identifies an error whose line has moved. */
  readonly excerpt: string;
}

/** Reads the errors in a list of diagnostics, without warnings and hints. Skips what is not as the protocol has it. */
export function errorsIn(diagnostics: unknown, text: string): readonly FoundError[] {
  if (!Array.isArray(diagnostics)) return [];
  const lines = text.split("\n");
  return diagnostics
    .filter((each) => isRecord(each) && (each["severity"] === undefined || each["severity"] === ERROR))
    .slice(0, LIMITS.comparedErrors)
    .flatMap((each: Readonly<Record<string, unknown>>) => errorOf(each, lines) ?? []);
}

const ERROR = 1;

function errorOf(diagnostic: Readonly<Record<string, unknown>>, lines: readonly string[]): FoundError | undefined {
  const { message, source, code, range } = diagnostic;
  const start = isRecord(range) ? range["start"] : undefined;
  if (typeof message !== "string" || !isRecord(start)) return undefined;
  const { line, character } = start;
  if (!Number.isSafeInteger(line) || !Number.isSafeInteger(character)) return undefined;
  return {
    line: Number(line) + 1,
    column: Number(character) + 1,
    message: oneLine(message, LIMITS.diagnosticChars),
    ...(typeof source === "string" && { source: oneLine(source, NAME_CHARS) }),
    ...((typeof code === "string" || typeof code === "number") && { code: oneLine(String(code), NAME_CHARS) }),
    excerpt: (lines[Number(line)] ?? "").trim().slice(0, LIMITS.diagnosticChars),
  };
}

const NAME_CHARS = 60;

function oneLine(text: string, most: number): string {
  const line = visible(
    text
      .slice(0, 2 * most)
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/**
 * Returns the errors that were not there before. Matches errors first by message and line text, since an edit moves
 * lines, then by message alone, since it may change the line of an error that stays.
 */
export function newErrors(before: readonly FoundError[], after: readonly FoundError[]): readonly FoundError[] {
  const [old, added] = withoutMatches(before, after, ({ excerpt }) => excerpt);
  return withoutMatches(old, added, () => "")[1];
}

/** Drops pairs of errors that are the same; returns what is left of both lists. */
function withoutMatches(
  before: readonly FoundError[],
  after: readonly FoundError[],
  lineOf: (error: FoundError) => string,
): readonly [readonly FoundError[], readonly FoundError[]] {
  const keyOf = (error: FoundError): string => JSON.stringify([error.source, error.code, error.message, lineOf(error)]);
  const unmatched = new Map<string, FoundError[]>();
  for (const error of before) unmatched.set(keyOf(error), [...(unmatched.get(keyOf(error)) ?? []), error]);
  const added = after.filter((error) => unmatched.get(keyOf(error))?.shift() === undefined);
  return [[...unmatched.values()].flat(), added];
}
