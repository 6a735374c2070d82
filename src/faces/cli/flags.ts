import { delimiter } from "node:path";
import { parseArgs } from "node:util";
import { Fault } from "../../base/errors.ts";
import { parseDuration, isoOf } from "../../base/time.ts";
import { EXEC_SECURITIES, type ExecSecurity } from "../../base/verdicts.ts";
import { type ProfileName, PROFILES } from "../../runtime/tools/profiles.ts";
import type { Settings } from "../../app/settings.ts";
import { DIALECT_NAMES } from "../../dialects/load.ts";
import { FILE_FLAGS, type FileFlags, fileFlagsOf } from "./file-flags.ts";
import { serverArgsOf } from "./install/server-args.ts";
import { INSTALL_FLAGS, type InstallFlags, installFlagsOf } from "./install-flags.ts";
import { ownCommand } from "./program.ts";
import { SERVER_FLAGS, type ServerFlags, serverFlagsOf } from "./server-flags.ts";
import type { AgentContext } from "../../runtime/tools/filter-steps.ts";
import { mostSimilar } from "../../text/did-you-mean.ts";
import { NAME_AND_DIRECTORY, sourcesOf } from "./named-sources.ts";
import { type ValueWithOrigin, unusableValueFault } from "./value-with-origin.ts";
import { VIEW_FLAGS, type ViewFlags, viewFlagsOf } from "./view-flags.ts";

