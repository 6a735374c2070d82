import { isDeepStrictEqual } from "node:util";
import { keyText } from "../key-path.ts";
import { contentStart } from "../text-lines.ts";
import {
  type ConfigEditor,
  type ConfigEntry,
  type EntryPath,
  formFault,
  lineBreakOf,
  OPAQUE,
  startsWith,
} from "./config-editor.ts";
import { tomlStatements, type TomlStatement } from "./toml-statements.ts";

/** Edits TOML. An entry is a table with a header of its own, as people and clients write it. */
export const tomlEditor: ConfigEditor = {
  find(text, path) {
    const block = blockAt(text, path);
    if (block === undefined) return undefined;
    const isNested = ({ key }: TomlStatement): boolean => key.length > path.length + 1;
    return Object.fromEntries(
      block.slice(1).map((each) => [each.key[path.length], isNested(each) ? OPAQUE : each.value]),
    );
  },
  put(text, path, entry) {
    const block = blockAt(text, path);
    const table = tableText(path, entry, lineBreakOf(text));
    const range = block === undefined ? endOfFile(text) : { ...rangeOf(block), lead: "" };
    return checked(text, path, text.slice(0, range.from) + range.lead + table + text.slice(range.to));
  },
  remove(text, path) {
    const block = blockAt(text, path);
    if (block === undefined) return text;
    const { from, to } = rangeOf(block);
    return checked(text, path, withoutBlankEnd(text.slice(0, from)) + text.slice(to));
  },
};

/** Returns the header of an entry and all that follows it in the entry, or undefined if there is no such entry. */
function blockAt(text: string, path: EntryPath): readonly TomlStatement[] | undefined {
  const statements = tomlStatements(text);
  const above = statements.find(
    ({ kind, key }) => key.length < path.length && kind !== "table" && startsWith(path, key),
  );
  if (above) throw formFault(`${keyText(above.key)} is not written as tables with headers`);
  const own = statements.filter(({ key }) => startsWith(key, path));
  const [first] = own;
  if (first === undefined) return undefined;
  const at = statements.indexOf(first);
  const isBlock = own.every((each, nth) => statements[at + nth] === each);
  const headers = own.filter(({ kind, key }) => kind !== "pair" && key.length === path.length);
  if (first.kind === "table" && headers[0] === first && headers.length === 1 && isBlock) return own;
  throw formFault(`${keyText(path)} is not written as one table with a header`);
}

const rangeOf = (block: readonly TomlStatement[]) => ({ from: block[0]?.start ?? 0, to: block.at(-1)?.end ?? 0 });

/** Puts a new table at the end, where a header belongs to no other table, after a blank line. */
function endOfFile(text: string) {
  const lineBreak = lineBreakOf(text);
  const isEmpty = text.length === contentStart(text);
  const lead = isEmpty ? "" : text.endsWith("\n") ? lineBreak : lineBreak + lineBreak;
  return { from: text.length, to: text.length, lead: isEmpty || /\n\r?\n$/.test(text) ? "" : lead };
}

/** Drops one blank line at the end. */
const withoutBlankEnd = (text: string): string => text.replace(/(\n)\r?\n$/, "$1");

/** Throws unless all other statements are as they were. */
function checked(before: string, path: EntryPath, after: string): string {
  const others = (text: string) =>
    tomlStatements(text).flatMap(({ kind, key, value, start, end }) =>
      startsWith(key, path) ? [] : [{ kind, key, value, written: text.slice(start, end).trim() }],
    );
  if (isDeepStrictEqual(others(before), others(after))) return after;
  throw formFault(`the edit of ${keyText(path)} would change something else`);
}

function tableText(path: EntryPath, entry: ConfigEntry, lineBreak: string): string {
  const header = `[${path.map(keyWord).join(".")}]`;
  const inner = Object.entries(entry).filter(([, value]) => !isTable(value));
  const tables = Object.entries(entry).filter(([, value]) => isTable(value));
  const lines = [header, ...inner.map(([key, value]) => `${keyWord(key)} = ${valueText(value)}`), ""].join(lineBreak);
  return [lines, ...tables.map(([key, value]) => tableText([...path, key], value as ConfigEntry, lineBreak))].join("");
}

const isTable = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

const keyWord = (key: string): string => (/^[\w-]+$/.test(key) ? key : stringText(key));

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value === "string") return stringText(value);
  if (value === OPAQUE) throw formFault("it holds a value that is not understood");
  return String(value);
}

/** Writes a string as in JSON, which TOML reads alike but for the delete character. */
const stringText = (value: string): string => JSON.stringify(value).replaceAll("\u007F", "\\u007F");
