import { keyText } from "../../text/key-path.ts";
import type { ConfigKeyPath, ToolPolicyConfig } from "./config.ts";
import type { FilteredTool, Remedy, Removal } from "./filters.ts";
import { type AgentContext, type FilterStep, FILTER_STEPS } from "./filter-steps.ts";

/** Decides which tools a session sees. */
export interface ToolPolicy {
  /** Already validated: it has no contradictions. */
  readonly config: ToolPolicyConfig;
  readonly agentContext: AgentContext;
  /** Returns where the operator wrote a key, such as "holdfast.jsonc:12"; undefined when nobody did. */
  originOf?(key: ConfigKeyPath): string | undefined;
  /** The flag or variable that decides a key, such as "--read-only"; undefined when none does. */
  startedWith?(key: ConfigKeyPath): string | undefined;
}

/** Says if a session sees a tool and, if not, everything that hides it. */
export interface Visibility {
  readonly tool: string;
  readonly isVisible: boolean;
  readonly removals: readonly ExplainedRemoval[];
}

/** Explains in words why a tool is hidden. */
export interface ExplainedRemoval extends Removal {
  readonly step: string;
  /** The file and line of the entry that hides the tool, or the flag. */
  readonly origin: string | undefined;
  /** The change that would show the tool. */
  readonly fix: string;
}

/** Builds the filters once and returns a function that checks one tool. */
export function createVisibilityCheck(
  policy: ToolPolicy,
  steps: readonly FilterStep[] = FILTER_STEPS,
): (tool: FilteredTool) => Visibility {
  const { config, agentContext } = policy;
  const filters = steps.map(({ name, filterFor }) => ({ name, filter: filterFor(config, agentContext) }));
  return (tool) => {
    const removals = filters.flatMap(({ name, filter }) => {
      const removal = filter?.(tool);
      return removal ? [explainRemoval(name, removal, policy)] : [];
    });
    return { tool: tool.name, isVisible: removals.length === 0, removals };
  };
}

function explainRemoval(step: string, removal: Removal, policy: ToolPolicy): ExplainedRemoval {
  const { originOf = () => undefined, startedWith = () => undefined } = policy;
  const { key, remedy } = removal;
  const flag = startedWith(key);
  if (flag !== undefined) return { ...removal, step, origin: flag, fix: fixOfFlag(flag, remedy) };
  // An entry of a list, or a key that is not set, has the origin of its parent.
  const origin = originOf(key) ?? originOf(key.slice(0, -1));
  const fixOrigin = "key" in remedy ? originOf(remedy.key) : undefined;
  const isElsewhere = fixOrigin !== undefined && fixOrigin !== origin;
  return { ...removal, step, origin, fix: `${fixOf(remedy)}${isElsewhere ? ` (${fixOrigin})` : ""}` };
}

/** Returns the fix for a flag or variable, which overrides the configuration. */
function fixOfFlag(flag: string, remedy: Remedy): string {
  if (remedy.kind !== "set") return `start with another ${flag}, or ${fixOf(remedy)}`;
  return remedy.value === false ? `start without ${flag}` : `start with ${flag}=${remedy.value}`;
}

function fixOf(remedy: Remedy): string {
  switch (remedy.kind) {
    case "add":
      return `add ${JSON.stringify(remedy.entry)} to ${keyText(remedy.key)}`;
    case "remove":
      return `take ${JSON.stringify(remedy.entry)} out of ${keyText(remedy.key)}`;
    case "set":
      return `set ${keyText(remedy.key)} to ${JSON.stringify(remedy.value)}`;
    case "agentContext":
      return remedy.says;
  }
}

/** Formats step, reason and origin as one phrase. */
export const reasonOf = ({ step, reason, origin }: ExplainedRemoval): string =>
  `${step}: ${reason}${origin === undefined ? "" : ` (${origin})`}`;

/** Formats for people why a tool is shown or hidden, one reason per line. */
export const explanationLines = ({ tool, isVisible, removals }: Visibility): readonly string[] =>
  isVisible
    ? [`${tool} is shown`]
    : [`${tool} is hidden`, ...removals.map((removal) => `  ${reasonOf(removal)}; ${removal.fix}`)];
