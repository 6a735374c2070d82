import type { ApprovalRequest, ApprovalAnswer } from "../../runtime/approvals/approval.ts";
import { questionText } from "../../runtime/pipeline/effect-text.ts";

/** A question as the protocol lets a client put it to its user, in every revision that knows such forms. */
export const formOf = (request: ApprovalRequest) => ({
  message: questionText(request),
  requestedSchema: {
    type: "object" as const,
    properties: {
      decision: {
        type: "string" as const,
        title: "Allow it?",
        description: "once: only this. session: the same again while this session lasts. always: for 30 days",
        enum: [...DECISIONS],
      },
      reason: { type: "string" as const, title: "Why not", description: "The model is told" },
    },
    required: ["decision"],
  },
});

const DECISIONS = ["once", "session", "always", "deny"] as const;

/** What the user said. A form that was put away, or holds something else than was asked for, is no answer. */
export function parseAnswer(result: unknown): ApprovalAnswer | undefined {
  const { action, content } = (result ?? {}) as { readonly action?: unknown; readonly content?: unknown };
  if (action === "decline") return { decision: "deny" };
  if (action !== "accept") return undefined;
  const { decision: said, reason } = (content ?? {}) as Readonly<Record<string, unknown>>;
  const decision = DECISIONS.find((each) => each === said);
  return decision && { decision, ...(typeof reason === "string" && reason !== "" && { reason }) };
}

/** Whether a client with these capabilities can show a form. One that says nothing more means forms. */
export function showsForms(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: unknown };
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}
