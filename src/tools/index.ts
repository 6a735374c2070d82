import * as tools from "./list.ts";
import type { BuiltinTool } from "./tool.ts";

/** Lists the built-in tools by name, as they are shown to models. */
export const BUILTIN_TOOLS = Object.values(tools).toSorted((one, other) =>
  one.name < other.name ? -1 : 1,
) satisfies readonly BuiltinTool[];
