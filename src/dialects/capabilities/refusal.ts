import { answerOf, type Fault } from "../../base/errors.ts";
import { visible } from "../../text/quote.ts";
import { type FailedCall, type DialectAnswer, say } from "../dialect.ts";
import type { CapabilityError, CapabilityTool } from "./definition.ts";
import { GENERAL, INVALID_INPUT } from "./errors.ts";

/** What an agent is told: what went wrong, and what it can call next. What waits for a yes has not failed. */
export function refusalBy(tools: readonly CapabilityTool[], fault: Fault, call: FailedCall): DialectAnswer {
  const { code, message } = fault;
  if (code === "pending") return pending(fault);
  const own = tools.find(({ name }) => name === call.tool)?.capability.errors ?? [];
  const { type, recovery } = errorFor(fault, own);
  return refused({
    error: type,
    message: visible([message, ...limitHint(fault)].join("\n")),
    recovery: recovery.map(({ action, description }) => ({ action, description })),
  });
}

/** Whoever makes the same call again once somebody said yes gets what it gives. */
function pending(fault: Fault): DialectAnswer {
  const { message, hint, approval_id: id } = answerOf(fault);
  const data = { status: "pending_approval", approval_id: id, message: visible(`${message}\n${hint}`) };
  return { ...say(JSON.stringify(data), data), isError: false };
}

/** When a rate limit passes is said by no recovery. */
const limitHint = (fault: Fault): readonly string[] =>
  fault.details["retry_after_s"] === undefined ? [] : [answerOf(fault).hint];

const refused = (data: Readonly<Record<string, unknown>>): DialectAnswer => say(JSON.stringify(data), data);

/** The first that names the argument to blame, then the first for any; what a person refused is not what a rule forbids. */
function errorFor({ code, details }: Fault, own: readonly CapabilityError[]): CapabilityError {
  const isAsked = code === "denied" && details["verdict"] === "approval";
  const meant = isAsked ? "approval" : code;
  const fitting = [...own, ...GENERAL].filter(({ on }) => on.includes(meant));
  return (
    fitting.find(({ argument }) => argument !== undefined && argument === details["argument"]) ??
    fitting.find(({ argument }) => argument === undefined) ??
    INVALID_INPUT
  );
}
