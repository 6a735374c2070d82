import { delimiter } from "node:path";
import { expect, it } from "vitest";
import { readSettings } from "../../src/faces/cli/flags.ts";

const NOBODY = { agent: undefined, group: undefined, depth: undefined, isOwner: false };

const DEFAULTS = {
  sources: {},
  filing: {},
  installing: {},
  viewing: {},
  server: { port: 4747, allowedHosts: [], withoutTls: false, background: false, unit: false, qr: false },
  words: [],
  configFile: undefined,
  json: false,
  readOnly: false,
  profile: undefined,
  agentContext: NOBODY,
  contextWindow: undefined,
  loopDetection: true,
  stateDirectory: undefined,
  durability: undefined,
  trashHours: undefined,
  limit: undefined,
  session: undefined,
  since: undefined,
  path: undefined,
  dryRun: false,
  all: false,
  expired: false,
  help: false,
  version: false,
};

const TWO = ["a=x", "b=y=z"];
const TWO_SOURCES = { sources: { a: "x", b: "y=z" } };
const UNDO = { session: "s", path: "p", dryRun: true };

it.each([
  { name: "nothing", argv: [], env: {}, says: {} },
  { name: "words", argv: ["a", "b"], env: {}, says: { words: ["a", "b"] } },
  { name: "an empty environment", argv: [], env: { HOLDFAST_STATE: "", HOLDFAST_CONTEXT_WINDOW: "" }, says: {} },
  { name: "a window", argv: ["--context-window", "1000"], env: {}, says: { contextWindow: 1000 } },
  {
    name: "a window over the environment",
    argv: ["--context-window=1"],
    env: { HOLDFAST_CONTEXT_WINDOW: "2" },
    says: { contextWindow: 1 },
  },
  { name: "no loop detection", argv: ["--loop-detection", "off"], env: {}, says: { loopDetection: false } },
  {
    name: "loop detection after all",
    argv: ["--loop-detection", "on"],
    env: { HOLDFAST_LOOP_DETECTION: "off" },
    says: {},
  },
  { name: "a state directory", argv: [], env: { HOLDFAST_STATE: "s" }, says: { stateDirectory: "s" } },
  {
    name: "a state directory over it",
    argv: ["--state", "t"],
    env: { HOLDFAST_STATE: "s" },
    says: { stateDirectory: "t" },
  },
  { name: "a configuration file", argv: ["--config", "f"], env: { HOLDFAST_CONFIG: "g" }, says: { configFile: "f" } },
  { name: "read-only", argv: ["--read-only", "a"], env: {}, says: { words: ["a"], readOnly: true } },
  { name: "read-only by the environment", argv: [], env: { HOLDFAST_READ_ONLY: "yes" }, says: { readOnly: true } },
  { name: "a profile", argv: ["--profile", "coding"], env: {}, says: { profile: "coding" } },
  { name: "a profile by the environment", argv: [], env: { HOLDFAST_PROFILE: "full" }, says: { profile: "full" } },
  {
    name: "for whom",
    argv: ["--agent", "bob", "--provider", "openai", "--group", "family", "--depth", "2", "--owner"],
    env: {},
    says: { agentContext: { agent: "bob", provider: "openai", group: "family", depth: 2, isOwner: true } },
  },
  {
    name: "for which model, by the environment",
    argv: [],
    env: { HOLDFAST_PROVIDER: "router/meta/llama", HOLDFAST_AGENT: "eve" },
    says: { agentContext: { ...NOBODY, agent: "eve", provider: "router", model: "meta/llama" } },
  },
  {
    name: "a dialect",
    argv: ["--dialect", "picoclaw"],
    env: { HOLDFAST_DIALECT: "x" },
    says: { dialectName: "picoclaw" },
  },
  { name: "a dialect by the environment", argv: [], env: { HOLDFAST_DIALECT: "x" }, says: { dialectName: "x" } },
  { name: "what roots mean", argv: ["--roots=replace"], env: {}, says: { rootsMode: "replace" } },
  { name: "durability", argv: ["--durability", "power"], env: {}, says: { durability: "power" } },
  {
    name: "durability over the environment",
    argv: ["--durability=process"],
    env: { HOLDFAST_DURABILITY: "power" },
    says: { durability: "process" },
  },
  { name: "hours in the trash", argv: ["--trash-hours", "48"], env: {}, says: { trashHours: 48 } },
  { name: "hours by the environment", argv: [], env: { HOLDFAST_TRASH_HOURS: "2" }, says: { trashHours: 2 } },
  { name: "what undo takes", argv: ["--session", "s", "--path", "p", "--dry-run"], env: {}, says: UNDO },
  { name: "a time", argv: ["--since", "2026-01-31T09:30Z"], env: {}, says: { since: "2026-01-31T09:30:00.000Z" } },
  { name: "a limit", argv: ["--limit", "5"], env: {}, says: { limit: 5 } },
  { name: "what purge takes", argv: ["--all", "--expired"], env: {}, says: { all: true, expired: true } },
  { name: "JSON", argv: ["--json"], env: {}, says: { json: true } },
  { name: "JSON by the environment", argv: [], env: { HOLDFAST_JSON: "1" }, says: { json: true } },
  { name: "sources", argv: TWO.flatMap((each) => ["--source", each]), env: {}, says: TWO_SOURCES },
  { name: "sources by the environment", argv: [], env: { HOLDFAST_SOURCE: TWO.join(delimiter) }, says: TWO_SOURCES },
  {
    name: "a source by name",
    argv: ["--source", "a"],
    env: { HOLDFAST_SOURCE: "a=x" },
    says: { sources: { a: "x" }, source: "a" },
  },
  {
    name: "what file takes",
    argv: ["--content", "x", "--encoding=latin1", "--overwrite", "--pattern", "*.md", "--recursive"],
    env: {},
    says: { filing: { content: "x", encoding: "latin1", overwrite: true, pattern: "*.md", recursive: true } },
  },
  {
    name: "what install takes",
    argv: ["--list", "--print", "--remove", "--project", "--http", "http://x", "--name", "n"],
    env: {},
    says: { installing: { list: true, print: true, remove: true, project: true, http: "http://x", name: "n" } },
  },
  {
    name: "what grep takes",
    argv: ["-iFC", "3", "-g", "*.ts", "--no-ignore"],
    env: {},
    says: { viewing: { "ignore-case": true, fixed: true, context: "3", glob: "*.ts", "no-ignore": true } },
  },
  { name: "help", argv: ["-h"], env: {}, says: { help: true } },
  { name: "version", argv: ["-v"], env: {}, says: { version: true } },
  { name: "an end of flags", argv: ["--", "--root"], env: {}, says: { words: ["--root"] } },
  { name: "an empty word", argv: [""], env: {}, says: { words: [""] } },
])("$name", ({ argv, env, says }) => {
  const { rootsWith: _, checkFor: __, setBy: ___, cliCommand: ____, ...settings } = readSettings(argv, env);
  const { serverArgs: _____, ...installing } = settings.installing;
  expect({ ...settings, installing }).toEqual({ ...DEFAULTS, ...says });
});

