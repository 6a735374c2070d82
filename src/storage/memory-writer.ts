import { createHash, type Hash } from "node:crypto";
import { Fault, hasCode } from "../base/errors.ts";
import { relativeWithSlash } from "../base/paths.ts";
import { isHashed, versionOf, versionOfLink } from "../base/version.ts";
import type { Content, StorageWriter, Place, Snapshot, Staging } from "./writer.ts";
import {
  type DirectoryNode,
  nodeFacts,
  type FileNode,
  hintAt,
  touchIdentity,
  newDirectory,
  newFile,
  type Node,
  requireFileNode,
  touch,
  copyOfNode,
} from "./memory-nodes.ts";
import type { Facts, SafePath } from "./object.ts";
import { isPath, objectAt, namesWithin, notInside, objectNamed } from "./place.ts";
import { inRoot } from "./resolve.ts";

/** The reference Hands: nothing of it takes time, so nothing can come between. */
export function createMemoryWriter(root: string, top: DirectoryNode): StorageWriter {
  const store = newDirectory();
  const at: Finder = (place) => (isPath(place) ? spotWithin(root, top, place) : spotInStore(store, place));
  return {
    ...prober(at),
    ...movers(at),
    ...changers(at),
    objectFor(path, folder, name) {
      if (!inRoot([root], path)) throw notInside(path);
      return objectNamed("memory", folder, name);
    },
  };
}

/** A name in a directory, whatever is there. */
interface EntryRef {
  readonly parent: DirectoryNode;
  readonly name: string;
}

type Finder = (place: Place) => EntryRef;

function spotWithin(root: string, top: DirectoryNode, path: SafePath): EntryRef {
  const names = namesWithin([root], path);
  const parent = names.slice(0, -1).reduce((above, name) => directoryIn(above, name, path), top);
  return { parent, name: names.at(-1) as string };
}

function directoryIn({ children }: DirectoryNode, name: string, path: Place): DirectoryNode {
  const node = children.get(name);
  if (node?.kind === "directory") return node;
  const [code, state] = IN_THE_WAY[node?.kind ?? "nothing"];
  throw new Fault(code, `Cannot change ${JSON.stringify(path)}: ${state}`, { path });
}

const IN_THE_WAY = {
  nothing: ["not_found", "there is no directory to hold it"],
  file: ["not_a_directory", "a file is in the way"],
  symlink: ["swapped", "a link took the place of a directory"],
} as const;

function spotInStore(store: DirectoryNode, place: Exclude<Place, SafePath>): EntryRef {
  const { store: top, folder, names } = objectAt(place);
  const [first = "", ...within] = names;
  const object = objectNamed(top, folder, first);
  const name = within.pop();
  if (name === undefined) return { parent: store, name: object };
  const parent = [object, ...within].reduce((above, each) => directoryIn(above, each, place), store);
  return { parent, name };
}

const nodeAt = ({ parent, name }: EntryRef): Node | undefined => parent.children.get(name);

function present(spot: EntryRef): Node {
  const node = nodeAt(spot);
  if (node) return node;
  throw new Fault("not_found", `Cannot find ${JSON.stringify(spot.name)}: it is gone`);
}

function put({ parent, name }: EntryRef, node: Node): void {
  if (parent.children.has(name))
    throw new Fault("exists", `Cannot make ${JSON.stringify(name)}: something is there already`);
  parent.children.set(name, node);
  touch(parent);
  hintAt(parent, name);
}

function take({ parent, name }: EntryRef): void {
  if (!parent.children.delete(name)) return;
  touch(parent);
  hintAt(parent, name);
}

function prober(
  at: Finder,
): Pick<StorageWriter, "look" | "see" | "holds" | "isEmpty" | "fingerprint" | "treeBytes" | "entriesIn" | "contentOf"> {
  const looking = <T>(place: Place, use: (node: Node) => T): T | null => {
    const node = unlessMissing(() => nodeAt(at(place)));
    return node ? use(node) : null;
  };
  return {
    look: (place) => looking(place, (node) => nodeFacts(node, place as SafePath)),
    see: (place) => looking(place, (node) => sightingOf(node, place)),
    holds: (path) => unlessMissing(() => at(path)) !== undefined,
    isEmpty: (path) => looking(path, (node) => node.kind === "directory" && node.children.size === 0) ?? true,
    fingerprint: (place) => looking(place, fingerprintOf),
    treeBytes: async (place) => looking(place, treeBytes) ?? 0,
    entriesIn: (place, most, isLeftOut) =>
      looking(place, (node) => {
        const entries = new Map(entriesBelow(node, "", isLeftOut));
        return entries.size > most ? null : entries;
      }),
    contentOf: (place, from = 0, most = Infinity) =>
      looking(place, (node) => (node.kind === "file" ? node.bytes.subarray(from, from + most) : null)),
  };
}

/** Without a directory above there is nothing either. */
function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (hasCode(error, "not_found", "not_a_directory")) return undefined;
    throw error;
  }
}

function sightingOf(node: Node, place: Place): Snapshot {
  const facts = nodeFacts(node, place as SafePath);
  if (node.kind === "symlink") return { facts, version: versionOfLink(Buffer.from(node.target)) };
  const bytes = node.kind === "file" && isHashed(facts) ? node.bytes : undefined;
  return { facts, version: versionOf(facts, bytes) };
}

function treeBytes(node: Node): number {
  if (node.kind === "directory") return [...node.children.values()].reduce((sum, child) => sum + treeBytes(child), 0);
  return node.kind === "file" ? node.bytes.length : 0;
}

function fingerprintOf(node: Node): string {
  const hash = createHash("sha256");
  addTree(node, hash);
  return hash.digest("hex");
}

