import { isFault } from "../base/errors.ts";
import type { StartChildProgram } from "../base/program.ts";
import type { LazyTools } from "../runtime/pipeline/session.ts";
import type { Tool } from "../tools/tool.ts";
import type { MountedServer, MountOptions } from "./mounted-server.ts";
import type { CheckedPlugin } from "./plugin.ts";

/** All tools that are not native: the program's own, and what plugins bring. */
export interface PluginTools {
  /** Those that are known now. The same list until there are more. */
  tools(): readonly Tool[];
  /** Undefined where no plugin has a server. */
  readonly lazyTools: LazyTools | undefined;
  /** Words that lists may use before the tools they mean are known: ids of plugins, and what names of tools begin with. */
  readonly knownWords: readonly string[];
  /** Ends every server that runs. */
  close(): void;
}

export interface PluginToolParts {
  /** Handed over by the program around us. */
  readonly own: readonly Tool[];
  readonly plugins: readonly CheckedPlugin[];
  readonly start: StartChildProgram;
  readonly warn: (message: string) => void;
}

/** Starts nothing. */
export function createPluginTools({ own, plugins, start, warn }: PluginToolParts): PluginTools {
  const berths = plugins.flatMap(({ id, servers }) =>
    Object.entries(servers).map(([name, program]) =>
      createServerSlot({ name, plugin: id, program, start, warn }, join),
    ),
  );
  let known: readonly Tool[] = [...own, ...plugins.flatMap(({ tools }) => tools)];
  function join(tools: readonly Tool[]): void {
    known = [...known, ...tools];
  }
  const late: LazyTools = {
    loadAll: async () => void (await Promise.all(berths.map(async (berth) => berth.asked()))),
    loadFor: (tool) => berths.find(({ name }) => tool.startsWith(prefixOf(name)))?.asked(),
  };
  return {
    tools: () => known,
    lazyTools: berths.length > 0 ? late : undefined,
    knownWords: [...plugins.map(({ id }) => id), ...berths.map(({ name }) => prefixOf(name))],
    close: () => berths.forEach(({ end }) => end()),
  };
}

const prefixOf = (server: string): string => `${server}__`;

const FIX_HINT = "run its command by itself to see what is wrong, or take it out of the plugin";

/** A server, from the moment it is asked for its tools. One that cannot be asked is asked again by whoever comes next. */
function createServerSlot(mounting: MountOptions, join: (tools: readonly Tool[]) => void) {
  let mounted: MountedServer | undefined;
  let asking: Promise<void> | undefined;
  let hasTold = false;
  const { name, plugin, warn } = mounting;
  async function ask(): Promise<void> {
    try {
      mounted ??= (await import("./mounted-server.ts")).mount(mounting);
      join(await mounted.tools());
      hasTold = true;
    } catch (error) {
      asking = undefined;
      const reason = isFault(error) ? error.message : String(error);
      warn(`Passed over the server "${name}" of the plugin "${plugin}": ${reason}; ${FIX_HINT}`);
    }
  }
  return {
    name,
    asked: (): Promise<void> | undefined => (hasTold ? undefined : (asking ??= ask())),
    end: () => mounted?.end(),
  };
}