it.each([
  { ago: "90s", seconds: 90 },
  { ago: "10m", seconds: 600 },
  { ago: "2h", seconds: 7200 },
  { ago: "1 d", seconds: 86_400 },
])("--since $ago is a time", ({ ago, seconds }) => {
  const { since = "" } = readSettings(["--since", ago], {});
  expect(Math.abs(Date.now() - seconds * 1000 - Date.parse(since))).toBeLessThan(5000);
});

it.each([
  { argv: ["--dry-run"], fits: ["undo", "trash"] },
  { argv: ["--limit", "1"], fits: ["history"] },
  { argv: ["--since", "1h"], fits: ["history", "undo"] },
  { argv: ["--all"], fits: ["history", "undo", "trash"] },
  { argv: ["--json", "--read-only", "--state", "s"], fits: ["mcp", "call", "history", "undo", "diff", "trash"] },
])("$argv is refused by every command but $fits", ({ argv, fits }) => {
  const { checkFor } = readSettings(argv, {});
  const refusal = (command: string): string => {
    try {
      checkFor(command);
      return "";
    } catch (error) {
      return String(error);
    }
  };
  const all = ["mcp", "call", "history", "undo", "diff", "trash"];
  for (const command of all.filter((each) => !fits.includes(each)))
    expect(refusal(command)).toContain(`Cannot use ${argv[0]} with holdfast ${command}: it belongs to holdfast `);
  expect(all.filter((command) => refusal(command) === "")).toEqual(fits);
});

const AB = ["a", "b"].join(delimiter);

it.each([
  { name: "none", argv: [], env: {}, roots: [] },
  { name: "flags", argv: ["--root", "a", "--root=b"], env: {}, roots: ["a", "b"] },
  { name: "flags, then words", argv: ["c", "--root", "a"], env: {}, roots: ["a", "c"] },
  { name: "the environment", argv: [], env: { HOLDFAST_ROOT: AB }, roots: ["a", "b"] },
  { name: "an empty environment", argv: [], env: { HOLDFAST_ROOT: "" }, roots: [] },
  {
    name: "storages in the environment",
    argv: [],
    env: { HOLDFAST_ROOT: ["a", "memory://scratch", "b"].join(delimiter) },
    roots: ["a", "memory://scratch", "b"],
  },
  { name: "a flag over the environment", argv: ["--root", "c"], env: { HOLDFAST_ROOT: AB }, roots: ["c"] },
  { name: "a word over the environment", argv: ["c"], env: { HOLDFAST_ROOT: AB }, roots: ["c"] },
])("roots: $name", ({ argv, env, roots }) => {
  const { rootsWith, words } = readSettings(argv, env);
  expect(rootsWith(words)).toEqual(roots);
});

