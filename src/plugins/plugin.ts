import type { Dialect } from "../dialects/dialect.ts";
import type { StorageRegistry } from "../storage/storage.ts";
import type { Tool } from "../tools/tool.ts";
import type { PluginKit } from "./kit.ts";

/** Adds to Holdfast without changing it. It runs as code in our process, and is trusted like the operator. */
export interface Plugin {
  /** Stands for all its tools in lists of tools and in rules. */
  readonly id: string;
  /** Lists tools made by `defineTool`. An existing tool of the same name stays. */
  readonly tools?: readonly Tool[];
  /** Is served with `--dialect` and its name. */
  readonly dialect?: Dialect;
  /** Maps names to programs that speak MCP on standard input and output. Their tools are called `<server>__<tool>`. */
  readonly servers?: Readonly<Record<string, ServerProgram>>;
  /** Adds schemes of roots such as "table://notes". A known scheme stays. */
  readonly storages?: StorageRegistry;
}

/** Configures a server. It is started without a shell, and gets only `PATH` of our environment. */
export interface ServerProgram {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory; the default is "/". */
  readonly directory?: string;
  /** Limits the time of one call; the default is a minute. */
  readonly timeoutMs?: number;
  /** Shows the tools only to sessions whose lists name them. */
  readonly optional?: boolean;
}

/** A plugin, or a function that creates one with the kit, for files that cannot import "holdfast". */
export type PluginModule = Plugin | ((kit: PluginKit) => Plugin | Promise<Plugin>);

/** Ties a plugin, or the function that makes one, to its type. */
export const definePlugin = <Defined extends PluginModule>(plugin: Defined): Defined => plugin;

declare const checked: unique symbol;

/** A plugin that can be used. Only `checkedPlugins` creates one. */
export interface CheckedPlugin extends Plugin {
  readonly [checked]: true;
  readonly tools: readonly Tool[];
  readonly servers: Readonly<Record<string, ServerProgram>>;
}
