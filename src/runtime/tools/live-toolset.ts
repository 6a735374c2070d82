import type { Tool } from "../../tools/tool.ts";
import type { ToolPolicy } from "./visibility.ts";
import { createToolset, type Toolset } from "./toolset.ts";

/** Provides the native tools and those of plugins and the embedding program. */
export interface ToolSources {
  readonly native: readonly Tool[];
  readonly own: () => readonly Tool[];
  readonly warn: (message: string) => void;
}

/** Holds the toolset of a session while tools are added and the policy is reloaded. */
export interface LiveToolset {
  current(): Toolset;
  /** Has to be called once there are more tools, or another policy. */
  refresh(): void;
}

/** Skips a later tool of the same name, with one warning. */
export function createLiveToolset({ native, own, warn }: ToolSources, policyNow: () => ToolPolicy): LiveToolset {
  const warned = new Set<Tool>();
  const warnOnce = (tool: Tool): void => {
    if (!warned.has(tool)) warn(`Skipped the tool ${quotedTool(tool)}: there is one of that name`);
    warned.add(tool);
  };
  const build = (): Toolset => {
    const [others, policy] = [own(), policyNow()];
    const natives = createToolset(native, policy);
    return others.length === 0
      ? natives
      : joinedToolsets(natives, toolsetOf(withoutNameClashes(native, others, warnOnce), policy));
  };
  let toolset = build();
  return { current: () => toolset, refresh: () => void (toolset = build()) };
}

const quotedTool = ({ name, plugin }: Tool): string =>
  plugin === undefined ? JSON.stringify(name) : `${JSON.stringify(name)} of the plugin "${plugin}"`;

function withoutNameClashes(
  native: readonly Tool[],
  own: readonly Tool[],
  onClash: (tool: Tool) => void,
): readonly Tool[] {
  const taken = new Set(native.flatMap(namesOf));
  return own.filter((tool) => {
    const isNew = !taken.has(tool.name);
    if (isNew) taken.add(tool.name);
    else onClash(tool);
    return isNew;
  });
}

const namesOf = ({ name, otherNames = [] }: Tool): readonly string[] => [name, ...otherNames];

/** Shows tools of the program whatever the profile: only lists that deny them by name or by effect hide them. */
function toolsetOf(own: readonly Tool[], policy: ToolPolicy): Toolset {
  const tools = { ...policy.config.tools, profile: "full" as const };
  return createToolset(own, { ...policy, config: { ...policy.config, tools } });
}

const joinedToolsets = (natives: Toolset, others: Toolset): Toolset => ({
  listed: [...natives.listed, ...others.listed],
  byName: new Map([...others.byName, ...natives.byName]),
  hidden: new Map([...others.hidden, ...natives.hidden]),
});
