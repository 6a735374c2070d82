import { createHash, type Hash } from "node:crypto";
import { collectBytes } from "../../base/collect-bytes.ts";
import { Fault, hasCode } from "../../base/errors.ts";
import { nameIn, parentOf, relativeWithSlash } from "../../base/paths.ts";
import { isHashed, versionOf, versionOfLink } from "../../base/version.ts";
import type { Content, StorageWriter, Place, Snapshot, Staging } from "../writer.ts";
import {
  type DirectoryNode,
  nodeFacts,
  type FileNode,
  notifyWatchers,
  touchIdentity,
  newDirectory,
  newFile,
  type Node,
  requireFileNode,
  updateTimes,
  copyOfNode,
} from "./nodes.ts";
import type { Facts, SafePath } from "../facts.ts";
import type { StreamedTree } from "../streamed-tree.ts";
import { isPath, placeInStore, namesWithin, notInsideFault, objectNamed } from "../place.ts";
import { innermostRoot } from "../resolve.ts";

/** The reference StorageWriter: its operations are synchronous, so nothing can come between them. */
export function createMemoryWriter(root: string, top: DirectoryNode): StorageWriter {
  const store = newDirectory();
  const at: Finder = (place) => (isPath(place) ? entryInRoot(root, top, place) : entryInStore(store, place));
  return {
    ...createProber(at),
    ...createMovers(at),
    ...createChangers(at),
    objectFor(path, folder, name) {
      if (!innermostRoot([root], path)) throw notInsideFault(path);
      return objectNamed("memory", folder, name);
    },
  };
}

/** Refers to a name in a directory, whatever is there. */
interface EntryRef {
  readonly parent: DirectoryNode;
  readonly name: string;
}

type Finder = (place: Place) => EntryRef;

function entryInRoot(root: string, top: DirectoryNode, path: SafePath): EntryRef {
  const names = namesWithin([root], path);
  const parent = names.slice(0, -1).reduce((above, name) => directoryIn(above, name, path), top);
  return { parent, name: names.at(-1) as string };
}

function directoryIn({ children }: DirectoryNode, name: string, path: Place): DirectoryNode {
  const node = children.get(name);
  if (node?.kind === "directory") return node;
  const [code, state] = OBSTACLES[node?.kind ?? "nothing"];
  throw new Fault(code, `Cannot change ${JSON.stringify(path)}: ${state}`, { path });
}

const OBSTACLES = {
  nothing: ["not_found", "its parent directory does not exist"],
  file: ["not_a_directory", "a file is in the way"],
  symlink: ["swapped", "a link took the place of a directory"],
} as const;

function entryInStore(store: DirectoryNode, place: Exclude<Place, SafePath>): EntryRef {
  const { store: top, folder, names } = placeInStore(place);
  const [first = "", ...within] = names;
  const object = objectNamed(top, folder, first);
  const name = within.pop();
  if (name === undefined) return { parent: store, name: object };
  const parent = [object, ...within].reduce((above, each) => directoryIn(above, each, place), store);
  return { parent, name };
}

const nodeAt = ({ parent, name }: EntryRef): Node | undefined => parent.children.get(name);

function requireNode(ref: EntryRef): Node {
  const node = nodeAt(ref);
  if (node) return node;
  throw new Fault("not_found", `Cannot find ${JSON.stringify(ref.name)}: it is gone`);
}

function insert({ parent, name }: EntryRef, node: Node): void {
  if (parent.children.has(name))
    throw new Fault("exists", `Cannot make ${JSON.stringify(name)}: something is there already`);
  parent.children.set(name, node);
  updateTimes(parent);
  notifyWatchers(parent, name);
}

function detach({ parent, name }: EntryRef): void {
  if (!parent.children.delete(name)) return;
  updateTimes(parent);
  notifyWatchers(parent, name);
}

function createProber(
  at: Finder,
): Pick<
  StorageWriter,
  "stat" | "snapshot" | "hasParent" | "isEmpty" | "fingerprint" | "treeBytes" | "entriesIn" | "contentOf"
