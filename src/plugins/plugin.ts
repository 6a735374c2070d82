import type { Dialect } from "../dialects/dialect.ts";
import type { Tool } from "../tools/tool.ts";
import type { PluginKit } from "./kit.ts";

/** What somebody adds to Holdfast without changing it. It is code in our process, and trusted like the operator. */
export interface Plugin {
  /** Lists of tools, and rules, know all its tools by this. */
  readonly id: string;
  /** Made by `defineTool`. Where there is a tool of the same name already, that one stays. */
  readonly tools?: readonly Tool[];
  /** Spoken with `--dialect` and its name. */
  readonly dialect?: Dialect;
  /** Programs that speak MCP on standard input and output. A tool of one is called `<server>__<tool>`. */
  readonly servers?: Readonly<Record<string, ServerProgram>>;
}

/** How a server is started: without a shell, with `PATH` and nothing else of our environment. */
export interface ServerProgram {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs; "/" unless told. */
  readonly directory?: string;
  /** How long one call may take; a minute unless told. */
  readonly timeoutMs?: number;
  /** Its tools are shown only to sessions whose lists ask for them. */
  readonly optional?: boolean;
}

/** A plugin, or what makes one of all that it takes to write one, where "holdfast" cannot be imported. */
export type PluginModule = Plugin | ((kit: PluginKit) => Plugin | Promise<Plugin>);

/** Ties a plugin, or the function that makes one, to its type. */
export const definePlugin = <Defined extends PluginModule>(plugin: Defined): Defined => plugin;

declare const checked: unique symbol;

/** A plugin that can be used: only `checkedPlugins` makes one. */
export interface CheckedPlugin extends Plugin {
  readonly [checked]: true;
  readonly tools: readonly Tool[];
  readonly servers: Readonly<Record<string, ServerProgram>>;
}
