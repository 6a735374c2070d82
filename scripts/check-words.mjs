// Fails on words of our own where the field has one (scripts/words.json), in names, comments, texts and documents, and
// on doc comments that begin without a subject. With --count, prints how many findings there are and passes.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { documents } from "./documents.mjs";
import { finish, root } from "./gate.mjs";
import { sourceFiles } from "./sources.mjs";

const { words, openings, allowed, allowedTexts } = JSON.parse(
  readFileSync(new URL("words.json", import.meta.url), "utf8"),
);

/** The history says what things were called. */
const HISTORY = "CHANGELOG.md";
const FOLDERS = ["src", "test", "bench", "scripts", "examples"];

const rules = words.map(({ say, parts = [], names = [], prose = [] }) => ({
  say,
  parts: parts.length > 0 ? new RegExp(`(?<![^-])(?:${parts.join("|")})(?![^-])`) : undefined,
  names: new Set(names),
  prose: prose.length > 0 ? new RegExp(`\\b(?:${prose.map(inEitherCase).join("|")})\\b`, "g") : undefined,
}));

const adviceByName = new Map();

const sources = sourceFiles(root, FOLDERS);
const texts = documents(root).filter((file) => file !== HISTORY);
const findings = [...sources.flatMap(findingsInSource), ...texts.flatMap(findingsInDocument)];
if (process.argv.includes("--count")) printCounts();
else finish(sources.length + texts.length, findings.map(lineOf));

/** A word that is written with a small letter is also found with a capital one. */
function inEitherCase(word) {
  return /^[a-z]/.test(word) ? `[${word[0].toUpperCase()}${word[0]}]${word.slice(1)}` : word;
}

function findingsInSource(file) {
  const text = readFileSync(join(root, file), "utf8");
  const { program, comments } = parseSync(file, text);
  const found = createFindings(file, text);
  found.addNames([{ name: nameOfFile(file), start: 0 }]);
  for (const { type, value, start } of comments) {
    found.addProse(value, start + 2);
    if (type === "Block") found.addOpening(value, start);
  }
  const modules = moduleNames(program);
  new Visitor({
    Identifier: ({ name, start }) => found.addNames([{ name, start }]),
    Literal: ({ value, raw, start }) => {
      if (typeof value === "string" && !modules.has(start)) found.addProse(raw, start);
    },
    TemplateElement: ({ value, start }) => found.addProse(value.raw, start),
  }).visit(program);
  return found.all();
}

function findingsInDocument(file) {
  const text = readFileSync(join(root, file), "utf8");
  const found = createFindings(file, text);
  found.addNames([{ name: nameOfFile(file), start: 0 }]);
  found.addProse(text, 0);
  return found.all();
}

/** Names of modules follow from names of files, which are judged where the file is. */
function moduleNames(program) {
  const starts = new Set();
  const add = ({ source }) => source && starts.add(source.start);
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(program);
  return starts;
}

/** A file is judged as the type that it is named after: `safe-path.ts` as `SafePath`. */
function nameOfFile(file) {
  const [stem = ""] = basename(file).split(".");
  return stem.replaceAll(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase());
}

/** Collects what is wrong in a file: each rule at most once at each place. */
function createFindings(file, text) {
  const findingAt = new Map();
  const add = (start, word, say) => findingAt.set(`${start} ${say}`, { file, start, word, say });
  const addNames = (names) => {
    for (const { name, start } of names) for (const say of adviceOn(name)) add(start, name, say);
  };
  const addProse = (given, start) => {
    // Texts that stand on disks are blanked out, so that offsets stay.
    const prose = allowedTexts.reduce((rest, each) => rest.replaceAll(each, " ".repeat(each.length)), given);
    for (const { say, prose: pattern } of rules)
      if (pattern) for (const { 0: word, index } of prose.matchAll(pattern)) add(start + index, word, say);
    for (const { 0: code, index } of prose.matchAll(/`[^`\n]+`/g))
      addNames(
        [...code.matchAll(/[A-Za-z_$][\w$]*/g)].map((name) => ({ name: name[0], start: start + index + name.index })),
      );
  };
  const addOpening = (comment, start) => {
    const prose = comment.replace(/^\*[\s*]*/, "");
    const word = openings.find((each) => prose.startsWith(each) && !/\w/.test(prose.charAt(each.length)));
    if (word !== undefined) add(start, word, undefined);
  };
  const all = () =>
    [...findingAt.values()]
      .map(({ start, ...finding }) => ({ ...finding, line: text.slice(0, start).split("\n").length }))
      .toSorted((one, other) => one.line - other.line);
  return { addNames, addProse, addOpening, all };
}

/** Returns what to say instead of a name: by its whole, or by a word that it is made of. */
function adviceOn(name) {
  const known = adviceByName.get(name);
  if (known) return known;
  const fits = ({ names, parts }) => names.has(name) || parts?.test(dashed(name));
  const advice = allowed.includes(name) ? [] : rules.filter(fits).map(({ say }) => say);
  adviceByName.set(name, advice);
  return advice;
}

function dashed(name) {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

function lineOf({ file, line, word, say }) {
  const advice = say === undefined ? "say what it is, or begin with a verb" : `say ${JSON.stringify(say)}`;
  return `${file}:${line}: ${JSON.stringify(word)}: ${advice}`;
}

function printCounts() {
  for (const keyOf of [folderOf, kindOf]) console.log(`${tableOf(findings.map(keyOf))}\n`);
  console.log(`${String(findings.length).padStart(6)} findings`);
}

function folderOf({ file }) {
  return file
    .split("/")
    .slice(0, file.startsWith("src/") ? 2 : 1)
    .join("/");
}

function kindOf({ word, say }) {
  return say ?? `(comment) ${word} …`;
}

function tableOf(keys) {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const rows = [...counts].toSorted(([, one], [, other]) => other - one);
  return rows.map(([key, count]) => `${String(count).padStart(6)} ${key}`).join("\n");
}
