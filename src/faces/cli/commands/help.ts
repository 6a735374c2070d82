import { Fault } from "../../../base/errors.ts";
import { PRODUCT } from "../../../base/product.ts";
import { mostSimilar } from "../../../text/did-you-mean.ts";
import { COMMAND_LINES, type CommandLine, type CommandName } from "../command-lines.ts";
import { FLAGS, type CliSettings } from "../flags.ts";
import { print } from "../terminal.ts";

/** Prints the help of the program or of one command, from the tables that the parser uses. */
export async function help({ version, words: [word] }: CliSettings): Promise<number> {
  if (version) print(PRODUCT.version);
  else print(word === undefined ? WHOLE : helpOn(word));
  return 0;
}

function helpOn(command: string): string {
  if (!isCommand(command)) throw unknownCommandFault(command);
  const lines: readonly CommandLine[] = COMMAND_LINES[command];
  const own = ALL_FLAGS.filter(([, { only }]) => only?.includes(command));
  return [
    ...lines.map((line) => usageLine(command, line)),
    "",
    "Examples",
    ...lines.map(({ example }) => `  ${["holdfast", command, example].filter(Boolean).join(" ")}`),
    ...(own.length > 0
      ? ["", "Flags", ...own.map(([name, flag]) => flagLine(name, { ...flag, only: undefined }))]
      : []),
    "",
    "All other flags: holdfast --help",
  ].join("\n");
}

const isCommand = (word: string): word is CommandName => Object.hasOwn(COMMAND_LINES, word);

function unknownCommandFault(command: string): Fault {
  const commands = Object.keys(COMMAND_LINES);
  const meant = mostSimilar(command, commands);
  const instead = meant === undefined ? `there are ${commands.join(", ")}` : `did you mean "holdfast help ${meant}"?`;
  return new Fault(
    "invalid_input",
    `Cannot show help for ${JSON.stringify(command)}: there is no such command; ${instead}`,
  );
}

/** Formats a form of a command. "mcp" is left out, because it is the default. */
const usageLine = (command: string, { takes, does }: CommandLine): string =>
  `  ${["holdfast", command === "mcp" ? "" : command, takes].filter(Boolean).join(" ")}`.padEnd(COLUMN) + does;

const COLUMN = 58;

interface Described {
  readonly help: string;
  readonly value?: string;
  readonly env?: string;
  readonly short?: string;
  readonly only?: readonly string[] | undefined;
}

const ALL_FLAGS: readonly (readonly [name: string, flag: Described])[] = Object.entries(FLAGS);

const flagLine = (name: string, { help: meaning, value, env, short, only }: Described): string =>
  `  ${short ? `-${short}, ` : ""}--${[name, value].filter(Boolean).join(" ")}`.padEnd(36) +
  (only ? `${only.join(", ")}: ` : "") +
  meaning +
  (env ? ` [${env}]` : "");

const WHOLE = [
  "Files for AI agents: nothing escapes, nothing is lost, everything can be undone.",
  "",
  "Usage",
  ...Object.entries(COMMAND_LINES).flatMap(([command, lines]) => lines.map((line) => usageLine(command, line))),
  "",
  "history, undo, trash, jobs and audit are about everything below the current directory, or --root, whichever server",
  "did it; --all is about everything of yours. undo <id>, diff <id>, jobs <verb> <id> and approvals work from anywhere.",
  "config and policy use the current directory, or --root. Run holdfast <command> --help for the help of a command.",
  "",
  "Flags",
  ...ALL_FLAGS.map(([name, flag]) => flagLine(name, flag)),
].join("\n");
