import { LIMITS } from "../../base/limits.ts";
import { DAY_MS } from "../../base/time.ts";
import {
  type ApprovalRequest,
  type ApprovalAnswer,
  DECISIONS,
  decisionsFor,
} from "../../runtime/approvals/approval.ts";
import { questionText } from "../../runtime/effects/effect-text.ts";

/** Builds the elicitation form for an approval. It is valid in every MCP revision that has elicitation. */
export const approvalFormOf = (request: ApprovalRequest) => ({
  message: questionText(request),
  requestedSchema: {
    type: "object" as const,
    properties: {
      decision: {
        type: "string" as const,
        title: "Allow it?",
        description: decisionsFor(request)
          .map((each) => MEANINGS[each])
          .join(". "),
        enum: [...decisionsFor(request)],
      },
      reason: { type: "string" as const, title: "Why not", description: "Shown to the model" },
    },
    required: ["decision"],
  },
});

const MEANINGS: Readonly<Record<ApprovalAnswer["decision"], string>> = {
  once: "once: this call only",
  session: "session: the same again in this session",
  always: `always: the same for ${LIMITS.grantMs / DAY_MS} days`,
  deny: "deny: refuse it",
};

/** Returns the user's answer. A form that was dismissed or does not fit the schema is no answer. */
export function parseAnswer(result: unknown): ApprovalAnswer | undefined {
  const { action, content } = (result ?? {}) as { readonly action?: unknown; readonly content?: unknown };
  if (action === "decline") return { decision: "deny" };
  if (action !== "accept") return undefined;
  const { decision: chosen, reason } = (content ?? {}) as Readonly<Record<string, unknown>>;
  const decision = DECISIONS.find((each) => each === chosen);
  return decision && { decision, ...(typeof reason === "string" && reason !== "" && { reason }) };
}

/** Returns true if a client can show forms. By the specification, an empty `elicitation` means forms. */
export function supportsForms(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: unknown };
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}