it.each([
  { argv: ["--rooot", "a"], env: {}, says: /did you mean --root\?$/ },
  { argv: ["--roots", "a"], env: {}, says: /"a": give intersect or replace; use --root for a directory$/ },
  { argv: ["--readonly", "."], env: {}, says: /did you mean --read-only\?$/ },
  { argv: ["--zzzzzzzzzz"], env: {}, says: /Unknown option '--zzzzzzzzzz'; see holdfast --help$/ },
  { argv: ["--context-window", "0"], env: {}, says: /"0": give a number of tokens, such as 200000$/ },
  { argv: ["--loop-detection", "maybe"], env: {}, says: /"maybe": give on or off$/ },
  { argv: [], env: { HOLDFAST_READ_ONLY: "banana" }, says: /HOLDFAST_READ_ONLY "banana": give on or off$/ },
  {
    argv: ["--profile", "coder"],
    env: {},
    says: /--profile "coder": give minimal, readonly, messaging, files, coding or full$/,
  },
  { argv: ["--depth", "0"], env: {}, says: /--depth "0": give how deep the sub-agent is, such as 1$/ },
  { argv: ["--durability", "always"], env: {}, says: /"always": give process or power$/ },
  { argv: ["--trash-hours", "0"], env: {}, says: /"0": give a number of hours, such as 48$/ },
  { argv: [], env: { HOLDFAST_TRASH_HOURS: "day" }, says: /HOLDFAST_TRASH_HOURS "day": give a number of hours/ },
  { argv: ["--limit", "many"], env: {}, says: /"many": give how many changes to show, such as 50$/ },
  { argv: ["--since", "lunch"], env: {}, says: /--since "lunch": give a time such as .+, or how long ago/ },
  { argv: ["--source", "a="], env: {}, says: /--source "a=": give a name and a directory, such as archive=/ },
  { argv: ["--source", "a=x", "--source", "a=y"], env: {}, says: /--source "a=y": the name is taken$/ },
  { argv: ["--source", "a", "--source", "b"], env: {}, says: /--source "b": one name is enough$/ },
  { argv: [], env: { HOLDFAST_SOURCE: "a" }, says: /HOLDFAST_SOURCE "a": give a name and a directory/ },
  { argv: ["--state"], env: {}, says: /argument missing; see holdfast --help$/ },
  { argv: ["--read-only=yes"], env: {}, says: /does not take an argument; see holdfast --help$/ },
  { argv: ["-x"], env: {}, says: /Unknown option '-x'; see holdfast --help$/ },
  { argv: ["--context-window", "1e3.5"], env: {}, says: /"1e3\.5": give a number of tokens/ },
  { argv: ["--context-window", "1.5"], env: {}, says: /"1\.5": give a number of tokens/ },
  { argv: [], env: { HOLDFAST_LOOP_DETECTION: "maybe" }, says: /HOLDFAST_LOOP_DETECTION "maybe": give on or off/ },
])("$argv $env is refused", ({ argv, env, says }) => {
  expect(() => readSettings(argv, env)).toThrow(says);
});

it.each([
  { name: "a flag", argv: ["--read-only"], env: {}, key: "readOnly", by: "--read-only" },
  { name: "a variable", argv: [], env: { HOLDFAST_STATE: "s" }, key: "stateDirectory", by: "HOLDFAST_STATE" },
  { name: "both", argv: ["--state=t"], env: { HOLDFAST_STATE: "s" }, key: "stateDirectory", by: "--state" },
  { name: "an empty variable", argv: [], env: { HOLDFAST_STATE: "" }, key: "stateDirectory", by: undefined },
  { name: "roots", argv: ["--root", "a"], env: {}, key: "roots", by: "--root" },
  {
    name: "a key further in",
    argv: [],
    env: { HOLDFAST_LOOP_DETECTION: "off" },
    key: "tools.loopDetection.enabled",
    by: "HOLDFAST_LOOP_DETECTION",
  },
  { name: "a key that has no flag", argv: ["--read-only"], env: {}, key: "tools.deny", by: undefined },
])("knows what set a key: $name", ({ argv, env, key, by }) => {
  expect(readSettings(argv, env).setBy(key)).toBe(by);
});
