import { delimiter } from "node:path";
import { parseArgs } from "node:util";
import { Fault } from "../../base/errors.ts";
import { durationIn, isoOf } from "../../base/time.ts";
import { type ProfileName, PROFILES } from "../../runtime/tools/profiles.ts";
import type { Settings } from "../../app/settings.ts";
import { ownCommand } from "./program.ts";
import type { AgentContext } from "../../runtime/tools/steps.ts";
import { mostSimilar } from "../../text/did-you-mean.ts";
import { NAME_AND_DIRECTORY, sourcesOf } from "./named-sources.ts";
import { type ValueWithOrigin, unusableValueFault } from "./value-with-origin.ts";

/** Every flag there is, and its twin in the environment. This table is also the help text. */
export const FLAGS = {
  root: {
    type: "string",
    multiple: true,
    env: "HOLDFAST_ROOT",
    key: "roots",
    value: "<dir>",
    help: "A directory the agent may use; may be repeated",
  },
  source: {
    type: "string",
    multiple: true,
    env: "HOLDFAST_SOURCE",
    key: "sources",
    value: "<name=dir>",
    help: "A directory with a name, for fractary; may be repeated. In holdfast file, <name> alone says which to use",
  },
  dialect: {
    type: "string",
    env: "HOLDFAST_DIALECT",
    key: "dialect",
    value: "<name>",
    help: "Speak as another system: capabilities, fractary, mcp-filesystem or picoclaw (mcp, call, tools)",
  },
  roots: {
    type: "string",
    env: "HOLDFAST_ROOTS",
    value: "<intersect|replace>",
    help: "With mcp-filesystem, roots of a client replace the directories (default) or choose among them",
  },
  profile: {
    type: "string",
    env: "HOLDFAST_PROFILE",
    key: "tools.profile",
    value: "<name>",
    help: "Which tools are shown: minimal, readonly, messaging, files (default), coding or full",
  },
  agent: { type: "string", env: "HOLDFAST_AGENT", value: "<id>", help: "The agent that the session is for" },
  provider: {
    type: "string",
    env: "HOLDFAST_PROVIDER",
    value: "<provider[/model]>",
    help: "The model that the session is for, such as openai/gpt-5.2",
  },
  group: { type: "string", env: "HOLDFAST_GROUP", value: "<id>", help: "The group that the agent talks in" },
  depth: {
    type: "string",
    env: "HOLDFAST_DEPTH",
    value: "<n>",
    help: "For a sub-agent: 1, for a sub-agent of that: 2",
  },
  owner: { type: "boolean", env: "HOLDFAST_OWNER", help: "The owner of the agent is the one who asks" },
  config: {
    type: "string",
    env: "HOLDFAST_CONFIG",
    value: "<file>",
    help: "What to read instead of the user's own configuration file",
  },
  "read-only": { type: "boolean", env: "HOLDFAST_READ_ONLY", key: "readOnly", help: "Nothing can be changed" },
  "context-window": {
    type: "string",
    env: "HOLDFAST_CONTEXT_WINDOW",
    key: "contextWindow",
    value: "<tokens>",
    help: "What the model can hold; sets the size of a page",
  },
  "loop-detection": {
    type: "string",
    env: "HOLDFAST_LOOP_DETECTION",
    key: "tools.loopDetection.enabled",
    value: "<on|off>",
    help: "Refuse endless repetition (on)",
  },
  "approval-wait": {
    type: "string",
    env: "HOLDFAST_APPROVAL_WAIT",
    key: "approvals.waitSeconds",
    value: "<seconds>",
    help: "How long a call waits for a yes before it says that it is pending (50)",
  },
  durability: {
    type: "string",
    env: "HOLDFAST_DURABILITY",
    key: "durability",
    value: "<process|power>",
    help: "What a change survives: the end of a process (default), or a power cut as well",
  },
  "trash-hours": {
    type: "string",
    env: "HOLDFAST_TRASH_HOURS",
    key: "trashHours",
    value: "<hours>",
    help: "How long what is deleted can be brought back (agents 24, command line 168)",
  },
  state: {
    type: "string",
    env: "HOLDFAST_STATE",
    key: "stateDirectory",
    value: "<dir>",
    help: "Where history, trash and audit log live",
  },
  json: { type: "boolean", env: "HOLDFAST_JSON", help: "Print structured output (not for mcp, rpc and demo)" },
  limit: { type: "string", value: "<n>", only: ["history", "audit"], help: "How many changes or calls to show (20)" },
  session: {
    type: "string",
    value: "<id>",
    only: ["history", "undo", "audit"],
    help: "All changes or calls of this session; its first characters will do",
  },
  since: {
    type: "string",
    value: "<time>",
    only: ["history", "undo", "audit"],
    help: "All changes or calls since: 90s, 10m, 2h, 1d, or a time such as 2026-01-31T09:30",
  },
  tool: {
    type: "string",
    value: "<name>",
    only: ["audit"],
    help: "Only calls of this tool; a group or a glob will do",
  },
  code: { type: "string", value: "<code>", only: ["audit"], help: "Only calls that ended so: ok, denied, not_found …" },
  path: { type: "string", value: "<path>", only: ["undo"], help: "Take back only what was done to this path" },
  "dry-run": { type: "boolean", only: ["undo", "trash"], help: "Show what would happen, change nothing" },
  all: { type: "boolean", only: ["trash", "audit"], help: "Purge everything; show your own look-ups, too" },
  expired: { type: "boolean", only: ["trash"], help: "Purge what is past its time" },
  content: { type: "string", value: "<text>", only: ["file"], help: "What to write" },
  file: { type: "string", value: "<path>", only: ["file"], help: "A local file that holds what to write" },
  encoding: {
    type: "string",
    value: "<name>",
    only: ["file"],
    help: 'Of the text, such as latin1; "base64" for bytes',
  },
  overwrite: { type: "boolean", only: ["file", "trash"], help: "Replace a file that exists" },
  to: { type: "string", value: "<path>", only: ["trash"], help: "Where to restore it, if not where it was" },
  pattern: { type: "string", value: "<glob>", only: ["file"], help: "Which files to list" },
  recursive: { type: "boolean", only: ["file"], help: "List what is in directories too" },
  help: { type: "boolean", short: "h", help: "Show this help" },
  version: { type: "boolean", short: "v", help: "Show the version" },
} as const;

