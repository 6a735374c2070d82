import { existsSync } from "node:fs";
import { CATALOGUE } from "../../app/catalogue.ts";
import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { similarTo } from "../../text/did-you-mean.ts";
import { mcp } from "./commands/mcp.ts";
import type { CommandName } from "./command-lines.ts";
import { requirePersonFor } from "./people-only.ts";
import { faultText } from "./fault-text.ts";
import { isFileScript, readSettings, type CliSettings } from "./flags.ts";
import { warn } from "./terminal.ts";

/** Runs one command and returns the exit code. */
export type Command = (settings: CliSettings) => Promise<number>;

/** The default when no command is named. */
const serve = async (): Promise<Command> => mcp;

/** Loads commands lazily, except the server. A command wins over a directory of the same name. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  mcp: serve,
  up: async () => (await import("./commands/up.ts")).up,
  status: async () => (await import("./commands/status.ts")).status,
  stop: async () => (await import("./commands/stop.ts")).stop,
  token: async () => (await import("./commands/token.ts")).token,
  rpc: async () => (await import("./commands/rpc.ts")).rpc,
  install: async () => (await import("./commands/install.ts")).install,
  call: async () => (await import("./commands/call.ts")).call,
  tools: async () => (await import("./commands/tools.ts")).tools,
  read: async () => (await import("./commands/view.ts")).view("read"),
  ls: async () => (await import("./commands/view.ts")).view("ls"),
  tree: async () => (await import("./commands/view.ts")).view("tree"),
  find: async () => (await import("./commands/view.ts")).view("find"),
  grep: async () => (await import("./commands/view.ts")).view("grep"),
  edit: async () => (await import("./commands/view.ts")).view("edit"),
  file: async () => (await import("./commands/file.ts")).file,
  history: async () => (await import("./commands/history.ts")).history,
  undo: async () => (await import("./commands/undo.ts")).undo,
  diff: async () => (await import("./commands/diff.ts")).diff,
  trash: async () => (await import("./commands/trash.ts")).trash,
  jobs: async () => (await import("./commands/jobs.ts")).jobs,
  approvals: async () => (await import("./commands/approvals.ts")).approvals,
  audit: async () => (await import("./commands/audit.ts")).audit,
  config: async () => (await import("./commands/config.ts")).config,
  policy: async () => (await import("./commands/policy.ts")).policy,
  watch: async () => (await import("./commands/watch.ts")).watch,
  demo: async () => (await import("./commands/demo.ts")).demo,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  completion: async () => (await import("./commands/completion.ts")).completion,
  help: async () => (await import("./commands/help.ts")).help,
};

async function main(argv: readonly string[]): Promise<number> {
  const settings = readSettings(argv, process.env);
  const [first = "", ...others] = settings.words;
  // A word before --help is the command to explain, unless it is a path to serve.
  const load = isCommand(first) ? COMMANDS[first] : undefined;
  if (settings.help || settings.version)
    return (await import("./commands/help.ts")).help({ ...settings, words: load || isNoPath(first) ? [first] : [] });
  if (!load) checkCommand(settings.words);
  settings.checkFor(load ? first : "mcp");
  const words = load ? others : settings.words;
  const command = await (load ?? serve)();
  if (command === mcp) checkDirectory(words);
  await requirePersonFor(load ? first : "mcp", { ...settings, words });
  return command({ ...settings, words });
}

const isCommand = (word: string): word is CommandName => Object.hasOwn(COMMANDS, word);

const isNoPath = (word: string): boolean => /^[\w-]+$/.test(word) && !existsSync(word);

/** Throws for a first word that is neither a command nor an existing path: it is a mistyped command. */
function checkCommand(words: readonly string[]): void {
  const [first = ""] = words;
  if (!isNoPath(first)) return;
  const meant = meantBy(first);
  // Unusable directories are skipped when others are usable, so beside one only a similar word counts as a command.
  if (meant.length === 0 && words.some((word) => existsSync(word))) return;
  const help = meant.length === 0 ? "holdfast help lists the commands." : `did you mean ${quotedCommands(meant)}?`;
  throw new Fault(
    "invalid_input",
    `Cannot run "${first}": there is no such command; ${help} To serve a directory of that name: holdfast ./${first}`,
  );
}

/** Throws for `holdfast mcp <word>` if the word is no directory but similar to a tool or a command. */
function checkDirectory([first = ""]: readonly string[]): void {
  const meant = isNoPath(first) ? meantBy(first) : [];
  if (meant.length === 0) return;
  throw new Fault(
    "invalid_input",
    `Cannot serve "${first}": it does not exist; did you mean ${quotedCommands(meant)}?`,
  );
}

/** Suggests what may follow "holdfast" instead of a word: the call of a tool, or the most similar commands. */
function meantBy(word: string): readonly string[] {
  const tool = SHELL_NAMES.get(word) ?? word;
  if (isCommand(tool)) return [tool];
  if (isTool(tool)) return [`call ${tool} '<json>'`];
  const commands = Object.keys(COMMANDS).toSorted();
  const begun = commands.filter((name) => name.startsWith(word));
  return [...new Set([...begun, ...similarTo(word, commands)])].slice(0, LIMITS.shownCommands);
}

/** Maps programs that people know to the tools that do the same. */
const SHELL_NAMES: ReadonlyMap<string, string> = new Map([
  ["cat", "read"],
  ["cp", "copy"],
  ["mv", "move"],
  ["rm", "delete"],
]);

const isTool = (word: string): boolean => CATALOGUE.some(({ name }) => name === word);

const quotedCommands = (meant: readonly string[]): string => meant.map((words) => `"holdfast ${words}"`).join(" or ");

const asFileError = (fault: Fault): string =>
  JSON.stringify({ status: "error", error: { code: "INVALID_ARGUMENT", message: faultText(fault) } });

/** A function because the bundled program is CommonJS, which has no top-level await. */
async function run(): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    if (!isFault(error)) throw error;
    if (isFileScript(process.argv.slice(2), process.env)) process.stderr.write(`${asFileError(error)}\n`);
    else warn(faultText(error));
    process.exitCode = 2;
  }
}

void run();
