import { BUILTIN_TOOLS } from "../tools/index.ts";
import type { BuiltinTool } from "../tools/tool.ts";

/** Lists the built-in tools in the order in which `createTools` returns them. */
export const CATALOGUE: readonly BuiltinTool[] = BUILTIN_TOOLS.toSorted(
  (one, other) => one.catalogue.order - other.catalogue.order,
);

/** Returns the built-in tool that answers to a name. */
export const builtinTool = (name: string): BuiltinTool | undefined =>
  CATALOGUE.find((tool) => tool.name === name || tool.otherNames?.includes(name));
