import type { RuleEntry } from "../../src/config/rule.ts";
import type { Approver, Question } from "../../src/runtime/approvals.ts";
import type { Notice } from "../../src/runtime/notices.ts";
import { appOn, callerOf, scratch, type Tree } from "./scratch.ts";

/** A session under rules of its user, who gives always the same answer. */
export function under(rules: readonly RuleEntry[], answer: Awaited<ReturnType<Approver>>, tree: Tree) {
  const root = scratch(tree);
  const questions: Question[] = [];
  const notices: Notice[] = [];
  const app = appOn(root, {
    ruleSource: { layers: [{ name: "user", rules: rules.map((rule) => ({ ...rule, origin: "test" })) }] },
    approver: async (question) => {
      questions.push(question);
      return answer;
    },
    notice: (notice) => notices.push(notice),
  });
  return { root, questions, notices, caller: callerOf(app) };
}
