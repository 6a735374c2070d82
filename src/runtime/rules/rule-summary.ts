import type { RuleEntry } from "../../config/rule.ts";

/** Summarises what a rule applies to: "write, create secrets/**". Long lists are cut. */
export const ruleSummary = ({
  act,
  path,
  command,
  tool,
}: Pick<RuleEntry, "act" | "path" | "command" | "tool">): string =>
  [shortList(act), shortList(path), shortList(command), shortList(tool)].filter((text) => text !== "").join(" ");

/**
 * Summarises a rule for a caller that is refused. Names only relative places, and none for rules about reading, which
 * would reveal where a link leads.
 */
export function ruleSummaryWithinRoots({ act, path = [], command, tool }: RuleEntry): string {
  const places = [act].flat().includes("read") ? [] : [path].flat();
  return ruleSummary({ act, command, tool, path: places.filter((each) => !each.startsWith("/")) });
}

const SHOWN_ENTRIES = 4;

function shortList(text: string | readonly string[] | undefined): string {
  if (text === undefined) return "";
  const all = typeof text === "string" ? [text] : text;
  return [...all.slice(0, SHOWN_ENTRIES), ...(all.length > SHOWN_ENTRIES ? ["…"] : [])].join(", ");
}
