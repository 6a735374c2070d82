import { keyText } from "../key-path.ts";
import { BOM, contentStart } from "../text-lines.ts";
import {
  type ConfigEditor,
  type ConfigEntry,
  type EntryPath,
  formFault,
  lineBreakOf,
  OPAQUE,
} from "./config-editor.ts";

/**
 * Edits YAML whose top is a block mapping with the entries two levels deep. Lines outside of the entry are never
 * touched; anchors, several documents, flow style and tabs around it are refused.
 */
export const yamlEditor: ConfigEditor = {
  find(text, path) {
    const { entry } = locate(text, path);
    return entry && valuesIn(entry);
  },
  put(text, path, entry) {
    const [top, name = ""] = path;
    const { lines, parent, entry: old, indent } = locate(text, path);
    const written = entryLines(name, entry, indent);
    if (old) return spliced(text, old, written);
    if (parent === undefined) return spliced(text, lineRange(lines.length), [`${keyWord(top)}:`, ...written]);
    const { key, end } = parent;
    const longer = spliced(text, lineRange(end), written);
    const head = lines[key] ?? "";
    const opened = head.replace(EMPTY_VALUE, ":$1");
    return opened === head ? longer : spliced(longer, lineRange(key, key + 1), [opened]);
  },
  remove(text, path) {
    const { lines, parent, entry: old } = locate(text, path);
    if (!old || !parent) return text;
    const shorter = spliced(text, old, []);
    const { key } = parent;
    // A key without a value would be null, which is no mapping.
    return old.isOnly ? spliced(shorter, lineRange(key, key + 1), [emptied(lines[key] ?? "")]) : shorter;
  },
};

/** Lines from one to before another. */
interface LineRange {
  readonly from: number;
  readonly to: number;
}

interface Location {
  readonly lines: readonly string[];
  /** The line of the first key, and the end of the last line that belongs to it. */
  readonly parent?: { readonly key: number; readonly end: number };
  readonly entry?: LineRange & { readonly lines: readonly string[]; readonly isOnly: boolean };
  /** The indentation of entries. */
  readonly indent: string;
}

