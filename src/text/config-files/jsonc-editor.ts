import { isDeepStrictEqual } from "node:util";
// oxlint-disable-next-line import/default -- Node gives this CommonJS package a default export, and only that.
import jsonc from "jsonc-parser";
import { isRecord } from "../../base/json.ts";
import { parseJsonc } from "../jsonc.ts";
import { keyText } from "../key-path.ts";
import { BOM, contentStart } from "../text-lines.ts";
import { type ConfigEditor, type ConfigEntry, type EntryPath, formFault, lineBreakOf } from "./config-editor.ts";

/** Edits JSON, with or without comments and trailing commas. Every result is parsed again and compared. */
export const jsoncEditor: ConfigEditor = {
  find(text, path) {
    const { property } = isBlank(text) ? {} : locate(contentOf(text), path);
    return property === undefined ? undefined : asEntry(plain(jsonc.getNodeValue(property.value)), path);
  },
  put: (text, path, entry) => edited(text, path, entry, isBlank(text) ? newDocument : putIn),
  remove: (text, path) => (isBlank(text) ? text : edited(text, path, undefined, removeFrom)),
};

type Edit = (content: string, path: EntryPath, entry: ConfigEntry) => string;

/** Applies an edit to the content after the byte-order mark. Throws unless exactly the entry is different afterwards. */
function edited(text: string, path: EntryPath, entry: ConfigEntry | undefined, edit: Edit): string {
  const content = contentOf(text);
  const result = edit(content, path, entry ?? {});
  const before = isBlank(content) ? {} : parseJsonc(content).value;
  if (!isDeepStrictEqual(plain(withEntry(before, path, entry)), plain(parseJsonc(result).value)))
    throw formFault(`the edit of ${keyText(path)} would change something else`);
  return (contentStart(text) === 0 ? "" : BOM) + result;
}

/** Returns a value with ordinary objects: those of the parser have no prototype. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const contentOf = (text: string): string => text.slice(contentStart(text));

const isBlank = (text: string): boolean => contentOf(text).trim() === "";

function asEntry(value: unknown, path: EntryPath): ConfigEntry {
  if (isRecord(value)) return value;
  throw formFault(`${keyText(path)} is not an object`);
}

/** Returns a copy of a value that has the entry at the path, or lacks it if it is undefined. */
function withEntry(value: unknown, [key, ...deeper]: readonly string[], entry: ConfigEntry | undefined): unknown {
  if (key === undefined) return entry;
  const parent = isRecord(value) ? value : {};
  if (entry === undefined && !Object.hasOwn(parent, key)) return value;
  const { [key]: child, ...others } = parent;
  const next = withEntry(child, deeper, entry);
  return next === undefined ? others : { ...others, [key]: next };
}

interface Property {
  readonly node: jsonc.Node;
  readonly value: jsonc.Node;
}

/** The deepest object on a path that exists, the keys that are missing in it, and the property if none is. */
interface Location {
  readonly object: jsonc.Node;
  readonly missing: readonly string[];
  readonly property?: Property;
}

function locate(content: string, path: EntryPath): Location {
  // Throws for syntax errors and for keys that are there twice, with the line.
  parseJsonc(content);
  let value = jsonc.parseTree(content, [], { allowTrailingComma: true }) as jsonc.Node;
  let object = value;
  let property: Property | undefined;
  for (const [nth, key] of path.entries()) {
    if (value.type !== "object") throw formFault(`${nth === 0 ? "it" : keyText(path.slice(0, nth))} is not an object`);
    object = value;
    property = propertiesOf(object).find(({ node }) => node.children?.[0]?.value === key);
    if (property === undefined) return { object, missing: path.slice(nth) };
    ({ value } = property);
  }
  return { object, missing: [], ...(property && { property }) };
}

const propertiesOf = ({ children = [] }: jsonc.Node): readonly Property[] =>
  children.flatMap((node) => (node.children?.[1] === undefined ? [] : [{ node, value: node.children[1] }]));

const newDocument: Edit = (content, path, entry) =>
  JSON.stringify(withEntry({}, path, entry), undefined, 2).replaceAll("\n", lineBreakOf(content)) +
  lineBreakOf(content);

const putIn: Edit = (content, path, entry) => {
  const { object, missing, property } = locate(content, path);
  if (property === undefined) return insertInto(content, object, missing, entry);
  const { offset, length } = property.value;
  const isInline = !content.slice(offset, offset + length).includes("\n");
  return spliced(content, offset, offset + length, formatted(content, entry, offset, isInline));
};

