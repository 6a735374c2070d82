import type { RuleEntry } from "../../config/rule.ts";

/** What a rule speaks about: "write, create secrets/**". Long lists are cut. */
export const ruleSummary = ({
  act,
  path,
  command,
  tool,
}: Pick<RuleEntry, "act" | "path" | "command" | "tool">): string =>
  [shortList(act), shortList(path), shortList(command), shortList(tool)].filter((text) => text !== "").join(" ");

/**
 * The same for whoever is refused. Places are named only as seen from the roots, and not where reading is ruled: by them
 * a link would tell where it leads.
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
