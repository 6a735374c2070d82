import { Fault } from "../base/errors.ts";
import { isFree } from "../base/verdicts.ts";
import type { Decision } from "./rules.ts";

export interface Question {
  readonly tool: string;
  /** Exactly what will be read, changed or run if the answer is yes. */
  readonly preview: string;
  readonly reasons: readonly string[];
}

/** Whoever answers: a terminal prompt, an MCP elicitation, an SDK callback. A face gives `pending` its own form. */
export type Approver = (question: Question) => Promise<"allowed" | "denied" | "pending">;

/** For sessions in which nobody can be asked. */
export const denyAll: Approver = async () => "denied";

/** For commands that a person gives: who gives them has said yes. */
export const allowAll: Approver = async () => "allowed";

/** Nothing to wait for where nobody need be asked; else resolves when the call may go on, or throws `denied`. */
export function settle(
  decision: Decision,
  approver: Approver,
  tool: string,
  preview: string,
): Promise<void> | undefined {
  return isFree(decision.verdict) ? undefined : ask(decision, approver, tool, preview);
}

async function ask({ verdict, reasons }: Decision, approver: Approver, tool: string, preview: string): Promise<void> {
  const answer = verdict === "approval" ? await approver({ tool, preview, reasons }) : "denied";
  if (answer !== "allowed") throw new Fault("denied", `Cannot run ${tool}: ${reasons.join("; ")}`, { verdict, answer });
}
