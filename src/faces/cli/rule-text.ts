import type { RuleEntry } from "../../config/rule.ts";

/** A rule in one line: "write, create secrets/**: blocked". */
export function shownRule({ act, path, command, when, rate_limit, decide }: RuleEntry): string {
  const what = [wordsOf(act), wordsOf(path), wordsOf(command)].filter((text) => text !== "").join(" ");
  const conditions = when ? [JSON.stringify(when)] : [];
  const limit = rate_limit ? [`beyond ${rate_limit.max} in ${rate_limit.window} ${rate_limit.on_exceed}`] : [];
  return `${what}: ${[decide, ...conditions, ...limit].join(", ")}`;
}

const MOST = 4;

function wordsOf(text: string | readonly string[] | undefined): string {
  if (text === undefined) return "";
  const all = typeof text === "string" ? [text] : text;
  return [...all.slice(0, MOST), ...(all.length > MOST ? ["…"] : [])].join(", ");
}
