import { keyText } from "../../text/key-path.ts";
import type { ConfigKeyPath, ToolPolicyConfig } from "./config.ts";
import type { FilteredTool, Remedy, Removal } from "./filters.ts";
import { type AgentContext, type FilterStep, FILTER_STEPS } from "./steps.ts";

/** All that decides which tools a session sees. */
export interface ToolPolicy {
  /** Checked: it does not contradict itself. */
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

/** A removal in words. */
export interface ExplainedRemoval extends Removal {
  readonly step: string;
  /** Says where the entry is written that hides the tool. */
  readonly origin: string | undefined;
  /** Says what would let it pass this step. */
  readonly fix: string;
}

/** Judges tools one by one; the filters are made once. */
export function createVisibilityCheck(
  policy: ToolPolicy,
  steps: readonly FilterStep[] = FILTER_STEPS,
): (tool: FilteredTool) => Visibility {
  const { config, agentContext } = policy;
  const filters = steps.map(({ name, filterFor }) => ({ name, filter: filterFor(config, agentContext) }));
  return (tool) => {
    const removals = filters.flatMap(({ name, filter }) => {
      const removal = filter?.(tool);
      return removal ? [explained(name, removal, policy)] : [];
    });
    return { tool: tool.name, isVisible: removals.length === 0, removals };
  };
}

function explained(step: string, removal: Removal, policy: ToolPolicy): ExplainedRemoval {
  const { originOf = () => undefined, startedWith = () => undefined } = policy;
  const { key, remedy } = removal;
  const word = startedWith(key);
  if (word !== undefined) return { ...removal, step, origin: word, fix: fixAtStart(word, remedy) };
  // An entry of a list, or a key that is not written yet, has its place in what holds it.
  const origin = originOf(key) ?? originOf(key.slice(0, -1));
  const place = "key" in remedy ? originOf(remedy.key) : undefined;
  const isElsewhere = place !== undefined && place !== origin;
  return { ...removal, step, origin, fix: `${fixOf(remedy)}${isElsewhere ? ` (${place})` : ""}` };
}

/** A flag at the start wins over what is written. */
function fixAtStart(word: string, remedy: Remedy): string {
  if (remedy.kind !== "set") return `start with another ${word}, or ${fixOf(remedy)}`;
  return remedy.value === false ? `start without ${word}` : `start with ${word}=${remedy.value}`;
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

/** Step, reason and where it is written, as one phrase. */
export const reasonOf = ({ step, reason, origin }: ExplainedRemoval): string =>
  `${step}: ${reason}${origin === undefined ? "" : ` (${origin})`}`;

/** All that stands in the way, for a person: one line each. */
export const explanationLines = ({ tool, isVisible, removals }: Visibility): readonly string[] =>
  isVisible
    ? [`${tool} is shown`]
    : [`${tool} is hidden`, ...removals.map((removal) => `  ${reasonOf(removal)}; ${removal.fix}`)];
