import { Fault } from "../../base/errors.ts";
import { childOf } from "../../base/paths.ts";
import { createMemoryWriter } from "./writer.ts";
import { type DirectoryNode, nodeFacts, type Node } from "./nodes.ts";
import { createMemoryState } from "./state.ts";
import {
  foundOrNull,
  type ResolvedEntry,
  isAbsent,
  absentDestination,
  resolve,
  type ResolveStep,
  type StepReader,
} from "../resolve.ts";
import type { Guarantees } from "../writer.ts";
import type { Entry, DirectoryHandle, LastLink, OpenFile, SafePath, Storage } from "../storage.ts";

/** Serves a tree in memory as a root, together with its history: nothing of it touches a disk. */
export function createMemoryStorage(root: string, top: DirectoryNode): Storage {
  const steps: StepReader<Node> = { roots: [root], openRoot: () => top, step, close: () => {} };
  const find = (path: SafePath, last: LastLink): ResolvedEntry<Node> | null =>
    foundOrNull(resolve(steps, path, last), path);
  return {
    capabilities: { symlinks: true, permissions: false, containment: "in-memory" },
    roots: [root],
    space: () => null,
    isWritable: () => true,
    writer: { kind: "transactional", guarantees: GUARANTEES, writer: createMemoryWriter(root, top) },
    state: createMemoryState(),
    onHintsLost: () => () => {},
    stat: async (path, last) => {
      const found = find(path, last);
      return found && nodeFacts(found.handle, found.path);
    },
    destination: async (path, last) => {
      const found = resolve(steps, path, last);
      if (isAbsent(found)) return absentDestination(found, path);
      return { place: found.path, facts: nodeFacts(found.handle, found.path), missing: [] };
    },
    withFile: async (path, use) => use(openFile(requireFound(find(path, "follow"), path))),
    withDirectory: async (path, use) => use(openDirectory(requireFound(find(path, "follow"), path))),
    openDirectory: (path) => openDirectory(requireFound(find(path, "follow"), path)),
  };
}

/** Nothing in memory survives the process. */
const GUARANTEES: Guarantees = {
  changeSet: "atomic",
  file: "exchange",
  rename: "constant",
  durable: false,
  links: true,
  permissions: true,
  times: true,
  directories: true,
};

function step(from: Node, name: string): ResolveStep<Node> {
  const handle = from.kind === "directory" ? from.children.get(name) : undefined;
  if (!handle) return { kind: "missing" };
  if (handle.kind === "symlink") return { kind: "link", handle, target: handle.target };
  return { kind: handle.kind === "directory" ? "directory" : "leaf", handle };
}

function requireFound(found: ResolvedEntry<Node> | null, path: SafePath): ResolvedEntry<Node> {
  if (found) return found;
  throw new Fault("not_found", `Cannot open ${JSON.stringify(path)}: it does not exist`, { path });
}

function openFile({ handle, path }: ResolvedEntry<Node>): OpenFile {
  if (handle.kind !== "file")
    throw new Fault("not_a_file", `Cannot open ${JSON.stringify(path)}: it is a directory`, { path });
  return {
    facts: nodeFacts(handle, path),
    read: async (into, position) => copyInto(into, handle.bytes.subarray(position)),
  };
}

function copyInto(into: Uint8Array, from: Uint8Array): number {
  const part = from.subarray(0, into.length);
  into.set(part);
  return part.length;
}

function openDirectory({ handle, path }: { handle: Node; path: SafePath }): DirectoryHandle {
  if (handle.kind !== "directory") {
    throw new Fault("not_a_directory", `Cannot open ${JSON.stringify(path)}: it is a file`, { path });
  }
  const child = ({ name }: Entry) => handle.children.get(name);
  const placeOf = ({ name }: Entry) => childOf(path, name);
  const enter = (entry: Entry) =>
    openDirectory({ handle: directoryAt(child(entry), placeOf(entry)), path: placeOf(entry) });
  const entries = () => [...handle.children].map(([name, { kind }]) => ({ name, kind }));
  return {
    path,
    facts: () => nodeFacts(handle, path),
    entries,
    stat: (entry) => {
      const node = child(entry);
      return node ? nodeFacts(node, placeOf(entry)) : null;
    },
    openDirectory: enter,
    withDirectory: async (entry, use) => use(enter(entry)),
    watch(hint, purpose) {
      // Wraps the hint, so that two watches with the same hint stay apart.
      const own = (name: string): void => hint(name, purpose);
      handle.listeners.add(own);
      return { close: () => void handle.listeners.delete(own) };
    },
    close: () => {},
  };
}

function directoryAt(node: Node | undefined, path: SafePath): Node {
  if (node?.kind === "directory") return node;
  throw new Fault("swapped", `Cannot open ${JSON.stringify(path)}: it is no longer a directory`, { path });
}
