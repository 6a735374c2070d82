import { delimiter } from "node:path";
import { parseArgs } from "node:util";
import { Fault } from "../../base/errors.ts";
import { mostSimilar } from "../../text/similar.ts";

/** Every flag there is, and its twin in the environment. This table is also the help text. */
export const FLAGS = {
  root: {
    type: "string",
    multiple: true,
    env: "HOLDFAST_ROOT",
    value: "<dir>",
    help: "A directory the agent may use; may be repeated",
  },
  "read-only": { type: "boolean", env: "HOLDFAST_READ_ONLY", help: "Nothing can be changed" },
  "context-window": {
    type: "string",
    env: "HOLDFAST_CONTEXT_WINDOW",
    value: "<tokens>",
    help: "What the model can hold; sets the size of a page",
  },
  "loop-detection": {
    type: "string",
    env: "HOLDFAST_LOOP_DETECTION",
    value: "<on|off>",
    help: "Refuse endless repetition (on)",
  },
  state: { type: "string", env: "HOLDFAST_STATE", value: "<dir>", help: "Where audit log and other state live" },
  json: { type: "boolean", env: "HOLDFAST_JSON", help: "With call: print the structured output" },
  help: { type: "boolean", short: "h", help: "Show this help" },
  version: { type: "boolean", short: "v", help: "Show the version" },
} as const;

/** What the command line and the environment said, checked. */
export interface Settings {
  /** The directories of the command line; else those of the environment; else, where a command has one, its own. */
  rootsWith(words: readonly string[], otherwise?: string): readonly string[];
  /** Words that are no flags, in order; commands take theirs from here. */
  readonly words: readonly string[];
  /** Structured output instead of text. */
  readonly json: boolean;
  readonly readOnly: boolean;
  readonly contextWindow: number | undefined;
  readonly loopDetection: boolean;
  readonly stateDirectory: string | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** A flag on the command line wins over its twin in the environment. */
export function readSettings(argv: readonly string[], env: Env): Settings {
  const { values, positionals } = parseWords(argv);
  const said = (flag: Twin): Said | undefined => {
    const value = values[flag];
    if (value !== undefined) return { by: `--${flag}`, value: String(value) };
    const byEnv = env[FLAGS[flag].env];
    return byEnv ? { by: FLAGS[flag].env, value: byEnv } : undefined;
  };
  return {
    rootsWith(words, otherwise) {
      const named = [...(values.root ?? []), ...words];
      if (named.length > 0) return named;
      const fromEnv = env[FLAGS.root.env]?.split(delimiter).filter(Boolean) ?? [];
      return fromEnv.length > 0 || otherwise === undefined ? fromEnv : [otherwise];
    },
    words: positionals,
    json: switchOf(said("json")) ?? false,
    readOnly: switchOf(said("read-only")) ?? false,
    contextWindow: tokensOf(said("context-window")),
    loopDetection: switchOf(said("loop-detection")) ?? true,
    stateDirectory: said("state")?.value,
    help: values.help ?? false,
    version: values.version ?? false,
  };
}

type Twin = "read-only" | "json" | "context-window" | "loop-detection" | "state";

/** A value, and where the operator wrote it. */
interface Said {
  readonly by: string;
  readonly value: string;
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

const firstSentence = (text: string): string => text.split(/\. |\n/, 1)[0] as string;

function tokensOf(said: Said | undefined): number | undefined {
  if (said === undefined) return undefined;
  const tokens = Number(said.value);
  if (Number.isInteger(tokens) && tokens > 0) return tokens;
  throw unusable(said, "give a number of tokens, such as 200000");
}

function switchOf(said: Said | undefined): boolean | undefined {
  if (said === undefined) return undefined;
  const isOn = ON.includes(said.value);
  if (isOn || OFF.includes(said.value)) return isOn;
  throw unusable(said, "give on or off");
}

const ON = ["on", "true", "yes", "1"];
const OFF = ["off", "false", "no", "0"];

const unusable = ({ by, value }: Said, help: string): Fault =>
  new Fault("invalid_input", `Cannot use ${by} ${JSON.stringify(value)}: ${help}`);
