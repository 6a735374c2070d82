import { delimiter } from "node:path";
import { expect, it } from "vitest";
import { readSettings } from "../../src/faces/cli/flags.ts";

const DEFAULTS = {
  words: [],
  json: false,
  contextWindow: undefined,
  loopDetection: true,
  stateDirectory: undefined,
  help: false,
  version: false,
};

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
  { name: "read-only", argv: ["--read-only", "a"], env: {}, says: { words: ["a"] } },
  { name: "JSON", argv: ["--json"], env: {}, says: { json: true } },
  { name: "JSON by the environment", argv: [], env: { HOLDFAST_JSON: "1" }, says: { json: true } },
  { name: "help", argv: ["-h"], env: {}, says: { help: true } },
  { name: "version", argv: ["-v"], env: {}, says: { version: true } },
  { name: "an end of flags", argv: ["--", "--root"], env: {}, says: { words: ["--root"] } },
  { name: "an empty word", argv: [""], env: {}, says: { words: [""] } },
])("$name", ({ argv, env, says }) => {
  const { rootsWith: _, ...settings } = readSettings(argv, env);
  expect(settings).toEqual({ ...DEFAULTS, ...says });
});

const AB = ["a", "b"].join(delimiter);

it.each([
  { name: "none", argv: [], env: {}, roots: [] },
  { name: "none, but the command has its own", argv: [], env: {}, otherwise: ".", roots: ["."] },
  { name: "flags", argv: ["--root", "a", "--root=b"], env: {}, otherwise: ".", roots: ["a", "b"] },
  { name: "flags, then words", argv: ["c", "--root", "a"], env: {}, roots: ["a", "c"] },
  { name: "the environment", argv: [], env: { HOLDFAST_ROOT: AB }, otherwise: ".", roots: ["a", "b"] },
  { name: "an empty environment", argv: [], env: { HOLDFAST_ROOT: "" }, otherwise: ".", roots: ["."] },
  { name: "a flag over the environment", argv: ["--root", "c"], env: { HOLDFAST_ROOT: AB }, roots: ["c"] },
  { name: "a word over the environment", argv: ["c"], env: { HOLDFAST_ROOT: AB }, roots: ["c"] },
])("roots: $name", ({ argv, env, otherwise, roots }) => {
  const { rootsWith, words } = readSettings(argv, env);
  expect(rootsWith(words, otherwise)).toEqual(roots);
});

it.each([
  { argv: ["--roots", "a"], env: {}, says: /did you mean --root\?$/ },
  { argv: ["--readonly", "."], env: {}, says: /did you mean --read-only\?$/ },
  { argv: ["--zzzzzzzzzz"], env: {}, says: /Unknown option '--zzzzzzzzzz'; see holdfast --help$/ },
  { argv: ["--context-window", "0"], env: {}, says: /"0": give a number of tokens, such as 200000$/ },
  { argv: ["--loop-detection", "maybe"], env: {}, says: /"maybe": give on or off$/ },
  { argv: [], env: { HOLDFAST_READ_ONLY: "banana" }, says: /HOLDFAST_READ_ONLY "banana": give on or off$/ },
  { argv: ["--state"], env: {}, says: /argument missing; see holdfast --help$/ },
  { argv: ["--read-only=yes"], env: {}, says: /does not take an argument; see holdfast --help$/ },
  { argv: ["-x"], env: {}, says: /Unknown option '-x'; see holdfast --help$/ },
  { argv: ["--context-window", "1e3.5"], env: {}, says: /"1e3\.5": give a number of tokens/ },
  { argv: ["--context-window", "1.5"], env: {}, says: /"1\.5": give a number of tokens/ },
  { argv: [], env: { HOLDFAST_LOOP_DETECTION: "maybe" }, says: /HOLDFAST_LOOP_DETECTION "maybe": give on or off/ },
])("$argv $env is refused", ({ argv, env, says }) => {
  expect(() => readSettings(argv, env)).toThrow(says);
});
