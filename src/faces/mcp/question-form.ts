import type { ApprovalRequest, ApprovalAnswer } from "../../runtime/approvals/approval.ts";
import { questionText } from "../../runtime/pipeline/effect-text.ts";

/** Builds the elicitation form for an approval. All revisions with elicitation accept it. */
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

/** Returns the user's answer. A form that was dismissed or has other values than the schema asks for is no answer. */
export function parseAnswer(result: unknown): ApprovalAnswer | undefined {
  const { action, content } = (result ?? {}) as { readonly action?: unknown; readonly content?: unknown };
  if (action === "decline") return { decision: "deny" };
  if (action !== "accept") return undefined;
  const { decision: chosen, reason } = (content ?? {}) as Readonly<Record<string, unknown>>;
  const decision = DECISIONS.find((each) => each === chosen);
  return decision && { decision, ...(typeof reason === "string" && reason !== "" && { reason }) };
}

/** Returns true if a client can show forms. By the specification, an empty `elicitation` means forms. */
export function showsForms(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: unknown };
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}
