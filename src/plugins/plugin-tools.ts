import { isFault } from "../base/errors.ts";
import type { StartChildProgram } from "../base/program.ts";
import type { LazyTools } from "../runtime/sessions/session.ts";
import type { Tool } from "../tools/tool.ts";
import type { MountedServer, MountOptions } from "./mounted-server.ts";
import type { CheckedPlugin } from "./plugin.ts";

/** Holds all tools that are not native: those of the embedding program and those of plugins. */
export interface PluginTools {
  /** Returns the tools that are known now. */
  tools(): readonly Tool[];
  /** Calls the listener whenever there are more. */
  onAdded(listener: () => void): void;
  /** Is undefined where no plugin has a server. */
  readonly lazyTools: LazyTools | undefined;
  /** Lists words that lists of tools may use before the tools are known: ids of plugins, and prefixes of tool names. */
  readonly knownWords: readonly string[];
  /** Ends every server that runs. */
  close(): void;
}

export interface PluginToolParts {
  /** Lists the tools of the embedding program. */
  readonly own: readonly Tool[];
  readonly plugins: readonly CheckedPlugin[];
  readonly start: StartChildProgram;
  readonly warn: (message: string) => void;
}

/** Composes the tools without starting a server. */
export function createPluginTools({ own, plugins, start, warn }: PluginToolParts): PluginTools {
  const slots = plugins.flatMap(({ id, servers }) =>
    Object.entries(servers).map(([name, program]) =>
      createServerSlot({ name, plugin: id, program, start, warn }, join),
    ),
  );
  let known: readonly Tool[] = [...own, ...plugins.flatMap(({ tools }) => tools)];
  const listeners: (() => void)[] = [];
  function join(tools: readonly Tool[]): void {
    known = [...known, ...tools];
    for (const listener of listeners) listener();
  }
  const lazyTools: LazyTools = {
    loadAll: async () => void (await Promise.all(slots.map(async (slot) => slot.load()))),
    loadFor: (tool) => slots.find(({ name }) => tool.startsWith(prefixOf(name)))?.load(),
  };
  return {
    tools: () => known,
    onAdded: (listener) => void listeners.push(listener),
    lazyTools: slots.length > 0 ? lazyTools : undefined,
    knownWords: [...plugins.map(({ id }) => id), ...slots.map(({ name }) => prefixOf(name))],
    close: () => slots.forEach(({ end }) => end()),
  };
}

const prefixOf = (server: string): string => `${server}__`;

const FIX_HINT = "run its command by itself to see what is wrong, or take it out of the plugin";

/** Loads the tools of a server once. A failed attempt is repeated at the next request. */
function createServerSlot(mounting: MountOptions, join: (tools: readonly Tool[]) => void) {
  let mounted: MountedServer | undefined;
  let asking: Promise<void> | undefined;
  let isLoaded = false;
  const { name, plugin, warn } = mounting;
  async function ask(): Promise<void> {
    try {
      mounted ??= (await import("./mounted-server.ts")).mount(mounting);
      join(await mounted.tools());
      isLoaded = true;
    } catch (error) {
      asking = undefined;
      const reason = isFault(error) ? error.message : String(error);
      warn(`Skipped the server "${name}" of the plugin "${plugin}": ${reason}; ${FIX_HINT}`);
    }
  }
  return {
    name,
    load: (): Promise<void> | undefined => (isLoaded ? undefined : (asking ??= ask())),
    end: () => mounted?.end(),
  };
}
