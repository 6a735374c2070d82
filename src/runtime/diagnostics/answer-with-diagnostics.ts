import { LIMITS } from "../../base/limits.ts";
import type { SafePath } from "../../storage/storage.ts";
import { plural } from "../../text/plural.ts";
import { quoted } from "../../text/quote.ts";
import { type Block, bracketed } from "../../tools/tool.ts";
import type { CheckResult } from "./language-server.ts";
import type { FoundError } from "./new-errors.ts";

export interface AnswerParts {
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** Holds what one server said about a change. */
export interface ServerResult {
  readonly name: string;
  readonly result: CheckResult;
}

/** One new error, as the data of an answer has it. */
export interface ShownError extends Omit<FoundError, "excerpt"> {
  readonly path: string;
}

/**
 * Adds new errors to the text and to the data of an answer, or a note that says why they are not known. `nameOf` returns
 * undefined for files that the caller may not know of.
 */
export function withDiagnostics<Result extends AnswerParts>(
  result: Result,
  results: readonly ServerResult[],
  nameOf: (place: SafePath) => string | undefined,
): Result {
  if (results.length === 0) return result;
  const found = results.flatMap((each) => shownErrorsOf(each, nameOf));
  const shown = found.slice(0, LIMITS.newErrors);
  const notes = notesOn(results, found.length - shown.length);
  const lines = [...(shown.length > 0 ? [HEADING, ...shown.map(errorLine)] : []), ...notes.map(bracketed)];
  const { notes: before = [] } = result.data as { readonly notes?: readonly string[] };
  const isChecked = results.some((each) => each.result.kind === "checked");
  return {
    ...result,
    blocks: lines.length === 0 ? result.blocks : [...result.blocks, { kind: "text", text: lines.join("\n") }],
    data: {
      ...result.data,
      ...(isChecked && { diagnostics: shown }),
      ...(notes.length > 0 && { notes: [...before, ...notes] }),
    },
  };
}

const HEADING = "New errors after this change:";

function shownErrorsOf(
  { result }: ServerResult,
  nameOf: (place: SafePath) => string | undefined,
): readonly ShownError[] {
  if (result.kind === "unavailable") return [];
  return result.files.flatMap(({ place, errors }) => {
    const path = errors.length === 0 ? undefined : nameOf(place);
    return path === undefined ? [] : errors.map((error) => ({ path, ...withoutExcerpt(error) }));
  });
}

function withoutExcerpt(error: FoundError): Omit<FoundError, "excerpt"> {
  const { excerpt: _, ...shown } = error;
  return shown;
}

/** Formats an error as compilers do. */
export const errorLine = ({ path, line, column, message, source, code }: ShownError): string => {
  const origin = [source, code].filter((each) => each !== undefined).join(" ");
  return `${quoted(path)}:${line}:${column}: ${message}${origin === "" ? "" : ` (${origin})`}`;
};

function notesOn(results: readonly ServerResult[], left: number): readonly string[] {
  const missing = results.flatMap(({ name, result }) =>
    result.kind === "unavailable" ? [`No diagnostics from ${quoted(name)}: ${result.reason}`] : [],
  );
  return [...(left > 0 ? [`Cut: ${plural(left, "more new error")}`] : []), ...missing];
}