function* entriesBelow(
  node: Node,
  way: string,
  isLeftOut: (way: string) => boolean,
): Generator<readonly [string, Facts]> {
  if (isLeftOut(way)) return;
  yield [way, nodeFacts(node, way as SafePath)];
  if (node.kind !== "directory") return;
  for (const [name, child] of node.children) yield* entriesBelow(child, relativeWithSlash(way, name), isLeftOut);
}

function addTree(node: Node, hash: Hash): void {
  hash.update(`${node.id} ${node.changed}\n`);
  if (node.kind !== "directory") return;
  for (const [name, child] of node.children) {
    hash.update(`${name}\0`);
    addTree(child, hash);
  }
  hash.update("/");
}

function movers(
  at: Finder,
): Pick<
  StorageWriter,
  "stage" | "move" | "exchange" | "isOneDisk" | "isMounted" | "keep" | "makeDirectory" | "remove" | "erase"
> {
  return {
    async stage(place, content, staging) {
      if ("copyOf" in content) requireApart(present(at(content.copyOf)), at(place));
      put(at(place), await made(at, content, staging));
    },
    move: (from, to, how) => move(at(from), at(to), how),
    exchange: (one, other) => exchange(at(one), at(other)),
    isOneDisk: (from, to) => Boolean(at(from) && at(to)),
    isMounted: () => false,
    keep: (path, object) => put(at(object), copyOfNode(fileAt(at(path)), true)),
    makeDirectory: (path) => put(at(path), newDirectory()),
    remove: (place) => unlessMissing(() => removeOne(at(place))),
    erase: async (place) => unlessMissing(() => take(at(place))),
  };
}

/** Made out of sight and put in place in the end: what fails leaves nothing. */
async function made(at: Finder, content: Content, staging: Staging): Promise<Node> {
  const { like, mode } = staging;
  const node =
    "bytes" in content ? newFile(Uint8Array.from(content.bytes)) : await copyOf(present(at(content.copyOf)), staging);
  if (node.kind === "symlink") return node;
  if (like !== undefined) node.mode = fileAt(at(like)).mode;
  if (mode !== undefined) node.mode = mode;
  return node;
}

async function copyOf(node: Node, staging: Staging): Promise<Node> {
  await staging.checkpoint?.();
  const twin = copyOfNode(node, staging.keepTimes);
  if (node.kind !== "directory" || twin.kind !== "directory") return twin;
  for (const [name, child] of node.children) twin.children.set(name, await copyOf(child, staging));
  return twin;
}

const fileAt = (spot: EntryRef): FileNode => requireFileNode(present(spot), spot.name);

function move(from: EntryRef, to: EntryRef, how: "new" | "over"): void {
  const node = present(from);
  const there = nodeAt(to);
  if (there === node && how === "over") return;
  requireApart(node, to);
  if (there && how === "over") makeWay(to, there, node);
  put(to, node);
  take(from);
  touchIdentity(node);
}

function exchange(one: EntryRef, other: EntryRef): true {
  const [first, second] = [present(one), present(other)];
  requireApart(first, other);
  requireApart(second, one);
  take(one);
  take(other);
  put(one, second);
  put(other, first);
  touchIdentity(first);
  touchIdentity(second);
  return true;
}

function requireApart(node: Node, { parent, name }: EntryRef): void {
  if (isIn(parent, node))
    throw new Fault("invalid_input", `Cannot make ${JSON.stringify(name)}: a directory cannot be put into itself`);
}

const isIn = (directory: DirectoryNode, node: Node): boolean =>
  directory === node ||
  (node.kind === "directory" && [...node.children.values()].some((child) => isIn(directory, child)));

/** A file goes over a file or link, a directory over an empty one: what else is there stays. */
function makeWay(spot: EntryRef, there: Node, node: Node): void {
  if (there.kind !== "directory" && node.kind === "directory")
    throw new Fault("not_a_directory", `Cannot replace ${JSON.stringify(spot.name)}: it is not a directory`);
  if (there.kind === "directory" && node.kind !== "directory") requireFileNode(there, spot.name);
  removeOne(spot);
}

function removeOne(spot: EntryRef): void {
  const node = nodeAt(spot);
  if (node?.kind === "directory" && node.children.size > 0)
    throw new Fault("not_empty", `Cannot remove ${JSON.stringify(spot.name)}: the directory is not empty`);
  take(spot);
}

function changers(at: Finder): Pick<StorageWriter, "setMode" | "append" | "rewrite" | "cut"> {
  return {
    setMode: (path, mode) => setMode(at(path), mode),
    append(path, bytes, size) {
      const file = fileAt(at(path));
      if (file.bytes.length !== size) throw stale(path);
      setBytes(at(path), Buffer.concat([file.bytes, bytes]));
    },
    rewrite(path, bytes) {
      fileAt(at(path));
      setBytes(at(path), Uint8Array.from(bytes));
    },
    cut(path, size) {
      const file = fileAt(at(path));
      if (file.bytes.length < size) throw stale(path);
      setBytes(at(path), file.bytes.slice(0, size));
    },
  };
}

function setMode(spot: EntryRef, mode: number): void {
  const node = present(spot);
  if (node.kind === "symlink") requireFileNode(node, spot.name);
  node.mode = mode;
  touchIdentity(node);
  hintAt(spot.parent, spot.name);
}

function setBytes(spot: EntryRef, bytes: Uint8Array): void {
  const file = fileAt(spot);
  file.bytes = bytes;
  touch(file);
  hintAt(spot.parent, spot.name);
}

const stale = (path: SafePath): Fault =>
  new Fault("stale", `Cannot change ${JSON.stringify(path)}: its size is another by now`, { path });
