import { Fault } from "../../base/errors.ts";
import { didYouMean, quotedInput } from "../../text/did-you-mean.ts";
import type { Tool } from "../../tools/tool.ts";
import { createVisibilityCheck, type ExplainedRemoval, reasonOf, type ToolPolicy } from "./visibility.ts";

/** The tools of one session, by wire name and by the other names they answer to. */
export interface Toolset {
  readonly listed: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
  /** The tools that this session may not see, with the reasons, by the same names. */
  readonly hidden: ReadonlyMap<string, HiddenTool>;
}

export interface HiddenTool {
  readonly tool: Tool;
  readonly removals: readonly ExplainedRemoval[];
}

export function createToolset(tools: readonly Tool[], policy: ToolPolicy): Toolset {
  const check = createVisibilityCheck(policy);
  const checked = tools.map((tool) => ({ tool, removals: check(tool).removals }));
  const shown = checked.filter(({ removals }) => removals.length === 0);
  const hidden = checked.filter(({ removals }) => removals.length > 0);
  return {
    listed: shown.map(({ tool }) => tool),
    byName: new Map(shown.flatMap(({ tool }) => namesOf(tool).map((name) => [name, tool]))),
    hidden: new Map(hidden.flatMap((each) => namesOf(each.tool).map((name) => [name, each]))),
  };
}

const namesOf = ({ name, otherNames = [] }: Tool): readonly string[] => [name, ...otherNames];

export function lookup({ listed, byName, hidden }: Toolset, name: string): Tool {
  const tool = byName.get(name);
  if (tool) return tool;
  const hiding = hidden.get(name);
  if (hiding) throw hiddenFault(hiding);
  const names = listed.map((each) => each.name);
  const help = didYouMean(name, names, `the tools are ${names.join(", ")}`);
  throw new Fault("unknown_tool", `Cannot call ${quotedInput(name)}: there is no such tool; ${help}`, { tools: names });
}

/** Creates the fault for a hidden tool, with what hides it and what would show it. */
function hiddenFault({ tool, removals }: HiddenTool): Fault {
  const reasons = removals.map(reasonOf).join("; ");
  const fixes = removals.map(({ fix }) => fix);
  return new Fault(
    "denied",
    `Cannot call "${tool.name}": it is hidden from this session (${reasons}). To show it: ${fixes.join("; ")}`,
    { hidden_by: removals.map(({ step }) => step), fixes },
  );
}