function locate(text: string, path: EntryPath): Location {
  const [top, name = ""] = path;
  const lines = linesIn(text);
  checkTop(lines);
  const keys = lines.flatMap((line, nth) => (keyIn(line, "") === top ? [nth] : []));
  const [key, again] = keys;
  if (again !== undefined) throw formFault(`line ${again + 1}: the key ${top} is there twice`);
  if (key === undefined) return { lines, indent: STEP };
  if (!/:[ \t]*(?:\{[ \t]*\}|null|~)?[ \t]*(?:#.*)?$/.test(lines[key] ?? ""))
    throw formFault(`line ${key + 1}: ${top} is not written as one entry per line`);
  const next = lines.findIndex((line, nth) => nth > key && isContent(line) && !/^[ \t]/.test(line));
  const children = lines.slice(key + 1, next < 0 ? lines.length : next);
  const indent = indentOf(children.find(isContent) ?? STEP);
  const starts = children.flatMap((line, nth) => (isContent(line) && indentOf(line) === indent ? [nth] : []));
  checkEntries(children, indent, key);
  const end = key + 1 + lengthOfContent(children, indent);
  const nth = starts.findIndex((start) => keyIn(children[start] ?? "", indent) === name);
  if (nth < 0) return { lines, parent: { key, end }, indent };
  const from = key + 1 + (starts[nth] ?? 0);
  const to =
    nth + 1 < starts.length ? key + 1 + ownLength(children, starts[nth] ?? 0, starts[nth + 1] ?? 0, indent) : end;
  return {
    lines,
    parent: { key, end },
    entry: { from, to, lines: lines.slice(from, to), isOnly: starts.length === 1 },
    indent,
  };
}

const STEP = "  ";

const linesIn = (text: string): readonly string[] => {
  const lines = text.slice(contentStart(text)).split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

const lineRange = (from: number, to = from): LineRange => ({ from, to });

/** Replaces whole lines by others. All other bytes stay as they are. */
function spliced(text: string, { from, to }: LineRange, by: readonly string[]): string {
  const lineBreak = lineBreakOf(text);
  const before = text.slice(0, offsetOfLine(text, from));
  const isOpen = before !== "" && before !== BOM && !before.endsWith("\n");
  const written = by.map((line) => line + lineBreak).join("");
  return before + (isOpen ? lineBreak : "") + written + text.slice(offsetOfLine(text, to));
}

/** Returns the offset of a line, from 0. The first one begins after a byte-order mark. */
function offsetOfLine(text: string, line: number): number {
  let offset = contentStart(text);
  for (let nth = 0; nth < line; nth++) {
    const feed = text.indexOf("\n", offset);
    if (feed < 0) return text.length;
    offset = feed + 1;
  }
  return offset;
}

const isContent = (line: string): boolean => !/^\s*(?:#|$)/.test(line);

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** Returns the key on a line of this indentation, or undefined. */
function keyIn(line: string, indent: string): string | undefined {
  const found = KEY.exec(line);
  return found?.[1] === indent ? (found[2] ?? found[3] ?? found[4]) : undefined;
}

const KEY = /^( *)(?:([\w.$/@-][\w .$/@-]*)|"([^"\\]*)"|'([^']*)')[ \t]*:(?=[ \t]|$)/;

const EMPTY_VALUE = /:[ \t]*(?:\{[ \t]*\}|null|~)([ \t]*(?:#.*)?)$/;

const emptied = (head: string): string => head.replace(/:([ \t]*(?:#.*)?)$/, ": {}$1");

/** Throws unless every line at the top is a key or an item of a list, in one document. */
function checkTop(lines: readonly string[]): void {
  const first = lines.findIndex(isContent);
  for (const [nth, line] of lines.entries()) {
    if (!isContent(line) || /^[ ]/.test(line) || keyIn(line, "") !== undefined || /^-(?: |$)/.test(line)) continue;
    if (nth === first && /^---[ \t]*(?:#.*)?$/.test(line)) continue;
    throw formFault(`line ${nth + 1}: this is no plain key of a mapping`);
  }
}

/** Throws for a line of the mapping that is neither an entry nor inside one. */
function checkEntries(children: readonly string[], indent: string, key: number): void {
  for (const [nth, line] of children.entries()) {
    if (!isContent(line)) continue;
    const isInside = line.startsWith(`${indent} `);
    const isEntry = keyIn(line, indent) !== undefined && !/^\s*<<|:\s+[&*]/.test(line);
    if (isInside || isEntry) continue;
    throw formFault(`line ${key + nth + 2}: this is no plain entry of a mapping`);
  }
}

/** Counts the lines up to the last one of an entry. A comment that is indented deeper belongs to an entry. */
function lengthOfContent(children: readonly string[], indent: string): number {
  const last = children.findLastIndex(
    (line) => isContent(line) || (line.trim() !== "" && line.startsWith(`${indent} `)),
  );
  if (children.slice(last + 1).some((line) => line.trim() === "") && /[|>]\d?\+/.test(children.join("\n")))
    throw formFault("a text that keeps its blank lines is at the end of the entries");
  return last + 1;
}

/** Returns the end of an entry before another one, whose comments and blank lines are not its own. */
function ownLength(children: readonly string[], from: number, next: number, indent: string): number {
  return from + lengthOfContent(children.slice(from, next), indent);
}

/** Writes scalars and lists as JSON, which is YAML as well. */
const entryLines = (name: string, entry: ConfigEntry, indent: string): readonly string[] => [
  `${indent}${keyWord(name)}:`,
  ...Object.entries(entry).map(([key, value]) => `${indent}${STEP}${keyWord(key)}: ${JSON.stringify(value)}`),
];

const keyWord = (key: string): string => (/^[A-Za-z][\w-]*$/.test(key) ? key : JSON.stringify(key));

/** Returns the values of an entry: scalars and lists, as far as they are plain. */
function valuesIn({ lines: [head = "", ...lines] }: { readonly lines: readonly string[] }): ConfigEntry {
  const content = lines.filter(isContent);
  if (!/:[ \t]*(?:#.*)?$/.test(head))
    throw formFault(`${keyText([keyIn(head, indentOf(head)) ?? ""])} is not a mapping`);
  const indent = indentOf(content[0] ?? "");
  const values: Record<string, unknown> = {};
  let last = "";
  for (const line of content) {
    const key = keyIn(line, indent);
    if (key === undefined) values[last] = withItem(values[last], line);
    else values[(last = key)] = scalarIn(line.slice((KEY.exec(line)?.[0] ?? "").length).trim());
  }
  return values;
}

/** Adds an item of a block list to the list before it. */
function withItem(list: unknown, line: string): unknown {
  const item = /^\s*- +(.*)$/.exec(line)?.[1];
  if (item === undefined || (list !== null && !Array.isArray(list))) return OPAQUE;
  return [...(list ?? []), scalarIn(item.trim())];
}

function scalarIn(written: string): unknown {
  if (written === "" || written.startsWith("#")) return null;
  try {
    return JSON.parse(written);
  } catch {
    if (/^'[^']*'$/.test(written)) return written.slice(1, -1);
    return /^[\w./@-][^#:&*!|>%`{}[\]]*$/.test(written) ? written : OPAQUE;
  }
}
