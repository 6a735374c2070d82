import { Console } from "node:console";
import type { CheckedPlugin } from "../../plugins/plugin.ts";
import type { MergedSettings } from "../../app/merged-settings.ts";
import { warn } from "./terminal.ts";

/** The configuration of files and flags, with the plugins loaded. */
export type SettingsWithPlugins = MergedSettings & { readonly plugins: readonly CheckedPlugin[] };

/** Loads the operator's plugins. Only commands that list or call tools need them. */
export async function withPlugins(
  options: MergedSettings,
  report: (message: string) => void = warn,
): Promise<SettingsWithPlugins> {
  const { pluginFiles = [] } = options;
  if (pluginFiles.length === 0) return { ...options, plugins: [] };
  if (process.listenerCount("uncaughtException") === 0) isolatePlugins(report);
  const { loadPlugins } = await import("../../plugins/load.ts");
  return { ...options, plugins: await loadPlugins(pluginFiles, report) };
}

/**
 * Sends the console to standard error, as standard output is for the protocol. Reports uncaught errors instead of
 * ending.
 */
function isolatePlugins(report: (message: string) => void): void {
  globalThis.console = new Console(process.stderr);
  for (const event of ["uncaughtException", "unhandledRejection"] as const)
    process.on(event, (error: unknown) => report(`Uncaught error: ${String(error)}`));
}