/** Lists every flag with its environment variable. The help text is made from this table. */
export const FLAGS = {
  root: {
    type: "string",
    multiple: true,
    env: "HOLDFAST_ROOT",
    key: "roots",
    value: "<dir>",
    help: "Give the agent this directory; may be repeated",
  },
  source: {
    type: "string",
    multiple: true,
    env: "HOLDFAST_SOURCE",
    key: "sources",
    value: "<name=dir>",
    help: "Name a directory, for fractary; may be repeated. In holdfast file, <name> alone selects one",
  },
  dialect: {
    type: "string",
    env: "HOLDFAST_DIALECT",
    key: "dialect",
    value: "<name>",
    help: `Offer the tools of another system: ${DIALECT_NAMES.join(", ")} (mcp, call, tools)`,
  },
  roots: {
    type: "string",
    env: "HOLDFAST_ROOTS",
    value: "<intersect|replace>",
    help: "With mcp-filesystem, let a client's roots replace the directories (default) or select among them",
  },
  profile: {
    type: "string",
    env: "HOLDFAST_PROFILE",
    key: "tools.profile",
    value: "<name>",
    help: "Select the tools: minimal, readonly, messaging, files (default), coding or full",
  },
  exec: {
    type: "string",
    env: "HOLDFAST_EXEC",
    key: "tools.exec.security",
    value: "<mode>",
    help: "Let the agent run commands: deny (default), allowlist (known ones; others ask) or full",
  },
  agent: { type: "string", env: "HOLDFAST_AGENT", value: "<id>", help: "Name the agent of the session" },
  provider: {
    type: "string",
    env: "HOLDFAST_PROVIDER",
    value: "<provider[/model]>",
    help: "Name the model of the session, such as openai/gpt-5.2",
  },
  group: { type: "string", env: "HOLDFAST_GROUP", value: "<id>", help: "Name the group chat that the agent is in" },
  depth: {
    type: "string",
    env: "HOLDFAST_DEPTH",
    value: "<n>",
    help: "Set the depth of a sub-agent: 1, or 2 for a sub-agent of that",
  },
  owner: { type: "boolean", env: "HOLDFAST_OWNER", help: "Say that the user owns the agent" },
  config: {
    type: "string",
    env: "HOLDFAST_CONFIG",
    value: "<file>",
    help: "Read this file instead of the user's own configuration file",
  },
  "read-only": { type: "boolean", env: "HOLDFAST_READ_ONLY", key: "readOnly", help: "Refuse all changes" },
  "context-window": {
    type: "string",
    env: "HOLDFAST_CONTEXT_WINDOW",
    key: "contextWindow",
    value: "<tokens>",
    help: "Set the context window of the model, which sets the page size",
  },
  "loop-detection": {
    type: "string",
    env: "HOLDFAST_LOOP_DETECTION",
    key: "tools.loopDetection.enabled",
    value: "<on|off>",
    help: "Refuse endless repetition (default on)",
  },
  "approval-wait": {
    type: "string",
    env: "HOLDFAST_APPROVAL_WAIT",
    key: "approvals.waitSeconds",
    value: "<seconds>",
    help: "Set how long a call waits for an approval before it returns as pending (default 50)",
  },
  durability: {
    type: "string",
    env: "HOLDFAST_DURABILITY",
    key: "durability",
    value: "<process|power>",
    help: "Make changes survive the end of a process (default), or a power cut as well",
  },
  "trash-hours": {
    type: "string",
    env: "HOLDFAST_TRASH_HOURS",
    key: "trashHours",
    value: "<hours>",
    help: "Keep deleted files this long (default: agents 24, command line 168)",
  },
  state: {
    type: "string",
    env: "HOLDFAST_STATE",
    key: "stateDirectory",
    value: "<dir>",
    help: "Store history, trash and audit log in this directory",
  },
  json: { type: "boolean", env: "HOLDFAST_JSON", help: "Print structured output (not for mcp, rpc and demo)" },
  limit: {
    type: "string",
    value: "<n>",
    only: ["history", "audit", "read", "ls", "tree", "find", "grep"],
    help: "Show at most this many changes or calls (default 20), lines, entries or matches",
  },
  session: {
    type: "string",
    value: "<id>",
    only: ["history", "undo", "audit"],
    help: "Select the changes or calls of this session; its first characters are enough",
  },
  since: {
    type: "string",
    value: "<time>",
    only: ["history", "undo", "audit"],
    help: "Select changes or calls since: 90s, 10m, 2h, 1d, or a time such as 2026-01-31T09:30",
  },
  tool: {
    type: "string",
    value: "<name>",
    only: ["audit"],
    help: "Show only calls of this tool, group or glob",
  },
  code: {
    type: "string",
    value: "<code>",
    only: ["audit"],
    help: "Show only calls with this code: ok, denied, not_found …",
  },
  path: { type: "string", value: "<path>", only: ["undo"], help: "Undo only changes to this path" },
  "dry-run": {
    type: "boolean",
    only: ["undo", "trash", "install", "edit"],
    help: "Show what would happen without changing anything",
  },
  all: {
    type: "boolean",
    only: ["history", "undo", "trash", "audit", "jobs", "install"],
    help: "Include all directories, not only this one (trash purge: all items here; audit: your own reads, too; install: all clients found)",
  },
  expired: { type: "boolean", only: ["trash"], help: "Purge expired items" },
  "give-up": {
    type: "string",
    value: "<id>",
    only: ["doctor"],
    help: "Leave the files of an interrupted change as they are, if its directories are gone for good",
  },
  ...FILE_FLAGS,
  to: { type: "string", value: "<path>", only: ["trash"], help: "Restore to this path instead of the original one" },
  pattern: { type: "string", value: "<glob>", only: ["file"], help: "List only matching files" },
  recursive: { type: "boolean", only: ["file"], help: "List subdirectories as well" },
  ...INSTALL_FLAGS,
  ...VIEW_FLAGS,
  ...SERVER_FLAGS,
  help: { type: "boolean", short: "h", help: "Show this help" },
  version: { type: "boolean", short: "v", help: "Show the version" },
} as const;

