import type { Options } from "../../app/options.ts";
import { Fault, isFault } from "../../base/errors.ts";
import { checkedPlugins, type FoundPlugin } from "../../plugins/check-plugins.ts";
import { PLUGIN_KIT, type PluginKit } from "../../plugins/kit.ts";
import type { Plugin } from "../../plugins/plugin.ts";

/** A plugin, or a function that makes one at once of what it is handed. */
export type GivenPlugin = Plugin | ((kit: PluginKit) => Plugin);

/** The plugins that a program hands over, for the engine. */
export const checkedPluginsOf = (
  plugins: readonly GivenPlugin[] = [],
  warn: (message: string) => void,
): Pick<Options, "plugins"> => ({
  plugins: checkedPlugins(
    plugins.flatMap((given, nth) => buildPlugin(given, `plugins[${nth}]`, warn)),
    warn,
  ),
});

function buildPlugin(given: GivenPlugin, from: string, warn: (message: string) => void): readonly FoundPlugin[] {
  try {
    const plugin: unknown = typeof given === "function" ? given(PLUGIN_KIT) : given;
    if (plugin instanceof Promise) throw asyncPluginFault(plugin);
    return [{ from, plugin }];
  } catch (error) {
    warn(`Passed over the plugin ${from}: ${isFault(error) ? error.message : `it throws: ${String(error)}`}`);
    return [];
  }
}

/** Nobody waits for it here, so nobody must be told either if it fails. */
function asyncPluginFault(plugin: Promise<unknown>): Fault {
  plugin.catch(() => {});
  return new Fault("invalid_input", "it is a promise: give what it resolves to, such as await make(PLUGIN_KIT)");
}