> {
  const withNode = <T>(place: Place, use: (node: Node) => T): T | null => {
    const node = unlessMissing(() => nodeAt(at(place)));
    return node ? use(node) : null;
  };
  return {
    stat: (place) => withNode(place, (node) => nodeFacts(node, place as SafePath)),
    snapshot: (place) => withNode(place, (node) => snapshotOf(node, place)),
    hasParent: (path) => unlessMissing(() => at(path)) !== undefined,
    isEmpty: (path) => withNode(path, (node) => node.kind === "directory" && node.children.size === 0) ?? true,
    fingerprint: (place) => withNode(place, fingerprintOf),
    treeBytes: async (place) => withNode(place, treeBytes) ?? 0,
    entriesIn: (place, most, isExcluded) =>
      withNode(place, (node) => {
        const entries = new Map(entriesBelow(node, "", isExcluded));
        return entries.size > most ? null : entries;
      }),
    contentOf: (place, from = 0, most = Infinity) =>
      withNode(place, (node) => (node.kind === "file" ? node.bytes.subarray(from, from + most) : null)),
  };
}

/** Treats a missing parent directory like a missing entry. */
function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (hasCode(error, "not_found", "not_a_directory")) return undefined;
    throw error;
  }
}

function snapshotOf(node: Node, place: Place): Snapshot {
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
  hashTree(node, hash);
  return hash.digest("hex");
}

function* entriesBelow(
  node: Node,
  relativePath: string,
  isExcluded: (relativePath: string) => boolean,
): Generator<readonly [string, Facts]> {
  if (isExcluded(relativePath)) return;
  yield [relativePath, nodeFacts(node, relativePath as SafePath)];
  if (node.kind !== "directory") return;
  for (const [name, child] of node.children)
    yield* entriesBelow(child, relativeWithSlash(relativePath, name), isExcluded);
}

function hashTree(node: Node, hash: Hash): void {
  hash.update(`${node.id} ${node.changed}\n`);
  if (node.kind !== "directory") return;
  for (const [name, child] of node.children) {
    hash.update(`${name}\0`);
    hashTree(child, hash);
  }
  hash.update("/");
}

function createMovers(
  at: Finder,
): Pick<
  StorageWriter,
  "stage" | "move" | "exchange" | "isSameDisk" | "isMounted" | "backUp" | "makeDirectory" | "remove" | "erase"
> {
  return {
    async stage(place, content, staging) {
      if ("copyOf" in content) requireNotInside(requireNode(at(content.copyOf)), at(place));
      insert(at(place), await createNode(at, content, staging));
    },
    move: (from, to, how) => move(at(from), at(to), how),
    exchange: (one, other) => nodeFacts(exchange(at(one), at(other)), one as SafePath),
    isSameDisk: (from, to) => Boolean(at(from) && at(to)),
    isMounted: () => false,
    backUp: (path, object) => insert(at(object), copyOfNode(fileAt(at(path)), true)),
    makeDirectory: (path) => insert(at(path), newDirectory()),
    remove: (place) => unlessMissing(() => removeOne(at(place))),
    erase: async (place) => unlessMissing(() => detach(at(place))),
  };
}

/** Builds the node before it is inserted, so that a failure leaves nothing behind. */
async function createNode(at: Finder, content: Content, staging: Staging): Promise<Node> {
  const { like, mode } = staging;
  const node =
    "bytes" in content
      ? newFile(Uint8Array.from(content.bytes))
      : "streamed" in content
        ? await streamedNode(content.streamed, staging)
        : await copyOf(requireNode(at(content.copyOf)), staging);
  if (node.kind === "symlink") return node;
  if (like !== undefined) node.mode = fileAt(at(like)).mode;
  if (mode !== undefined) node.mode = mode;
  return node;
}

/** Creates what a stream holds, with its permissions and times. */
async function streamedNode(tree: StreamedTree, { checkpoint }: Staging): Promise<FileNode | DirectoryNode> {
  const made = new Map<string, FileNode | DirectoryNode>();
  await tree.withContents(async (bytesOf) => {
    for (const entry of tree.entries) {
      await checkpoint?.();
      const { path, kind, mode, modifiedMs, copyOf: same = path } = entry;
      const content = async () =>
        (made.get(same) as FileNode | undefined)?.bytes ?? (await collectBytes(bytesOf(entry)));
      const node = kind === "directory" ? newDirectory() : newFile(await content());
      if (mode !== undefined) node.mode = mode;
      if (modifiedMs) node.modifiedMs = modifiedMs;
      made.set(path, node);
      const parent = made.get(path.includes("/") ? parentOf(path) : "");
      if (path !== "" && parent?.kind === "directory") parent.children.set(nameIn(path), node);
    }
  });
  return made.get("") as FileNode | DirectoryNode;
}

