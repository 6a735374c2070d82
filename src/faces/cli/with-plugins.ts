import { Console } from "node:console";
import type { CheckedPlugin } from "../../plugins/plugin.ts";
import type { Configured } from "../../app/configured.ts";
import { warn } from "./terminal.ts";

/** What files, flags and plugins say together. */
export type ConfiguredWithPlugins = Configured & { readonly plugins: readonly CheckedPlugin[] };

/** Loads the plugins that the operator named: only commands that list or call tools need them. */
export async function withPlugins(
  options: Configured,
  tell: (message: string) => void = warn,
): Promise<ConfiguredWithPlugins> {
  const { pluginFiles = [] } = options;
  if (pluginFiles.length === 0) return { ...options, plugins: [] };
  if (process.listenerCount("uncaughtException") === 0) isolatePlugins(tell);
  const { loadPlugins } = await import("../../plugins/load.ts");
  return { ...options, plugins: await loadPlugins(pluginFiles, tell) };
}

/** Standard output belongs to the protocol, and what a plugin left behind must not end the server. */
function isolatePlugins(tell: (message: string) => void): void {
  globalThis.console = new Console(process.stderr);
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) => tell(`Something failed that nobody waited for: ${String(error)}`));
}
