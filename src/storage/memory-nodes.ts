import { Fault } from "../base/errors.ts";
import type { Facts, SafePath } from "./object.ts";

/** What to put into a memory storage: bytes, a link by its target, or a directory of the same. */
export type Planted = Uint8Array | string | { readonly [name: string]: Planted };

export type Node = FileNode | LinkNode | DirectoryNode;

/** Bytes are replaced, never changed in place: a copy may share them. */
export interface FileNode extends Stamp {
  readonly kind: "file";
  bytes: Uint8Array;
}

export interface LinkNode extends Stamp {
  readonly kind: "symlink";
  readonly target: string;
}

export interface DirectoryNode extends Stamp {
  readonly kind: "directory";
  readonly children: Map<string, Node>;
  /** Who watches it. */
  readonly hints: Set<(name: string) => void>;
}

interface Stamp {
  readonly id: number;
  readonly bornMs: number;
  mode: number;
  modifiedMs: number;
  /** Another number after every change, however fast they follow each other. */
  changed: number;
}

let lastTick = 0;

const newStamp = (mode: number): Stamp => {
  const now = Date.now();
  return { id: ++lastTick, bornMs: now, mode, modifiedMs: now, changed: lastTick };
};

export const newFile = (bytes: Uint8Array): FileNode => ({ ...newStamp(0o644), kind: "file", bytes });

export function newDirectory(children: readonly (readonly [string, Node])[] = []): DirectoryNode {
  return { ...newStamp(0o755), kind: "directory", children: new Map(children), hints: new Set() };
}

export function grow(planted: Planted): Node {
  if (planted instanceof Uint8Array) return newFile(planted);
  if (typeof planted === "string") return { ...newStamp(0o777), kind: "symlink", target: planted };
  return newDirectory(Object.entries(planted).map(([name, child]) => [name, grow(child)] as const));
}

/** Marks that the content changed. */
export function touch(node: Node): void {
  node.modifiedMs = Date.now();
  node.changed = ++lastTick;
}

/** Marks that something about it changed, but not its content. */
export function touchIdentity(node: Node): void {
  node.changed = ++lastTick;
}

/** Tells whoever watches a directory that a name in it is worth a look. */
export function hintAt({ hints }: DirectoryNode, name: string): void {
  for (const hint of hints) hint(name);
}

/** The same content and mode as an object of its own. A directory comes without what is in it. */
export function copyOfNode(node: Node, keepTimes: boolean | undefined): Node {
  const { id, bornMs, changed, modifiedMs } = newStamp(node.mode);
  const twin = { ...node, id, bornMs, changed, modifiedMs: keepTimes ? node.modifiedMs : modifiedMs };
  return twin.kind === "directory" ? { ...twin, children: new Map(), hints: new Set() } : twin;
}

export function requireFileNode(node: Node, name: string): FileNode {
  if (node.kind === "file") return node;
  const [code, state] = WRONG[node.kind];
  throw new Fault(code, `Cannot use ${JSON.stringify(name)}: ${state}`);
}

const WRONG = {
  directory: ["not_a_file", "it is a directory"],
  symlink: ["swapped", "a link took its place"],
} as const;

export function nodeFacts(node: Node, path: SafePath): Facts {
  const { kind, id, bornMs, modifiedMs, changed, mode } = node;
  return {
    path,
    kind,
    size: kind === "file" ? node.bytes.length : 0,
    modifiedMs,
    createdMs: bornMs,
    accessedMs: modifiedMs,
    mode,
    links: 1,
    owner: "memory",
    identity: `memory:${id}`,
    times: `${modifiedMs}:${changed}`,
  };
}