/** Adds a property at the end of an object, after the comments there and in the style of its neighbours. */
function insertInto(content: string, object: jsonc.Node, missing: readonly string[], entry: ConfigEntry): string {
  const close = endOf(object) - 1;
  const last = object.children?.at(-1);
  const from = last === undefined ? object.offset + 1 : endOf(last);
  const { comma, end } = separatorsIn(content, from, close);
  const [key = "", ...deeper] = missing;
  const value = withEntry({}, deeper, entry) as ConfigEntry;
  const at = last?.offset ?? object.offset;
  const isInline = isInlineObject(content, object);
  const indent = last === undefined ? indentAt(content, at) + unitOf(content) : indentAt(content, at);
  const lineBreak = lineBreakOf(content);
  const lead = isInline ? (last === undefined ? "" : " ") : lineBreak + indent;
  const property = `${JSON.stringify(key)}: ${formatted(content, value, at, isInline, indent)}`;
  const mustClose = !isInline && !content.slice(end, close).includes("\n");
  const tail = (comma === undefined ? "" : ",") + (mustClose ? lineBreak + indentAt(content, object.offset) : "");
  const longer = spliced(content, end, end, lead + property + tail);
  return last === undefined || comma !== undefined ? longer : spliced(longer, from, from, ",");
}

const removeFrom: Edit = (content, path) => {
  const { object, property } = locate(content, path);
  if (property === undefined) return content;
  const { node } = property;
  const siblings = object.children ?? [];
  const nth = siblings.indexOf(node);
  const [before, after] = [siblings[nth - 1], siblings[nth + 1]];
  const close = endOf(object) - 1;
  const start = content.slice(0, node.offset).trimEnd().length;
  const { comma } = separatorsIn(content, endOf(node), after?.offset ?? close);
  if (siblings.length === 1 && isBetween(content, object, node, comma))
    return spliced(content, object.offset, endOf(object), "{}");
  if (comma !== undefined || before === undefined) return spliced(content, start, (comma ?? endOf(node) - 1) + 1);
  // The last property has no comma of its own: the one before it goes as well.
  const previous = separatorsIn(content, endOf(before), node.offset).comma ?? start;
  return spliced(spliced(content, start, endOf(node)), previous, previous + 1);
};

/** Returns true if an object holds nothing but this property: no comment either. */
function isBetween(content: string, object: jsonc.Node, node: jsonc.Node, comma: number | undefined): boolean {
  const before = content.slice(object.offset + 1, node.offset);
  const after = content.slice((comma ?? endOf(node) - 1) + 1, endOf(object) - 1);
  const between = comma === undefined ? "" : content.slice(endOf(node), comma);
  return `${before}${between}${after}`.trim() === "";
}

const spliced = (text: string, from: number, to: number, by = ""): string => text.slice(0, from) + by + text.slice(to);

const endOf = ({ offset, length }: jsonc.Node): number => offset + length;

/** Returns the offset of the comma between two offsets, and the end of the last comment or comma. */
function separatorsIn(
  content: string,
  from: number,
  to: number,
): { readonly comma: number | undefined; readonly end: number } {
  let comma: number | undefined;
  let end = from;
  for (const { 0: token, index } of content.slice(from, to).matchAll(SEPARATORS)) {
    if (token === ",") comma = from + index;
    end = from + index + token.length;
  }
  return { comma, end };
}

const SEPARATORS = /\/\/[^\r\n]*|\/\*[^]*?\*\/|,/g;

/** Returns true for an object on one line, unless it is empty and the file has others over several lines. */
function isInlineObject(content: string, object: jsonc.Node): boolean {
  if (content.slice(object.offset, endOf(object)).includes("\n")) return false;
  return object.children?.length !== 0 || (object.parent !== undefined && !content.trim().includes("\n"));
}

/** Formats a value in the style of the file. */
function formatted(
  content: string,
  value: ConfigEntry,
  at: number,
  isInline: boolean,
  indent = indentAt(content, at),
): string {
  if (isInline) return JSON.stringify(value);
  return JSON.stringify(value, undefined, unitOf(content)).replaceAll("\n", lineBreakOf(content) + indent);
}

/** Returns the white space at the start of the line that holds an offset. */
function indentAt(content: string, offset: number): string {
  const lineStart = content.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(content.slice(lineStart, offset))?.[0] ?? "";
}

/** Returns one step of indentation: that of the first line that has any. */
const unitOf = (content: string): string => /\n([ \t]+)["}]/.exec(content)?.[1] ?? "  ";
