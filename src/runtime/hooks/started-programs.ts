import { isAbsolute, resolve } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { HookCommands } from "./command-hooks.ts";

/** A program that is started for the operator: a hook, an alert, a server of a plugin. */
export interface StartedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly directory: string;
}

/** Everything that the configuration and its plugins start. */
export function programsOf({ hookCommands = {}, alerts, plugins = [] }: ProgramSources): readonly StartedProgram[] {
  const commands = [
    ...[...(hookCommands.beforeCall ?? []), ...(hookCommands.afterCall ?? [])].map(({ command }) => command),
    ...(alerts?.command ? [alerts.command] : []),
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
  readonly plugins?: readonly { readonly servers: Readonly<Record<string, Server>> }[] | undefined;
}

interface Server {
  readonly command: string;
  readonly args?: readonly string[];
  readonly directory?: string;
}

/** What a program consists of, as far as its command names it. */
export interface ProgramFiles {
  /** The program itself, and scripts among its words. */
  readonly code: readonly string[];
  /** These, and every other file that a word names. */
  readonly all: readonly string[];
}

type KindAt = (path: string) => "directory" | "other" | undefined;

/** A bare name may be found in every directory of PATH, also where nothing has that name yet. */
export function filesRunBy({ file, args, directory }: StartedProgram, path = "", kindAt: KindAt): ProgramFiles {
  const programs = file.includes("/")
    ? [resolve(directory, file)]
    : path.split(":").flatMap((each) => (isAbsolute(each) ? resolve(each, file) : []));
  const named = args.flatMap((word) => filesNamedBy(word, directory, kindAt));
  return { code: [...programs, ...named.filter((each) => SCRIPT.test(each))], all: [...programs, ...named] };
}

/** A word, or what follows the "=" of an option. A directory is what a program works on; a bare name need not be a file. */
function filesNamedBy(word: string, directory: string, kindAt: KindAt): readonly string[] {
  const named = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  const place = resolve(directory, named);
  const kind = kindAt(place);
  return kind === "other" || (kind === undefined && looksLikeFile(named)) ? [place] : [];
}

const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|pl|php|lua|jar|(?:ba|z|fi)?sh)$/;

const looksLikeFile = (word: string): boolean => SCRIPT.test(word) || (word.includes("/") && !word.includes("://"));
