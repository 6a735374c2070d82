import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import type { Performed } from "./perform.ts";

/** The last guard on what leaves: tools keep to their own budgets, this catches what slipped through. */
export function bound(result: Performed): Performed {
  const size = result.blocks.reduce((sum, block) => sum + (block.kind === "text" ? block.text : block.data).length, 0);
  if (size <= LIMITS.answerChars) return result;
  throw new Fault("too_large", `Cannot send the answer: ${size} characters are more than ${LIMITS.answerChars}`);
}