/** Holds the checked values of the command line and the environment. */
export interface CliSettings extends Settings {
  /** The source to use, which is a `--source` without a directory. */
  readonly source: string | undefined;
  /** The positional arguments, in order. */
  readonly words: readonly string[];
  /** Prints structured output instead of text. */
  readonly json: boolean;
  /** Decides what a client's roots do. */
  readonly rootsMode: "intersect" | "replace" | undefined;
  /** The number of changes or calls to show. */
  readonly limit: number | undefined;
  /** Select changes by session, time and path. */
  readonly session: string | undefined;
  readonly since: string | undefined;
  readonly path: string | undefined;
  /** Select calls by tool and code. */
  readonly tool: string | undefined;
  readonly code: string | undefined;
  readonly dryRun: boolean;
  /** Include all directories of the user, or select everything in the trash. */
  readonly all: boolean;
  readonly expired: boolean;
  /** The interrupted change that is given up. */
  readonly giveUp: string | undefined;
  /** The flags of `holdfast file` and `holdfast trash restore`. */
  readonly filing: FileFlags;
  /** The flags of `holdfast install`, and those of the command line that a server takes as well. */
  readonly installing: InstallFlags & { readonly serverArgs: readonly string[] };
  /** The flags of commands that make one call, such as `holdfast grep`. */
  readonly viewing: ViewFlags;
  /** The flags of `holdfast up` and `holdfast mcp --connect`. */
  readonly server: ServerFlags;
  readonly help: boolean;
  readonly version: boolean;
  /** Throws when the command line has a flag that does not apply to this command, because it must not be ignored. */
  checkFor(command: string): void;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Separates roots like PATH, but not the scheme of a URL from the rest. */
const BETWEEN_ROOTS = new RegExp(`${delimiter}(?!//)`);

/** Reads the settings. A flag on the command line wins over its environment variable. */
export function readSettings(argv: readonly string[], env: Env): CliSettings {
  const { values, positionals } = parseWords(argv);
  const given = (name: EnvFlag): ValueWithOrigin | undefined => {
    const value = values[name];
    if (value !== undefined) return { origin: `--${name}`, value: String(value) };
    const inherited = env[FLAGS[name].env];
    return inherited ? { origin: FLAGS[name].env, value: inherited } : undefined;
  };
  const { sources, source, setBy: sourcesBy } = sourcesOf(values.source ?? [], env[FLAGS.source.env]);
  return {
    rootsWith(words) {
      const named = [...(values.root ?? []), ...words];
      return named.length > 0 ? named : (env[FLAGS.root.env]?.split(BETWEEN_ROOTS).filter(Boolean) ?? []);
    },
    sources,
    source,
    words: positionals,
    setBy: (key) => {
      if (key === FLAGS.source.key) return sourcesBy;
      const [name, { env: variable }] = CONFIG_FLAGS.find(([, each]) => each.key === key) ?? ["", { env: "" }];
      return Object.hasOwn(values, name) ? `--${name}` : env[variable] ? variable : undefined;
    },
    cliCommand: ownCommand,
    configFile: given("config")?.value,
    json: switchOf(given("json")) ?? false,
    dialectName: given("dialect")?.value,
    rootsMode: oneOf(given("roots"), ["intersect", "replace"], "; use --root for a directory"),
    readOnly: switchOf(given("read-only")) ?? false,
    profile: oneOf(given("profile"), Object.keys(PROFILES) as ProfileName[]),
    exec: execOf(oneOf(given("exec"), EXEC_SECURITIES)),
    agentContext: agentContextOf(given),
    contextWindow: numberOf(given("context-window"), "a number of tokens, such as 200000"),
    loopDetection: switchOf(given("loop-detection")) ?? true,
    approvalWaitMs: millisecondsOf(given("approval-wait")),
    stateDirectory: given("state")?.value,
    durability: oneOf(given("durability"), ["process", "power"]),
    trashHours: numberOf(given("trash-hours"), "a number of hours, such as 48"),
    limit: numberOf(valueOfFlag("limit", values.limit), "how many changes to show, such as 50"),
    session: values.session,
    since: timeOf(valueOfFlag("since", values.since)),
    path: values.path,
    tool: values.tool,
    code: values.code,
    dryRun: values["dry-run"] ?? false,
    all: values.all ?? false,
    expired: values.expired ?? false,
    giveUp: values["give-up"],
    filing: fileFlagsOf(values),
    installing: { ...installFlagsOf(values), serverArgs: serverArgsOf(values, FLAGS) },
    viewing: viewFlagsOf(values),
    server: serverFlagsOf(values),
    help: values.help ?? false,
    version: values.version ?? false,
    checkFor(command) {
      checkFlags(Object.keys(values), command);
      if (source !== undefined && command !== "file")
        throw unusableValueFault({ origin: "--source", value: source }, NAME_AND_DIRECTORY);
    },
  };
}

const execOf = (security: ExecSecurity | undefined): Settings["exec"] => security && { security };

const agentContextOf = (given: (flag: EnvFlag) => ValueWithOrigin | undefined): AgentContext => ({
  agent: given("agent")?.value,
  ...modelOf(given("provider")?.value),
  group: given("group")?.value,
  depth: numberOf(given("depth"), "how deep the sub-agent is, such as 1"),
  isOwner: switchOf(given("owner")) ?? false,
});

/** Names the flags that have an environment variable with a single value. */
type EnvFlag = Exclude<
  { [Name in keyof typeof FLAGS]: (typeof FLAGS)[Name] extends { env: string } ? Name : never }[keyof typeof FLAGS],
  "root" | "source"
>;

/** Lists the flags that set a key of the configuration. */
const CONFIG_FLAGS = Object.entries(FLAGS).flatMap(([name, flag]) => ("key" in flag ? [[name, flag] as const] : []));

const valueOfFlag = (name: string, value: string | undefined): ValueWithOrigin | undefined =>
  value === undefined ? undefined : { origin: `--${name}`, value };

function checkFlags(given: readonly string[], command: string): void {
  for (const name of given) {
    const { only } = FLAGS[name as keyof typeof FLAGS] as { readonly only?: readonly string[] };
    if (only === undefined || only.includes(command)) continue;
    const commands = only.map((each) => `holdfast ${each}`).join(" and ");
    throw new Fault("invalid_input", `Cannot use --${name} with holdfast ${command}: it belongs to ${commands}`);
  }
}

function parseWords(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: FLAGS, allowPositionals: true });
  } catch (error) {
    const [, unknown] = /option '--?([^' ]+)/.exec(String(error)) ?? [];
    const meant = unknown === undefined ? undefined : mostSimilar(unknown, Object.keys(FLAGS));
    const help = meant === undefined ? "see holdfast --help" : `did you mean --${meant}?`;
    throw new Fault(
      "invalid_input",
      `Cannot read the command line: ${firstSentence((error as Error).message)}; ${help}`,
    );
  }
}

