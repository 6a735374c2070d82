import type { Tool } from "../tools/tool.ts";
import type { ToolPolicy } from "./tool-visibility.ts";
import { createToolset, type Toolset } from "./toolset.ts";

/** Tools that somebody handed over, beside the native ones. */
export interface OwnTools {
  readonly native: readonly Tool[];
  readonly own: readonly Tool[];
  readonly warn: (message: string) => void;
}

/** Who hands a tool over wants it used: no profile hides it, only what forbids it by name or by what it does. */
export function toolsetWith({ native, own, warn }: OwnTools, policy: ToolPolicy): Toolset {
  const natives = createToolset(native, policy);
  if (own.length === 0) return natives;
  const taken = new Set(native.flatMap(namesOf));
  const fresh = own.filter(({ name }) => {
    if (taken.has(name)) warn(`Passed over the tool ${JSON.stringify(name)}: there is one of that name`);
    return !taken.has(name) && taken.add(name);
  });
  const tools = { ...policy.config.tools, profile: "full" as const };
  const others = createToolset(fresh, { ...policy, config: { ...policy.config, tools } });
  return {
    listed: [...natives.listed, ...others.listed],
    byName: new Map([...others.byName, ...natives.byName]),
    hidden: new Map([...others.hidden, ...natives.hidden]),
  };
}

const namesOf = ({ name, otherNames = [] }: Tool): readonly string[] => [name, ...otherNames];