/** What the command line and the environment say, checked. */
export interface CliSettings extends Settings {
  /** The name alone that was said as well: which of them is meant. */
  readonly source: string | undefined;
  /** Words that are no flags, in order; commands take theirs from here. */
  readonly words: readonly string[];
  /** Structured output instead of text. */
  readonly json: boolean;
  /** What directories of a client mean. */
  readonly rootsMode: "intersect" | "replace" | undefined;
  /** How many changes to show. */
  readonly limit: number | undefined;
  /** Which changes are meant: those of one session, since a time, at one path. */
  readonly session: string | undefined;
  readonly since: string | undefined;
  readonly path: string | undefined;
  /** Which calls are meant: of which tool, and with which end. */
  readonly tool: string | undefined;
  readonly code: string | undefined;
  readonly dryRun: boolean;
  /** What to purge, or to show. */
  readonly all: boolean;
  readonly expired: boolean;
  /** What `holdfast file` takes, and `holdfast trash restore`. */
  readonly filing: FileFlags;
  readonly help: boolean;
  readonly version: boolean;
  /** Throws when the command line has a flag that means nothing to this command: it must not be passed over. */
  checkFor(command: string): void;
}

/** What to write, and how; what to list. */
export interface FileFlags {
  readonly content?: string | undefined;
  /** A local file with the content. */
  readonly file?: string | undefined;
  readonly encoding?: string | undefined;
  readonly overwrite?: boolean | undefined;
  /** Where to restore something. */
  readonly to?: string | undefined;
  readonly pattern?: string | undefined;
  readonly recursive?: boolean | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** A flag on the command line wins over its twin in the environment. */
export function readSettings(argv: readonly string[], env: Env): CliSettings {
  const { values, positionals } = parseWords(argv);
  const said = (flagValue: EnvFlag): ValueWithOrigin | undefined => {
    const value = values[flagValue];
    if (value !== undefined) return { origin: `--${flagValue}`, value: String(value) };
    const byEnv = env[FLAGS[flagValue].env];
    return byEnv ? { origin: FLAGS[flagValue].env, value: byEnv } : undefined;
  };
  const { sources, source, setBy: sourcesBy } = sourcesOf(values.source ?? [], env[FLAGS.source.env]);
  return {
    rootsWith(words) {
      const named = [...(values.root ?? []), ...words];
      return named.length > 0 ? named : (env[FLAGS.root.env]?.split(delimiter).filter(Boolean) ?? []);
    },
    sources,
    source,
    words: positionals,
    setBy: (key) => {
      if (key === FLAGS.source.key) return sourcesBy;
      const [name, { env: twin }] = CONFIG_FLAGS.find(([, each]) => each.key === key) ?? ["", { env: "" }];
      return Object.hasOwn(values, name) ? `--${name}` : env[twin] ? twin : undefined;
    },
    program: ownCommand,
    configFile: said("config")?.value,
    json: switchOf(said("json")) ?? false,
    dialectName: said("dialect")?.value,
    rootsMode: oneOf(said("roots"), ["intersect", "replace"], "; a directory goes behind --root"),
    readOnly: switchOf(said("read-only")) ?? false,
    profile: oneOf(said("profile"), Object.keys(PROFILES) as ProfileName[]),
    standing: agentContextOf(said),
    contextWindow: numberOf(said("context-window"), "a number of tokens, such as 200000"),
    loopDetection: switchOf(said("loop-detection")) ?? true,
    approvalWaitMs: millisecondsOf(said("approval-wait")),
    stateDirectory: said("state")?.value,
    durability: oneOf(said("durability"), ["process", "power"]),
    trashHours: numberOf(said("trash-hours"), "a number of hours, such as 48"),
    limit: numberOf(flag("limit", values.limit), "how many changes to show, such as 50"),
    session: values.session,
    since: timeOf(flag("since", values.since)),
    path: values.path,
    tool: values.tool,
    code: values.code,
    dryRun: values["dry-run"] ?? false,
    all: values.all ?? false,
    expired: values.expired ?? false,
    filing: fileFlagsOf(values),
    help: values.help ?? false,
    version: values.version ?? false,
    checkFor(command) {
      checkFlags(Object.keys(values), command);
      if (source !== undefined && command !== "file")
        throw unusableValueFault({ origin: "--source", value: source }, NAME_AND_DIRECTORY);
    },
  };
}

const agentContextOf = (said: (flag: EnvFlag) => ValueWithOrigin | undefined): AgentContext => ({
  agent: said("agent")?.value,
  ...modelOf(said("provider")?.value),
  group: said("group")?.value,
  depth: numberOf(said("depth"), "how deep the sub-agent is, such as 1"),
  isOwner: switchOf(said("owner")) ?? false,
});

const fileFlagsOf = ({ content, file, encoding, overwrite, to, pattern, recursive }: FileFlags): FileFlags => ({
  content,
  file,
  encoding,
  overwrite,
  to,
  pattern,
  recursive,
});

/** A flag with a variable that is no list. */
type EnvFlag = Exclude<
  { [Name in keyof typeof FLAGS]: (typeof FLAGS)[Name] extends { env: string } ? Name : never }[keyof typeof FLAGS],
  "root" | "source"
>;
/** Flags that set a key of the configuration. */
const CONFIG_FLAGS = Object.entries(FLAGS).flatMap(([name, flag]) => ("key" in flag ? [[name, flag] as const] : []));

const flag = (name: string, value: string | undefined): ValueWithOrigin | undefined =>
  value === undefined ? undefined : { origin: `--${name}`, value };

function checkFlags(given: readonly string[], command: string): void {
  for (const name of given) {
    const { only } = FLAGS[name as keyof typeof FLAGS] as { readonly only?: readonly string[] };
    if (only === undefined || only.includes(command)) continue;
    const homes = only.map((each) => `holdfast ${each}`).join(" and ");
    throw new Fault("invalid_input", `Cannot use --${name} with holdfast ${command}: it belongs to ${homes}`);
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

/** Whether `holdfast file` was asked for JSON, also on a command line that is wrong: then all that it says is. */
export function isFileScript(argv: readonly string[], env: Env): boolean {
  const { values, positionals } = parseArgs({ args: [...argv], options: FLAGS, allowPositionals: true, strict: false });
  return positionals[0] === "file" && (values.json !== undefined || ON.includes(env[FLAGS.json.env] ?? ""));
}

const firstSentence = (text: string): string => text.split(/\. |\n/, 1)[0] as string;

function numberOf(said: ValueWithOrigin | undefined, what: string): number | undefined {
  if (said === undefined) return undefined;
  const number = Number(said.value);
  if (Number.isInteger(number) && number > 0) return number;
  throw unusableValueFault(said, `give ${what}`);
}

/** Not to wait at all is a choice, too. */
function millisecondsOf(said: ValueWithOrigin | undefined): number | undefined {
  if (said?.value === "0") return 0;
  const seconds = numberOf(said, "a number of seconds, such as 30");
  return seconds === undefined ? undefined : seconds * 1000;
}

function oneOf<Choice extends string>(
  said: ValueWithOrigin | undefined,
  choices: readonly Choice[],
  more = "",
): Choice | undefined {
  const found = choices.find((each) => each === said?.value);
  if (said === undefined || found !== undefined) return found;
  throw unusableValueFault(said, `give ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}${more}`);
}

/** A provider may stand alone; what follows the slash is its model. */
function modelOf(provider = ""): Pick<AgentContext, "provider" | "model"> {
  const slash = provider.indexOf("/");
  if (slash < 0) return provider === "" ? {} : { provider };
  return { provider: provider.slice(0, slash), model: provider.slice(slash + 1) };
}

/** A moment, or how long ago it was. */
function timeOf(said: ValueWithOrigin | undefined): string | undefined {
  if (said === undefined) return undefined;
  const agoMs = durationIn(said.value);
  const timeMs = agoMs === undefined ? Date.parse(said.value) : Date.now() - agoMs;
  if (!Number.isNaN(timeMs)) return isoOf(timeMs);
  throw unusableValueFault(said, "give a time such as 2026-01-31T09:30, or how long ago, such as 10m, 2h or 1d");
}

function switchOf(said: ValueWithOrigin | undefined): boolean | undefined {
  if (said === undefined) return undefined;
  const isOn = ON.includes(said.value);
  if (isOn || OFF.includes(said.value)) return isOn;
  throw unusableValueFault(said, "give on or off");
}

const ON = ["on", "true", "yes", "1"];
const OFF = ["off", "false", "no", "0"];
