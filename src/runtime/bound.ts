import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Block } from "../tools/tool.ts";

/** The last guard on what leaves: tools keep to their own budgets, this catches what slipped through. */
export function bound<Result extends { readonly blocks: readonly Block[] }>(result: Result): Result {
  const size = result.blocks.reduce((sum, block) => sum + (block.kind === "text" ? block.text : block.data).length, 0);
  if (size <= LIMITS.answerChars) return result;
  throw new Fault("too_large", `Cannot send the answer: ${size} characters are more than ${LIMITS.answerChars}`);
}
