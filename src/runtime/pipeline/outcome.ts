import { answerOf, toFault } from "../../base/errors.ts";
import { visible } from "../../text/quote.ts";
import { type Block, bracketed } from "../../tools/tool.ts";
import type { ChangeRecord } from "../../workspace/changes/change.ts";
import type { Ruling } from "../audit/audit.ts";

/** Holds the answer of a native call. */
export interface Outcome {
  readonly isError: boolean;
  /** Is "ok", or the code of the fault. */
  readonly code: string;
  readonly blocks: readonly Block[];
  readonly data: Readonly<Record<string, unknown>>;
  /** Says what was changed, for the audit log. */
  readonly record?: ChangeRecord;
  /** Says why the call was allowed or refused, for the audit log. */
  readonly ruling?: Ruling;
}

/** Turns anything that was thrown into an answer, so that the server goes on. */
export function failedOutcome(error: unknown): Outcome {
  const answer = answerOf(toFault(error));
  const text = visible(`${answer.message}\n${answer.hint}`);
  return { isError: true, code: answer.code, blocks: [{ kind: "text", text }], data: { error: answer } };
}

/** Holds both halves of an answer: hosts show a model one of them. */
export interface AnswerParts {
  readonly blocks: readonly Block[];
  readonly data?: Outcome["data"] | undefined;
}

/** Adds notes to both halves: as further blocks, and as `notes` beside the data. What was there stays unchanged. */
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

/** Adds a warning to both halves. */
export function withWarning<Answer extends AnswerParts>(answer: Answer, warning: string): Answer {
  return {
    ...answer,
    blocks: [...answer.blocks, { kind: "text", text: warning }],
    ...(answer.data && { data: { ...answer.data, loop_warning: warning } }),
  };
}
