import { pathToFileURL } from "node:url";
import { Fault } from "../base/errors.ts";
import { withTimeout } from "../base/timeout.ts";
import { LIMITS } from "../base/limits.ts";
import { checkedPlugins, type FoundPlugin } from "./check-plugins.ts";
import { PLUGIN_KIT } from "./kit.ts";
import type { CheckedPlugin, PluginModule } from "./plugin.ts";

/** Loads the plugins in these files. Warns of a plugin that cannot be used, which does not affect the others. */
export async function loadPlugins(
  files: readonly string[],
  warn: (message: string) => void,
): Promise<readonly CheckedPlugin[]> {
  const found = await Promise.all(files.map((file) => loadFile(file, warn)));
  return checkedPlugins(found.flat(), warn);
}

async function loadFile(file: string, warn: (message: string) => void): Promise<readonly FoundPlugin[]> {
  const from = JSON.stringify(file);
  try {
    return [{ from, plugin: await withTimeout(LIMITS.pluginLoadMs, () => defaultExportOf(file), timeoutFault) }];
  } catch (error) {
    const reason = error instanceof Fault ? error.message : `it does not load: ${reasonOf(error, file)}`;
    warn(`Skipped the plugin ${from}: ${reason}`);
    return [];
  }
}

/** Replaces the message of Node for a missing file, which names the importing file, ours. */
function reasonOf(error: unknown, file: string): string {
  const names = [file, pathToFileURL(file).href];
  const isItself =
    error instanceof Error && names.some((name) => error.message.startsWith(`Cannot find module '${name}'`));
  return isItself ? `there is no file ${JSON.stringify(file)}` : String(error);
}

async function defaultExportOf(file: string): Promise<unknown> {
  const module = (await import(pathToFileURL(file).href)) as { readonly default?: PluginModule };
  const exported = module.default;
  if (exported === undefined) throw new Fault("invalid_input", "it has no default export");
  return typeof exported === "function" ? exported(PLUGIN_KIT) : exported;
}

const timeoutFault = (): Fault => new Fault("timeout", `it took longer than ${LIMITS.pluginLoadMs / 1000} s to load`);