async function copyOf(node: Node, staging: Staging): Promise<Node> {
  await staging.checkpoint?.();
  const copy = copyOfNode(node, staging.keepTimes);
  if (node.kind !== "directory" || copy.kind !== "directory") return copy;
  for (const [name, child] of node.children) copy.children.set(name, await copyOf(child, staging));
  return copy;
}

const fileAt = (ref: EntryRef): FileNode => requireFileNode(requireNode(ref), ref.name);

function move(from: EntryRef, to: EntryRef, how: "new" | "over"): void {
  const node = requireNode(from);
  const replaced = nodeAt(to);
  if (replaced === node && how === "over") return;
  requireNotInside(node, to);
  if (replaced && how === "over") removeReplaced(to, replaced, node);
  insert(to, node);
  detach(from);
  touchIdentity(node);
}

/** Returns what is at the first place then. */
function exchange(one: EntryRef, other: EntryRef): Node {
  const [first, second] = [requireNode(one), requireNode(other)];
  requireNotInside(first, other);
  requireNotInside(second, one);
  detach(one);
  detach(other);
  insert(one, second);
  insert(other, first);
  touchIdentity(first);
  touchIdentity(second);
  return second;
}

function requireNotInside(node: Node, { parent, name }: EntryRef): void {
  if (isIn(parent, node))
    throw new Fault("invalid_input", `Cannot make ${JSON.stringify(name)}: a directory cannot be put into itself`);
}

const isIn = (directory: DirectoryNode, node: Node): boolean =>
  directory === node ||
  (node.kind === "directory" && [...node.children.values()].some((child) => isIn(directory, child)));

/** Lets a file replace a file or link, and a directory an empty one; refuses anything else. */
function removeReplaced(ref: EntryRef, replaced: Node, node: Node): void {
  if (replaced.kind !== "directory" && node.kind === "directory")
    throw new Fault("not_a_directory", `Cannot replace ${JSON.stringify(ref.name)}: it is not a directory`);
  if (replaced.kind === "directory" && node.kind !== "directory") requireFileNode(replaced, ref.name);
  removeOne(ref);
}

function removeOne(ref: EntryRef): void {
  const node = nodeAt(ref);
  if (node?.kind === "directory" && node.children.size > 0)
    throw new Fault("not_empty", `Cannot remove ${JSON.stringify(ref.name)}: the directory is not empty`);
  detach(ref);
}

function createChangers(at: Finder): Pick<StorageWriter, "setMode" | "append" | "rewrite" | "truncate"> {
  return {
    setMode: (path, mode) => setMode(at(path), mode),
    append(path, bytes, size) {
      const file = fileAt(at(path));
      if (file.bytes.length !== size) throw staleFault(path);
      setBytes(at(path), Buffer.concat([file.bytes, bytes]));
    },
    rewrite(path, bytes) {
      fileAt(at(path));
      setBytes(at(path), Uint8Array.from(bytes));
    },
    truncate(path, size) {
      const file = fileAt(at(path));
      if (file.bytes.length < size) throw staleFault(path);
      setBytes(at(path), file.bytes.slice(0, size));
    },
  };
}

function setMode(ref: EntryRef, mode: number): void {
  const node = requireNode(ref);
  if (node.kind === "symlink") requireFileNode(node, ref.name);
  node.mode = mode;
  touchIdentity(node);
  notifyWatchers(ref.parent, ref.name);
}

function setBytes(ref: EntryRef, bytes: Uint8Array): void {
  const file = fileAt(ref);
  file.bytes = bytes;
  updateTimes(file);
  notifyWatchers(ref.parent, ref.name);
}

const staleFault = (path: SafePath): Fault =>
  new Fault("stale", `Cannot change ${JSON.stringify(path)}: its size has changed`, { path });
