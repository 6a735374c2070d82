import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { mostSimilar } from "../text/similar.ts";
import type { Tool } from "../tools/tool.ts";

/** The tools of one session, by wire name and by the other names they answer to. */
export interface Toolset {
  readonly listed: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
  /** Tools there are, but not for this session. */
  readonly hidden: readonly Tool[];
}

export const createToolset = (tools: readonly Tool[], isForUse: (tool: Tool) => boolean): Toolset => {
  const listed = tools.filter(isForUse);
  return {
    listed,
    byName: new Map(listed.flatMap((tool) => [tool.name, ...(tool.otherNames ?? [])].map((name) => [name, tool]))),
    hidden: tools.filter((tool) => !listed.includes(tool)),
  };
};

export function lookup({ listed, byName, hidden }: Toolset, name: string): Tool {
  const tool = byName.get(name);
  if (tool) return tool;
  if (hidden.some((each) => each.name === name))
    throw new Fault("denied", `Cannot call ${JSON.stringify(name)}: this session may not use it`);
  const names = listed.map((each) => each.name);
  const meant = mostSimilar(name, names);
  const help = meant === undefined ? `the tools are ${names.join(", ")}` : `did you mean "${meant}"?`;
  throw new Fault(
    "unknown_tool",
    `Cannot call ${JSON.stringify(name.slice(0, LIMITS.shownNameChars))}: there is no such tool; ${help}`,
    {
      tools: names,
    },
  );
}
