import { type FaultAnswer, faultOf } from "../../../base/errors.ts";
import { createPattern, type Pattern } from "../../../text/search/pattern.ts";
import { visible } from "../../../text/quote.ts";
import { COMMAND_LINES } from "../command-lines.ts";
import { faultText } from "../fault-text.ts";
import type { CliSettings } from "../flags.ts";
import { callOnce } from "../one-call.ts";
import { coloredPatchLine } from "../patch-colors.ts";
import { colored, print, usage, warn } from "../terminal.ts";
import { countOf, type ViewFlags } from "../view-flags.ts";

/** A command that makes one call of the tool with its name. */
interface ViewCommand {
  /** The numbers of words that it takes. */
  readonly words: readonly [least: number, most: number];
  /** Returns the arguments of the call. */
  input(words: readonly string[], flags: ViewFlags, settings: CliSettings): Readonly<Record<string, unknown>>;
  /** Returns a function that colours a line of the answer. */
  painter(words: readonly string[], flags: ViewFlags): Promise<(line: string) => string>;
}

type ViewName = "read" | "ls" | "tree" | "find" | "grep" | "edit";

/** Returns the command of a tool: `holdfast read <path>` and others. It prints the answer of the tool as text. */
export const view =
  (name: ViewName) =>
  async (settings: CliSettings): Promise<number> => {
    const { words, viewing: flags } = settings;
    const { words: taken, input, painter } = COMMANDS[name];
    const [least, most] = taken;
    const lacksEdit = name === "edit" && (flags.old === undefined || flags.new === undefined);
    if (words.length < least || words.length > most || lacksEdit) return reportUsage(name);
    const { isError, text, data } = await callOnce(settings, name, input(words, flags, settings));
    if (settings.json) print(JSON.stringify(data));
    else if (isError) warn(faultText(faultOf(data["error"] as FaultAnswer)));
    else printAnswer(text, await painter(words, flags));
    // Like every grep, it fails when nothing was found.
    return isError || (name === "grep" && data["total_matches"] === 0) ? 1 : 0;
  };

function reportUsage(name: ViewName): number {
  const [{ takes, example }] = COMMAND_LINES[name];
  return usage(`use holdfast ${name}`, `the usage is holdfast ${name} ${takes}`, `holdfast ${name} ${example}`);
}

/** Prints an answer with one line break at its end. Only on a terminal is it coloured, with its controls escaped. */
function printAnswer(text: string, paint: (line: string) => string): void {
  const shown = process.stdout.isTTY
    ? text
        .split("\n")
        .map((line) => paint(visible(line)))
        .join("\n")
    : text;
  process.stdout.write(shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`);
}

const PLAIN = async () => (line: string) => line;
const NAMES = async () => (line: string) => (line.endsWith("/") ? colored("place", line) : line);

const walked = ({ hidden, "no-ignore": noIgnore }: ViewFlags) => ({
  include_hidden: hidden,
  include_ignored: noIgnore,
});

const COMMANDS: Readonly<Record<ViewName, ViewCommand>> = {
  read: {
    words: [1, Infinity],
    input: (words, flags, { limit }) => ({
      ...(words.length === 1 ? { path: words[0] } : { paths: words }),
      offset: countOf(flags, "offset") ?? negative(countOf(flags, "tail")),
      limit,
      line_numbers: flags["line-numbers"],
    }),
    painter: PLAIN,
  },
  ls: { words: [0, 1], input: ([path], _flags, { limit }) => ({ path, limit }), painter: NAMES },
  tree: {
    words: [0, 1],
    input: ([path], flags, { limit }) => ({ path, limit, depth: countOf(flags, "levels"), ...walked(flags) }),
    painter: NAMES,
  },
  find: {
    words: [1, 2],
    input: ([pattern, path], flags, { limit }) => ({ pattern, path, limit, type: flags.type, ...walked(flags) }),
    painter: NAMES,
  },
  grep: {
    words: [1, 2],
    input: ([pattern, path], flags, { limit }) => ({
      pattern,
      path,
      limit,
      glob: flags.glob,
      literal: flags.fixed,
      ignoreCase: flags["ignore-case"],
      word: flags.word,
      context: countOf(flags, "context"),
      mode: modeOf(flags),
      ...walked(flags),
    }),
    painter: grepPainter,
  },
  edit: {
    words: [1, 1],
    input: ([path], flags, { dryRun }) => ({
      path,
      edits: [{ oldText: flags.old, newText: flags.new }],
      replaceAll: flags.every,
      dry_run: dryRun,
    }),
    painter: async () => (line) => coloredPatchLine(line),
  },
};

const negative = (count: number | undefined): number | undefined => (count === undefined ? undefined : -count);

const modeOf = ({ files, count }: ViewFlags): string | undefined => (files ? "files" : count ? "count" : undefined);

/** Colours the lines of a grep: names of files, line numbers and matches. */
async function grepPainter([source = ""]: readonly string[], flags: ViewFlags): Promise<(line: string) => string> {
  const pattern = await createPattern({
    pattern: source,
    isLiteral: flags.fixed === true,
    ignoresCase: flags["ignore-case"] === true,
    isWord: flags.word === true,
  });
  return (line) => {
    const [, number, rest = ""] = /^(\d+(?::\d+|-) )(.*)$/.exec(line) ?? [];
    if (number === undefined) return line.startsWith("[") ? line : colored("place", line);
    return colored("dim", number) + (number.includes(":") ? withMatches(rest, pattern) : rest);
  };
}

function withMatches(line: string, pattern: Pattern): string {
  let [shown, from] = ["", 0];
  for (let match = pattern.firstIn(line); match && match.end > match.start; match = pattern.firstIn(line, from)) {
    shown += line.slice(from, match.start) + colored("bad", line.slice(match.start, match.end));
    from = match.end;
  }
  return shown + line.slice(from);
}
