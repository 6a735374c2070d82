import { pathToFileURL } from "node:url";
import { Fault } from "../base/errors.ts";
import { withTimeout } from "../base/timeout.ts";
import { LIMITS } from "../base/limits.ts";
import { checkedPlugins, type FoundPlugin } from "./check-plugins.ts";
import { PLUGIN_KIT } from "./kit.ts";
import type { CheckedPlugin, PluginModule } from "./plugin.ts";

/** The plugins in these files, as far as they can be used. One that cannot is told, and harms no other. */
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
    warn(`Passed over the plugin ${from}: ${reason}`);
    return [];
  }
}

/** Node's own words name the file that imports, which is ours. */
function reasonOf(error: unknown, file: string): string {
  const names = [file, pathToFileURL(file).href];
  const isItself =
    error instanceof Error && names.some((name) => error.message.startsWith(`Cannot find module '${name}'`));
  return isItself ? `there is no file ${JSON.stringify(file)}` : String(error);
}

async function defaultExportOf(file: string): Promise<unknown> {
  const module = (await import(pathToFileURL(file).href)) as { readonly default?: PluginModule };
  const said = module.default;
  if (said === undefined) throw new Fault("invalid_input", "it has no default export");
  return typeof said === "function" ? said(PLUGIN_KIT) : said;
}

const timeoutFault = (): Fault => new Fault("timeout", `it took longer than ${LIMITS.pluginLoadMs / 1000} s to load`);
