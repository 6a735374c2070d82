import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { type Block, charsIn } from "../../tools/tool.ts";

/** Throws for an answer that is too large. Tools keep to their own budgets; this is the last check. */
export function limitResultSize<Result extends { readonly blocks: readonly Block[] }>(result: Result): Result {
  const size = charsIn(result.blocks);
  if (size <= LIMITS.answerChars) return result;
  throw new Fault("too_large", `Cannot send the answer: ${size} characters are more than ${LIMITS.answerChars}`);
}
