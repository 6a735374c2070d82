import { Fault } from "../../base/errors.ts";
import { SPECIAL_NAMES } from "../place.ts";
import type { MountableStorage, Storage } from "../storage.ts";
import { type DirectoryNode, newDirectory, newFile } from "./nodes.ts";
import { createMemoryStorage } from "./storage.ts";

/**
 * Maps paths to contents, such as `{ "src/main.ts": "text" }`. A path that ends in "/" is a directory without entries,
 * with the content "".
 */
export type MemoryFiles = Readonly<Record<string, string | Uint8Array>>;

/** Files in memory, with their history and trash: for agents under test, dry runs and scratch directories. */
export interface MemoryStorage extends MountableStorage {
  /** Returns all files as they are now: text where the bytes are UTF-8, else bytes. Links are left out. */
  files(): MemoryFiles;
}

/** Creates files in memory, to be used as a root: `createHoldfast({ roots: [{ name: "project", storage }] })`. */
export function memoryStorage(files: MemoryFiles = {}): MemoryStorage {
  const top = newDirectory();
  for (const [path, content] of Object.entries(files)) addFile(top, path, content);
  let mounted: Storage | undefined;
  return {
    mount(root) {
      mounted ??= createMemoryStorage(root, top);
      if (mounted.roots[0] === root) return mounted;
      throw new Fault(
        "invalid_input",
        `Cannot use one storage as ${mounted.roots[0]} and as ${root}: its history has one name`,
      );
    },
    files: () => Object.fromEntries(filesIn(top, "")),
  };
}

function addFile(top: DirectoryNode, path: string, content: string | Uint8Array): void {
  const isDirectory = path.endsWith("/");
  const names = (isDirectory ? path.slice(0, -1) : path).split("/");
  if (names.some((name) => SPECIAL_NAMES.has(name) || name.includes("\0")))
    throw addFault(path, 'give a path such as "src/main.ts"');
  if (isDirectory && content.length > 0) throw addFault(path, "a directory has no content");
  const parent = names
    .slice(0, isDirectory ? undefined : -1)
    .reduce((above, name) => directoryIn(above, name, path), top);
  if (isDirectory) return;
  const name = names.at(-1) as string;
  if (parent.children.has(name)) throw addFault(path, "it is a directory as well");
  parent.children.set(name, newFile(Uint8Array.from(typeof content === "string" ? Buffer.from(content) : content)));
}

function directoryIn({ children }: DirectoryNode, name: string, path: string): DirectoryNode {
  const node = children.get(name) ?? newDirectory();
  if (node.kind !== "directory") throw addFault(path, `${JSON.stringify(name)} is a file as well`);
  children.set(name, node);
  return node;
}

const addFault = (path: string, reason: string): Fault =>
  new Fault("invalid_input", `Cannot create ${JSON.stringify(path)} in memory: ${reason}`);

function* filesIn({ children }: DirectoryNode, prefix: string): Generator<readonly [string, string | Uint8Array]> {
  for (const [name, node] of children) {
    const path = prefix + name;
    if (node.kind === "file") yield [path, contentOf(node.bytes)];
    if (node.kind !== "directory") continue;
    if (node.children.size === 0) yield [`${path}/`, ""];
    yield* filesIn(node, `${path}/`);
  }
}

function contentOf(bytes: Uint8Array): string | Uint8Array {
  const text = Buffer.from(bytes).toString();
  return Buffer.from(text).equals(bytes) ? text : Uint8Array.from(bytes);
}
