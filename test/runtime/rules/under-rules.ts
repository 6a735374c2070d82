import type { RuleEntry } from "../../../src/config/rule.ts";
import type { ApprovalAnswer, ApprovalRequest } from "../../../src/runtime/approvals/approval.ts";
import type { Notice } from "../../../src/runtime/pipeline/notices.ts";
import { appOn, callerOf, scratch, type Tree } from "../scratch.ts";

export type Says = "allowed" | "denied" | "pending";

const ANSWERS: Readonly<Record<Says, ApprovalAnswer | undefined>> = {
  allowed: { decision: "once" },
  denied: { decision: "deny", reason: "not today" },
  pending: undefined,
};

/** Creates a session under rules of its user, who gives the same answer to every question, once it is `ready`. */
export function under(
  rules: readonly RuleEntry[],
  says: Says,
  tree: Tree,
  ready: (questions: readonly ApprovalRequest[]) => unknown = () => {},
) {
  const root = scratch(tree);
  const questions: ApprovalRequest[] = [];
  const notices: Notice[] = [];
  const app = appOn(root, {
    ruleSource: { layers: [{ name: "user", rules: rules.map((rule) => ({ ...rule, origin: "test" })) }] },
    approver: async (question) => {
      questions.push(question);
      await ready(questions);
      return ANSWERS[says];
    },
    onNotice: (notice) => notices.push(notice),
  });
  return { root, questions, notices, caller: callerOf(app) };
}
