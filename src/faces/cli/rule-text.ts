import type { RuleEntry } from "../../config/rule.ts";
import { ruleSummary } from "../../runtime/rules/rule-summary.ts";

/** Formats a rule in one line: "write, create secrets/**: blocked". */
export function shownRule({ when, rate_limit, decide, ...rule }: RuleEntry): string {
  const conditions = when ? [JSON.stringify(when)] : [];
  const limit = rate_limit ? [`beyond ${rate_limit.max} in ${rate_limit.window} ${rate_limit.on_exceed}`] : [];
  return `${ruleSummary(rule)}: ${[decide, ...conditions, ...limit].join(", ")}`;
}
