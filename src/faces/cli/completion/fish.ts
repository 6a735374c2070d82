import type { CompletedCommand, CompletedFlag } from "./completions.ts";

/** Writes the script for fish. */
export function fishScript(commands: readonly CompletedCommand[], flags: readonly CompletedFlag[]): string {
  return [
    "# Completion of holdfast for fish. Load it with: holdfast completion fish | source",
    ...commands.map(({ name, does }) => completed("__fish_use_subcommand", `-a ${quoted(name)}`, does)),
    ...commands.flatMap(({ name, words }) =>
      words.length === 0 ? [] : [completed(`__fish_seen_subcommand_from ${name}`, `-a ${quoted(words.join(" "))}`)],
    ),
    ...flags.map(flagLine),
    "",
  ].join("\n");
}

function flagLine({ name, short, help, only, takes }: CompletedFlag): string {
  const words = [`-l ${name}`, ...(short === undefined ? [] : [`-s ${short}`]), ...valueWords(takes)].join(" ");
  return completed(only && `__fish_seen_subcommand_from ${only.join(" ")}`, words, help);
}

function valueWords(takes: CompletedFlag["takes"]): readonly string[] {
  if (takes === "nothing") return [];
  if (takes === "value") return ["-r"];
  return ["-x", "-a", takes === "directory" ? "'(__fish_complete_directories)'" : quoted(takes.join(" "))];
}

const completed = (condition: string | undefined, words: string, help = ""): string =>
  [
    "complete -c holdfast",
    ...(condition === undefined ? [] : [`-n ${quoted(condition)}`]),
    words,
    ...(help === "" ? [] : [`-d ${quoted(help)}`]),
  ].join(" ");

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
