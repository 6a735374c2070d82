import { Fault, hasCode, isFault } from "../../base/errors.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { Decision } from "../rules/decision.ts";
import { retryHint } from "../rules/rules.ts";

/** Creates the fault of a place that the rules do not let a call open. */
export const refusalFault = (code: "denied" | "approval", place: SafePath, decision: Decision): Fault =>
  new Fault(code, `Cannot open ${JSON.stringify(place)}: ${decision.reasons.join("; ")}`, {
    verdict: decision.verdict,
    place,
    ...retryHint(decision),
  });

export const isRefusal = (error: unknown): boolean => isFault(error) && error.details["verdict"] === "blocked";

/** Returns the place that a call may not open before somebody says yes; undefined for any other error. */
export const approvalQuestionOf = (error: unknown): SafePath | undefined =>
  hasCode(error, "approval") ? (error.details["place"] as SafePath) : undefined;
