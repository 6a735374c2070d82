import { LIMITS } from "../../base/limits.ts";
import { damaged } from "../documents/zip.ts";

/** A tag with its place in the text. */
export interface XmlTag {
  readonly kind: "open" | "close" | "empty";
  /** The name without the prefix of its namespace. */
  readonly name: string;
  /** The prefix with its colon, or nothing. */
  readonly prefix: string;
  readonly start: number;
  readonly end: number;
  /** Counts the elements around it: 0 for the root. */
  readonly depth: number;
}

/**
 * Finds all tags of an XML text, with their places: a parser that builds a tree could not say where a cell is. Refuses
 * tags that do not match each other, and a DOCTYPE, with which entities come.
 */
export function* tagsIn(xml: string): Generator<XmlTag, undefined, undefined> {
  const open: string[] = [];
  for (let start = xml.indexOf("<"); start >= 0;) {
    const skipped = endOfOther(xml, start);
    if (skipped !== undefined) {
      start = xml.indexOf("<", skipped);
      continue;
    }
    TAG.lastIndex = start;
    const [whole, slash = "", full = "", last = ""] = TAG.exec(xml) ?? [];
    if (whole === undefined) throw damaged("its XML is broken");
    const end = start + whole.length;
    const colon = full.indexOf(":") + 1;
    const kind = slash === "/" ? "close" : last === "/" ? "empty" : "open";
    if (kind === "close" && open.pop() !== full) throw damaged("its XML is broken");
    const depth = open.length;
    if (kind === "open" && open.push(full) > LIMITS.documentXmlDepth) throw damaged("its XML is nested too deeply");
    yield { kind, name: full.slice(colon), prefix: full.slice(0, colon), start, end, depth };
    start = xml.indexOf("<", end);
  }
  if (open.length > 0) throw damaged("its XML is cut off");
  return undefined;
}

const TAG = /<(\/?)([^\s"'<>/!?=]+)(?:\s(?:[^"'<>/]|"[^"<]*"|'[^'<]*'|\/(?!>))*)?(\/?)>/y;

/** Returns the end of a comment, of CDATA or of an instruction; undefined for a tag. */
function endOfOther(xml: string, start: number): number | undefined {
  const next = xml[start + 1];
  if (next !== "!" && next !== "?") return undefined;
  const [begin, close] = OTHERS.find(([each]) => xml.startsWith(each, start)) ?? [];
  if (begin === undefined || close === undefined) throw damaged("its XML has a DOCTYPE");
  const end = xml.indexOf(close, start + begin.length);
  if (end < 0) throw damaged("its XML is cut off");
  return end + close.length;
}

const OTHERS = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** Returns the attributes of a tag by their whole names. */
export function attributesOf(xml: string, { start, end }: Pick<XmlTag, "start" | "end">): ReadonlyMap<string, string> {
  const found = xml.slice(start, end).matchAll(ATTRIBUTE);
  return new Map(Array.from(found, ([, name = "", , value = ""]) => [name, decodeEntities(value.slice(1, -1))]));
}

const ATTRIBUTE = /\s([^\s=]+)(\s*=\s*)("[^"]*"|'[^']*')/g;

/** Returns a tag with an attribute set, or without it. */
export function withAttribute(tag: string, name: string, value: string | undefined): string {
  const there = Array.from(tag.matchAll(ATTRIBUTE)).find(([, each]) => each === name);
  const fresh = value === undefined ? "" : ` ${name}="${escapeXml(value)}"`;
  if (there) return tag.slice(0, there.index) + fresh + tag.slice(there.index + there[0].length);
  if (fresh === "") return tag;
  const end = tag.endsWith("/>") ? tag.length - 2 : tag.length - 1;
  return tag.slice(0, end).trimEnd() + fresh + tag.slice(end);
}

/** Returns the text of an element that holds nothing else. */
export const xmlText = (xml: string): string =>
  xml
    .split(CDATA)
    .map((part) => (part.startsWith("<![CDATA[") ? part.slice(9, -3) : decodeEntities(part.replace(MARKUP, ""))))
    .join("");

const CDATA = /(<!\[CDATA\[[\s\S]*?\]\]>)/;
const MARKUP = /<[^>]*>/g;

const decodeEntities = (text: string): string =>
  text.includes("&") ? text.replace(/&([^;&]*);?/g, (_, name: string) => characterOf(name)) : text;

function characterOf(name: string): string {
  const known = ENTITIES[name];
  if (known !== undefined) return known;
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (!(code <= 0x10ffff)) throw damaged("its XML names an entity that it does not have");
  return String.fromCodePoint(code);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (each) => ESCAPED[each] ?? each);

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
