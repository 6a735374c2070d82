import { isWithin } from "../base/paths.ts";
import { startChildProgram } from "../exec/spawn.ts";
import { createPluginTools, type PluginTools } from "../plugins/plugin-tools.ts";
import { resolvedPath } from "../storage/local/jail/resolved-links.ts";
import type { Options } from "./options.ts";

/** Composes the tools of plugins without starting any. Warns of plugin files that an agent might write. */
export function pluginToolsOf(options: Options, roots: readonly string[]): PluginTools {
  const { tools: own = [], plugins = [], pluginFiles = [], warn = () => {} } = options;
  const pluginTools = createPluginTools({ own, plugins, start: startChildProgram, warn });
  for (const file of pluginFiles.filter((each) => roots.some((root) => isWithin(resolvedPath(each), root))))
    warn(
      `The plugin ${JSON.stringify(file)} is in a root: tools cannot write the file itself, but they can write files that it imports`,
    );
  return pluginTools;
}
