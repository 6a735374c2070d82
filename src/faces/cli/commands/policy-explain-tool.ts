import type { Toolset } from "../../../runtime/tools/toolset.ts";
import { explanationLines, type Visibility } from "../../../runtime/tools/visibility.ts";
import { mostSimilar } from "../../../text/did-you-mean.ts";
import { print, usage } from "../terminal.ts";

/**
 * Runs `holdfast policy explain <tool>`: prints if a session sees a tool and, if not, what hides it, where that is
 * configured and how to show it. Returns exit code 1 when it is hidden.
 */
export function policyExplainTool(name: string, toolset: Toolset, { json }: { readonly json: boolean }): number {
  const found = visibilityIn(toolset, name);
  if (found === undefined) return reportUnknownTool(name, toolset);
  print(json ? JSON.stringify(found) : explanationLines(found).join("\n"));
  return found.isVisible ? 0 : 1;
}

function visibilityIn({ byName, hidden }: Toolset, name: string): Visibility | undefined {
  const shown = byName.get(name);
  if (shown) return { tool: shown.name, isVisible: true, removals: [] };
  const hiding = hidden.get(name);
  return hiding && { tool: hiding.tool.name, isVisible: false, removals: hiding.removals };
}

function reportUnknownTool(name: string, { byName, hidden }: Toolset): number {
  const meant = mostSimilar(name, [...byName.keys(), ...hidden.keys()]) ?? "write";
  return usage("explain", `there is no tool ${JSON.stringify(name)}`, `holdfast policy explain ${meant}`);
}
