import type { Tool } from "../../tools/tool.ts";
import type { ToolPolicy } from "./visibility.ts";
import { createToolset, type Toolset } from "./toolset.ts";

/** Tools that somebody handed over, beside the native ones. */
export interface ToolSources {
  readonly native: readonly Tool[];
  /** The same list until there are more. */
  readonly own: () => readonly Tool[];
  readonly warn: (message: string) => void;
}

/** The tools as they are known at each moment. What there is already stays; of another of its name is told, once. */
export function createToolsets({ native, own, warn }: ToolSources, policyNow: () => ToolPolicy): () => Toolset {
  let known = own();
  let policy = policyNow();
  const told = new Set<Tool>();
  const passOver = (tool: Tool): void => {
    if (!told.has(tool)) warn(`Passed over the tool ${quotedTool(tool)}: there is one of that name`);
    told.add(tool);
  };
  const made = (): Toolset => {
    const natives = createToolset(native, policy);
    return known.length === 0
      ? natives
      : joinedToolsets(natives, toolsetOf(withoutNameClashes(native, known, passOver), policy));
  };
  let toolset = made();
  return function current() {
    const [tools, written] = [own(), policyNow()];
    if (tools === known && written === policy) return toolset;
    known = tools;
    policy = written;
    return (toolset = made());
  };
}

const quotedTool = ({ name, plugin }: Tool): string =>
  plugin === undefined ? JSON.stringify(name) : `${JSON.stringify(name)} of the plugin "${plugin}"`;

function withoutNameClashes(
  native: readonly Tool[],
  own: readonly Tool[],
  passOver: (tool: Tool) => void,
): readonly Tool[] {
  const taken = new Set(native.flatMap(namesOf));
  return own.filter((tool) => {
    const isNew = !taken.has(tool.name);
    if (isNew) taken.add(tool.name);
    else passOver(tool);
    return isNew;
  });
}

const namesOf = ({ name, otherNames = [] }: Tool): readonly string[] => [name, ...otherNames];

/** Who hands a tool over wants it used: no profile hides it, only what forbids it by name or by what it does. */
function toolsetOf(own: readonly Tool[], policy: ToolPolicy): Toolset {
  const tools = { ...policy.config.tools, profile: "full" as const };
  return createToolset(own, { ...policy, config: { ...policy.config, tools } });
}

const joinedToolsets = (natives: Toolset, others: Toolset): Toolset => ({
  listed: [...natives.listed, ...others.listed],
  byName: new Map([...others.byName, ...natives.byName]),
  hidden: new Map([...others.hidden, ...natives.hidden]),
});
