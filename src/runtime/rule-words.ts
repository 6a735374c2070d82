import type { RuleEntry } from "../config/rule.ts";

/** What a rule speaks about: "write, create secrets/**". Long lists are cut. */
export const ruleWords = ({ act, path, command, tool }: Pick<RuleEntry, "act" | "path" | "command" | "tool">): string =>
  [listed(act), listed(path), listed(command), listed(tool)].filter((text) => text !== "").join(" ");

/** The same for whoever is refused: places are named only as seen from the roots. */
export const ruleWordsWithin = ({ act, path = [], command, tool }: RuleEntry): string =>
  ruleWords({ act, command, tool, path: [path].flat().filter((each) => !each.startsWith("/")) });

const MOST = 4;

function listed(text: string | readonly string[] | undefined): string {
  if (text === undefined) return "";
  const all = typeof text === "string" ? [text] : text;
  return [...all.slice(0, MOST), ...(all.length > MOST ? ["…"] : [])].join(", ");
}
