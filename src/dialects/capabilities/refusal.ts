import { answerOf, type Fault } from "../../base/errors.ts";
import { visible } from "../../text/quote.ts";
import { type FailedCall, type DialectAnswer, textAnswer } from "../dialect.ts";
import type { CapabilityError, CapabilityTool } from "./definition.ts";
import { GENERAL, INVALID_INPUT } from "./errors.ts";

/** Converts a fault to the error for an agent, with recoveries. A pending approval is not an error. */
export function answerFaultWith(tools: readonly CapabilityTool[], fault: Fault, call: FailedCall): DialectAnswer {
  const { code, message } = fault;
  if (code === "pending") return pendingAnswer(fault);
  const own = tools.find(({ name }) => name === call.tool)?.capability.errors ?? [];
  const { type, recovery } = errorFor(fault, own);
  return errorAnswer({
    error: type,
    message: visible([message, ...limitHint(fault)].join("\n")),
    recovery: recovery.map(({ action, description }) => ({ action, description })),
  });
}

/** Answers a call that waits for an approval. The agent repeats the call once it is approved. */
function pendingAnswer(fault: Fault): DialectAnswer {
  const { message, hint, approval_id: id } = answerOf(fault);
  const data = { status: "pending_approval", approval_id: id, message: visible(`${message}\n${hint}`) };
  return { ...textAnswer(JSON.stringify(data), data), isError: false };
}

/** Adds the hint of a rate limit, which says when to call again. No recovery says that. */
const limitHint = (fault: Fault): readonly string[] =>
  fault.details["retry_after_s"] === undefined ? [] : [answerOf(fault).hint];

const errorAnswer = (data: Readonly<Record<string, unknown>>): DialectAnswer => textAnswer(JSON.stringify(data), data);

/** Prefers an error for the wrong argument, then a general one. A denied approval differs from a rule that forbids. */
function errorFor({ code, details }: Fault, own: readonly CapabilityError[]): CapabilityError {
  const isDeniedApproval = code === "denied" && details["verdict"] === "approval";
  const effectiveCode = isDeniedApproval ? "approval" : code;
  const matching = [...own, ...GENERAL].filter(({ on }) => on.includes(effectiveCode));
  return (
    matching.find(({ argument }) => argument !== undefined && argument === details["argument"]) ??
    matching.find(({ argument }) => argument === undefined) ??
    INVALID_INPUT
  );
}
