import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { mostSimilar } from "../text/similar.ts";
import type { Tool } from "../tools/tool.ts";

/** The tools of one session, by wire name and by the other names they answer to. */
export interface Toolset {
  readonly listed: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
}

export const createToolset = (tools: readonly Tool[]): Toolset => ({
  listed: tools,
  byName: new Map(tools.flatMap((tool) => [tool.name, ...(tool.otherNames ?? [])].map((name) => [name, tool]))),
});

export function lookup({ listed, byName }: Toolset, name: string): Tool {
  const tool = byName.get(name);
  if (tool) return tool;
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
