import { placeholderNote } from "../runtime/secrets/redact-answer.ts";
import { quoted } from "../text/quote.ts";
import { isPlainEncoding } from "../tools/fs/read.ts";
import { type Block, bracketed } from "../tools/tool.ts";
import type { NativeName } from "./native.ts";

/** Collects what native answers say besides what was asked, where that is true in the words of every dialect. */
export interface CollectedNotes {
  add(tool: NativeName, input: object, answer: Readonly<Record<string, unknown>>): void;
  all(): readonly string[];
}

export function createCollectedNotes(): CollectedNotes {
  const said = new Set<string>();
  const handles = new Set<string>();
  return {
    add(tool, input, answer) {
      const { warnings = [], masked_secrets: masked = [], encoding, path = "" } = answer as AnswerWithNotes;
      for (const warning of warnings) said.add(warning);
      for (const handle of masked) handles.add(handle);
      const isDetected = tool === "read" && encoding !== undefined && !("encoding" in input);
      if (isDetected && !isPlainEncoding(encoding)) said.add(`Encoding of ${quoted(path)}: ${encoding}`);
    },
    all: () => [...said, ...(handles.size > 0 ? [placeholderNote([...handles])] : [])],
  };
}

/** What a native answer may hold of that. */
interface AnswerWithNotes {
  readonly path?: string;
  readonly warnings?: readonly string[];
  readonly masked_secrets?: readonly string[];
  readonly encoding?: string;
}

interface AnswerParts {
  readonly blocks: readonly Block[];
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The same answer with notes in both halves, as hosts show a model only one of them: behind the text, and as `notes`
 * beside the data. What was asked for stays exact in both.
 */
export function withNotes<Answer extends AnswerParts>(answer: Answer, notes: readonly string[]): Answer {
  if (notes.length === 0) return answer;
  const { blocks, data } = answer;
  const { notes: before = [] } = (data ?? {}) as { readonly notes?: readonly string[] };
  return {
    ...answer,
    blocks: [...blocks, ...notes.map((note): Block => ({ kind: "text", text: bracketed(note) }))],
    ...(data && { data: { ...data, notes: [...before, ...notes] } }),
  };
}
