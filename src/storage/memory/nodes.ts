import { Fault } from "../../base/errors.ts";
import type { Facts, SafePath } from "../facts.ts";

/** Describes the content of a memory storage: bytes, a link by its target, or a directory of the same. */
export type MemoryTree = Uint8Array | string | MemoryDirectory;

export type MemoryDirectory = { readonly [name: string]: MemoryTree };

export type Node = FileNode | LinkNode | DirectoryNode;

/** Replaces its bytes and never changes them in place: a copy may share them. */
export interface FileNode extends NodeMetadata {
  readonly kind: "file";
  bytes: Uint8Array;
}

export interface LinkNode extends NodeMetadata {
  readonly kind: "symlink";
  readonly target: string;
}

export interface DirectoryNode extends NodeMetadata {
  readonly kind: "directory";
  readonly children: Map<string, Node>;
  /** Holds the watchers of this directory. */
  readonly listeners: Set<(name: string) => void>;
}

interface NodeMetadata {
  readonly id: number;
  readonly createdMs: number;
  mode: number;
  modifiedMs: number;
  /** Gets another number with every change, however fast they follow each other. */
  changed: number;
}

let lastTick = 0;

const newMetadata = (mode: number): NodeMetadata => {
  const now = Date.now();
  return { id: ++lastTick, createdMs: now, mode, modifiedMs: now, changed: lastTick };
};

export const newFile = (bytes: Uint8Array): FileNode => ({ ...newMetadata(0o644), kind: "file", bytes });

export function newDirectory(children: readonly (readonly [string, Node])[] = []): DirectoryNode {
  return { ...newMetadata(0o755), kind: "directory", children: new Map(children), listeners: new Set() };
}

export const directoryFrom = (tree: MemoryDirectory): DirectoryNode =>
  newDirectory(Object.entries(tree).map(([name, child]) => [name, nodeFrom(child)] as const));

function nodeFrom(tree: MemoryTree): Node {
  if (tree instanceof Uint8Array) return newFile(tree);
  if (typeof tree === "string") return { ...newMetadata(0o777), kind: "symlink", target: tree };
  return directoryFrom(tree);
}

export function updateTimes(node: Node): void {
  node.modifiedMs = Date.now();
  node.changed = ++lastTick;
}

/** Marks that metadata changed, but not the content. */
export function touchIdentity(node: Node): void {
  node.changed = ++lastTick;
}

/** Hints to the watchers of a directory that a name in it may have changed. */
export function notifyWatchers({ listeners }: DirectoryNode, name: string): void {
  for (const hint of listeners) hint(name);
}

/** Copies content and mode to an object of its own. A directory is copied without its entries. */
export function copyOfNode(node: Node, keepTimes: boolean | undefined): Node {
  const { id, createdMs, changed, modifiedMs } = newMetadata(node.mode);
  const copy = { ...node, id, createdMs, changed, modifiedMs: keepTimes ? node.modifiedMs : modifiedMs };
  return copy.kind === "directory" ? { ...copy, children: new Map(), listeners: new Set() } : copy;
}

export function requireFileNode(node: Node, name: string): FileNode {
  if (node.kind === "file") return node;
  const [code, state] = NOT_A_FILE[node.kind];
  throw new Fault(code, `Cannot use ${JSON.stringify(name)}: ${state}`);
}

const NOT_A_FILE = {
  directory: ["not_a_file", "it is a directory"],
  symlink: ["swapped", "a link took its place"],
} as const;

export function nodeFacts(node: Node, path: SafePath): Facts {
  const { kind, id, createdMs, modifiedMs, changed, mode } = node;
  return {
    path,
    kind,
    size: kind === "file" ? node.bytes.length : 0,
    modifiedMs,
    createdMs,
    accessedMs: modifiedMs,
    mode,
    links: 1,
    owner: "memory",
    identity: `memory:${id}`,
    times: `${modifiedMs}:${changed}`,
  };
}