/** Returns true for `holdfast file --json`, even on a wrong command line: then errors are JSON as well. */
export function isFileScript(argv: readonly string[], env: Env): boolean {
  const { values, positionals } = parseArgs({ args: [...argv], options: FLAGS, allowPositionals: true, strict: false });
  return positionals[0] === "file" && (values.json !== undefined || ON.includes(env[FLAGS.json.env] ?? ""));
}

const firstSentence = (text: string): string => text.split(/\. |\n/, 1)[0] as string;

function numberOf(given: ValueWithOrigin | undefined, expected: string): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given.value);
  if (Number.isInteger(number) && number > 0) return number;
  throw unusableValueFault(given, `give ${expected}`);
}

/** Accepts 0, which means not to wait at all. */
function millisecondsOf(given: ValueWithOrigin | undefined): number | undefined {
  if (given?.value === "0") return 0;
  const seconds = numberOf(given, "a number of seconds, such as 30");
  return seconds === undefined ? undefined : seconds * 1000;
}

function oneOf<Choice extends string>(
  given: ValueWithOrigin | undefined,
  choices: readonly Choice[],
  more = "",
): Choice | undefined {
  const found = choices.find((each) => each === given?.value);
  if (given === undefined || found !== undefined) return found;
  throw unusableValueFault(given, `give ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}${more}`);
}

/** Splits "provider/model". The model is optional. */
function modelOf(provider = ""): Pick<AgentContext, "provider" | "model"> {
  const slash = provider.indexOf("/");
  if (slash < 0) return provider === "" ? {} : { provider };
  return { provider: provider.slice(0, slash), model: provider.slice(slash + 1) };
}

/** Parses a time, or a duration before now. */
function timeOf(given: ValueWithOrigin | undefined): string | undefined {
  if (given === undefined) return undefined;
  const agoMs = parseDuration(given.value);
  const timeMs = agoMs === undefined ? Date.parse(given.value) : Date.now() - agoMs;
  if (!Number.isNaN(timeMs)) return isoOf(timeMs);
  throw unusableValueFault(given, "give a time such as 2026-01-31T09:30, or how long ago, such as 10m, 2h or 1d");
}

function switchOf(given: ValueWithOrigin | undefined): boolean | undefined {
  if (given === undefined) return undefined;
  const isOn = ON.includes(given.value);
  if (isOn || OFF.includes(given.value)) return isOn;
  throw unusableValueFault(given, "give on or off");
}

const ON = ["on", "true", "yes", "1"];
const OFF = ["off", "false", "no", "0"];
