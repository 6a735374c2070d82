import type { Options } from "../../app/options.ts";
import { Fault, isFault } from "../../base/errors.ts";
import { checkedPlugins, type FoundPlugin } from "../../plugins/check-plugins.ts";
import { PLUGIN_KIT, type PluginKit } from "../../plugins/kit.ts";
import type { Plugin } from "../../plugins/plugin.ts";

/** A plugin, or a synchronous function that builds one from the kit. */
export type PluginOption = Plugin | ((kit: PluginKit) => Plugin);

/** Builds and checks the plugins of the options. Those that cannot be used are reported to `warn` and left out. */
export const checkedPluginsOf = (
  plugins: readonly PluginOption[] = [],
  warn: (message: string) => void,
): Pick<Options, "plugins"> => ({
  plugins: checkedPlugins(
    plugins.flatMap((given, nth) => buildPlugin(given, `plugins[${nth}]`, warn)),
    warn,
  ),
});

function buildPlugin(given: PluginOption, from: string, warn: (message: string) => void): readonly FoundPlugin[] {
  try {
    const plugin: unknown = typeof given === "function" ? given(PLUGIN_KIT) : given;
    if (plugin instanceof Promise) throw asyncPluginFault(plugin);
    return [{ from, plugin }];
  } catch (error) {
    warn(`Skipped the plugin ${from}: ${isFault(error) ? error.message : `it throws: ${String(error)}`}`);
    return [];
  }
}

/** Marks the promise as handled: nobody awaits it, and its rejection must not end the process. */
function asyncPluginFault(plugin: Promise<unknown>): Fault {
  plugin.catch(() => {});
  return new Fault("invalid_input", "it is a promise: give what it resolves to, such as await make(PLUGIN_KIT)");
}
