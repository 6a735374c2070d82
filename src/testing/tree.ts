import { basename, dirname, join } from "node:path";

/** An entry of a tree that a suite needs, below the root of the storage. One whose path begins with "../" is beside it. */
export type TreeEntry =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "directory"; readonly path: string };

/**
 * Reads the lines by which suites describe a tree: "d/" is a directory, "f" a file that holds its own name, "f = text" a
 * file that holds the text, "a => b" a link, and "../x" lies beside the root. Directories above an entry have no line.
 */
export const treeEntries = (lines: readonly string[], root: string): readonly TreeEntry[] =>
  lines.map((line) => entryOf(spelled(line, root)));

/** Returns the same tree as objects by key, for a store without links. A key that ends in "/" marks a directory. */
export const treeObjects = (lines: readonly string[]): Readonly<Record<string, Uint8Array>> =>
  Object.fromEntries(treeEntries(lines, "").flatMap(objectOf));

function objectOf(entry: TreeEntry): readonly (readonly [key: string, bytes: Uint8Array])[] {
  if (entry.kind === "link" || entry.path.startsWith("../")) return [];
  return entry.kind === "directory" ? [[`${entry.path}/`, new Uint8Array()]] : [[entry.path, Buffer.from(entry.text)]];
}

/**
 * Fills in what a line or path leaves open: $ABS is the root, $ONE the same with a single slash in front, $OUT the
 * directory beside it, $UP the name above.
 */
export const spelled = (text: string, root: string): string =>
  text
    .replaceAll("$ABS", () => root)
    .replaceAll("$ONE", () => root.replace(/^\/+/, "/"))
    .replaceAll("$OUT", () => join(dirname(root), "outside"))
    .replaceAll("$UP", () => basename(dirname(root)));

function entryOf(line: string): TreeEntry {
  const [name, target] = line.split(" => ") as [string, string?];
  if (target !== undefined) return { kind: "link", path: name, target };
  const [path, text = path] = name.split(" = ") as [string, string?];
  return path.endsWith("/") ? { kind: "directory", path: path.slice(0, -1) } : { kind: "file", path, text };
}
