import { isAbsolute, resolve } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { HookCommands } from "./command-hooks.ts";

/** Describes a program that is started for the operator: a hook, an alert, a server of a plugin, a language server. */
export interface StartedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
}

/** Lists every program that the configuration and its plugins start. */
export function programsOf(sources: ProgramSources): readonly StartedProgram[] {
  const { hookCommands = {}, alerts, plugins = [], diagnostics } = sources;
  const commands = [
    ...[...(hookCommands.beforeCall ?? []), ...(hookCommands.afterCall ?? [])].map(({ command }) => command),
    ...(alerts?.command ? [alerts.command] : []),
    ...(diagnostics?.servers.map(({ command }) => command) ?? []),
  ];
  const servers = plugins.flatMap((plugin) => Object.values(plugin.servers));
  return [
    ...commands.map(([file = "", ...args]) => ({ file, args, directory: "/" })),
    ...servers.map(({ command: file, args = [], directory = "/" }) => ({ file, args, directory })),
  ];
}

interface ProgramSources {
  readonly hookCommands?: HookCommands | undefined;
  readonly alerts?: Config["alerts"];
  readonly diagnostics?: NonNullable<Config["tools"]>["diagnostics"];
  readonly plugins?: readonly { readonly servers: Readonly<Record<string, Server>> }[] | undefined;
}

interface Server {
  readonly command: string;
  readonly args?: readonly string[];
  readonly directory?: string;
}

/** Lists the files of a program that its command names. */
export interface ProgramFiles {
  /** Lists the program itself, and scripts among its arguments. */
  readonly code: readonly string[];
  /** Adds every other file that an argument names. */
  readonly all: readonly string[];
}

type KindAt = (path: string) => "directory" | "other" | undefined;

/** Resolves a bare name in every directory of PATH, also where no such file exists yet. */
export function filesRunBy({ file, args, directory }: StartedProgram, path = "", kindAt: KindAt): ProgramFiles {
  const programs = file.includes("/")
    ? [resolve(directory, file)]
    : path.split(":").flatMap((each) => (isAbsolute(each) ? resolve(each, file) : []));
  const named = args.flatMap((word) => filesNamedBy(word, directory, kindAt));
  return { code: [...programs, ...named.filter((each) => SCRIPT.test(each))], all: [...programs, ...named] };
}

/**
 * Resolves an argument, or the value of an option. Skips directories, which a program works on, and bare names that are
 * no file.
 */
function filesNamedBy(word: string, directory: string, kindAt: KindAt): readonly string[] {
  const named = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  const place = resolve(directory, named);
  const kind = kindAt(place);
  return kind === "other" || (kind === undefined && looksLikeFile(named)) ? [place] : [];
}

const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|pl|php|lua|jar|(?:ba|z|fi)?sh)$/;

const looksLikeFile = (word: string): boolean => SCRIPT.test(word) || (word.includes("/") && !word.includes("://"));
