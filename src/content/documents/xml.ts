import { SaxesParser } from "saxes";
import { LIMITS } from "../../base/limits.ts";
import { damaged } from "./zip.ts";

/** An element without the prefix of its namespace. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlNode | string)[];
}

/** Parses XML. No entity of the document itself is expanded, and nothing outside of it is loaded. */
export function parseXml(text: string): XmlNode {
  const root: XmlNode = { name: "", attributes: {}, children: [] };
  const open: XmlNode[] = [root];
  const parser = new SaxesParser({});
  parser.on("error", (error) => {
    throw damaged(`its XML is broken (${error.message.slice(0, LIMITS.quotedLineChars)})`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length > LIMITS.documentXmlDepth) throw damaged("its XML is nested too deeply");
    const local = Object.entries(attributes).map(([key, value]) => [localName(key), value]);
    const node: XmlNode = { name: localName(name), attributes: Object.fromEntries(local), children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on("closetag", () => void open.pop());
  const add = (content: string): void => void open.at(-1)?.children.push(content);
  parser.on("text", add);
  parser.on("cdata", add);
  parser.write(text).close();
  return root;
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

export const isNode = (child: XmlNode | string): child is XmlNode => typeof child !== "string";

/** Returns the elements below a node that have a name, in the order of the document; it does not look into them. */
export function nodesNamed(node: XmlNode, ...names: readonly string[]): XmlNode[] {
  return node.children
    .filter(isNode)
    .flatMap((child) => (names.includes(child.name) ? [child] : nodesNamed(child, ...names)));
}

/** Returns all text below a node. */
export const textIn = (node: XmlNode): string =>
  node.children.map((child) => (isNode(child) ? textIn(child) : child)).join("");

/** Returns a path that a part of a zipped document names, from the folder of that part. */
export function resolvePart(from: string, target: string): string {
  const parts = target.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const each of target.split("/")) {
    if (each === "..") parts.pop();
    else if (each !== "." && each !== "") parts.push(each);
  }
  return parts.join("/");
}
