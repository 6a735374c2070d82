import { EXEC_SECURITIES } from "../../../base/verdicts.ts";
import { DIALECT_NAMES } from "../../../dialects/load.ts";
import { PROFILES } from "../../../runtime/tools/profiles.ts";
import { COMMAND_LINES, type CommandLine, verbOf } from "../command-lines.ts";
import { FLAGS } from "../flags.ts";
import { CLIENTS } from "../install/clients.ts";
import { SHELLS } from "./shells.ts";

/** A command with the words that can follow it. */
export interface CompletedCommand {
  readonly name: string;
  readonly does: string;
  /** Verbs, clients or other words; none where paths follow. */
  readonly words: readonly string[];
}

/** A flag with what can follow it. */
export interface CompletedFlag {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  /** The commands that take it; undefined for all. */
  readonly only?: readonly string[];
  /** The words that it takes, a directory, any value, or nothing. */
  readonly takes: readonly string[] | "directory" | "value" | "nothing";
}

/** Lists every command. */
export const completedCommands = (): readonly CompletedCommand[] =>
  Object.entries<readonly CommandLine[]>(COMMAND_LINES).map(([name, lines]) => ({
    name,
    does: lines[0]?.does ?? "",
    words: WORDS[name]?.() ?? [...new Set(lines.map(verbOf))].filter(Boolean),
  }));

/** Words of commands that are not verbs of their usage. */
const WORDS: Readonly<Record<string, () => readonly string[]>> = {
  install: () => Object.keys(CLIENTS),
  completion: () => SHELLS,
  help: () => Object.keys(COMMAND_LINES),
};

interface DescribedFlag {
  readonly help: string;
  readonly value?: string;
  readonly short?: string;
  readonly only?: readonly string[];
}

/** Lists every flag. */
export const completedFlags = (): readonly CompletedFlag[] =>
  Object.entries<DescribedFlag>(FLAGS).map(([name, { help, value, short, only }]) => ({
    name,
    help,
    takes: value === undefined ? "nothing" : (CHOICES[name] ?? choicesIn(value)),
    ...(short !== undefined && { short }),
    ...(only && { only }),
  }));

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  profile: Object.keys(PROFILES),
  exec: EXEC_SECURITIES,
  dialect: DIALECT_NAMES,
  type: ["file", "directory", "symlink"],
};

/** Returns the words in a value such as `<on|off>`. */
function choicesIn(value: string): CompletedFlag["takes"] {
  if (value === "<dir>") return "directory";
  return /^<\w+(?:\|\w+)+>$/.test(value) ? value.slice(1, -1).split("|") : "value";
}

/** Returns the flags that a command takes. */
export const flagsOf = (flags: readonly CompletedFlag[], command: string): readonly CompletedFlag[] =>
  flags.filter(({ only }) => only === undefined || only.includes(command));
