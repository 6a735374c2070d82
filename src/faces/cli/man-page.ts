import { PRODUCT } from "../../base/product.ts";
import { COMMAND_LINES, type CommandLine } from "./command-lines.ts";
import { FLAGS } from "./flags.ts";

interface DescribedFlag {
  readonly help: string;
  readonly value?: string;
  readonly env?: string;
  readonly short?: string;
  readonly only?: readonly string[];
}

/** Writes the manual page from the tables that the parser and the help use. */
export function manPage(): string {
  const forms = Object.entries<readonly CommandLine[]>(COMMAND_LINES).flatMap(([command, lines]) =>
    lines.map((line) => ({ command, ...line })),
  );
  const flags = Object.entries<DescribedFlag>(FLAGS);
  return [
    `.TH HOLDFAST 1 "" "holdfast ${escaped(PRODUCT.version)}" "User Commands"`,
    ...section("NAME", [`holdfast ${DASH} ${escaped("files for AI agents: confined, recoverable, over MCP")}`]),
    ...section("SYNOPSIS", [".B holdfast", escaped("[<command>] [<flag>...] [<argument>...]")]),
    ...section("DESCRIPTION", DESCRIPTION.map(escaped)),
    ...section(
      "COMMANDS",
      forms.flatMap(({ command, takes, does }) => item(commandWords(command, takes), `${does}.`)),
    ),
    ...section(
      "OPTIONS",
      flags.flatMap(([name, flag]) => item(flagWords(name, flag), flagText(flag))),
    ),
    ...section(
      "EXIT STATUS",
      EXITS.flatMap(([code, meaning]) => item(code, meaning)),
    ),
    ...section("EXAMPLES", [
      ".nf",
      ...forms.map(({ command, example }) => commandWords(command, example)).map(escaped),
      ".fi",
    ]),
    ...section("SEE ALSO", [escaped("docs/operating.md in the package describes configuration, state and rules.")]),
    "",
  ].join("\n");
}

const DASH = String.raw`\-`;

const DESCRIPTION = [
  "Holdfast gives AI agents files and commands on a real machine. It serves the named directories, and nothing else,",
  "over MCP on standard input and output. Every change is in a history and can be undone.",
];

const EXITS = [
  ["0", "The command succeeded."],
  ["1", "The command failed, or grep found nothing."],
  ["2", "The command line is wrong."],
] as const;

const section = (title: string, lines: readonly string[]): readonly string[] => [`.SH ${title}`, ...lines];

const item = (term: string, text: string): readonly string[] => [".TP", `\\fB${escaped(term)}\\fR`, escaped(text)];

/** Leaves "mcp" out, because it is the default. */
const commandWords = (command: string, words: string): string =>
  ["holdfast", command === "mcp" ? "" : command, words].filter(Boolean).join(" ");

const flagWords = (name: string, { value, short }: DescribedFlag): string =>
  `${short === undefined ? "" : `-${short}, `}--${[name, value].filter(Boolean).join(" ")}`;

const flagText = ({ help, env, only }: DescribedFlag): string =>
  `${only ? `${only.join(", ")}: ` : ""}${help}.${env === undefined ? "" : ` Environment: ${env}.`}`;

/** Escapes what roff would interpret: backslashes, hyphens, quotes, and dots and quotes at the start of a line. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", DASH)
    .replaceAll("'", String.raw`\(aq`)
    .replaceAll("…", "...")
    .replace(/^\./, String.raw`\&.`);
