import { errorLine, type ShownError } from "../runtime/diagnostics/answer-with-diagnostics.ts";
import { placeholderNote } from "../runtime/secrets/redact-answer.ts";
import { quoted } from "../text/quote.ts";
import { isPlainEncoding } from "../tools/fs/read.ts";
import type { NativeName } from "./native.ts";

/** Collects warnings and notes of native answers that are valid in every dialect. */
export interface CollectedNotes {
  add(tool: NativeName, input: object, answer: Readonly<Record<string, unknown>>): void;
  all(): readonly string[];
}

export function createCollectedNotes(): CollectedNotes {
  const notes = new Set<string>();
  const placeholders = new Set<string>();
  return {
    add(tool, input, answer) {
      const { warnings = [], diagnostics = [], masked_secrets: masked = [] } = answer as AnswerWithNotes;
      const { encoding, path = "" } = answer as AnswerWithNotes;
      for (const warning of warnings) notes.add(warning);
      for (const error of diagnostics) notes.add(`New error: ${errorLine(error)}`);
      for (const placeholder of masked) placeholders.add(placeholder);
      const isDetected = tool === "read" && encoding !== undefined && !("encoding" in input);
      if (isDetected && !isPlainEncoding(encoding)) notes.add(`Encoding of ${quoted(path)}: ${encoding}`);
    },
    all: () => [...notes, ...(placeholders.size > 0 ? [placeholderNote([...placeholders])] : [])],
  };
}

/** Holds the parts of a native answer that become notes. */
interface AnswerWithNotes {
  readonly path?: string;
  readonly warnings?: readonly string[];
  readonly diagnostics?: readonly ShownError[];
  readonly masked_secrets?: readonly string[];
  readonly encoding?: string;
}
