import { Fault } from "../../base/errors.ts";
import { childOf } from "../../base/paths.ts";
import type { ByteSource } from "../../content/byte-source.ts";
import type { ResolveStep, StepReader } from "../../storage/resolve.ts";
import type { DirectoryHandle, Entry, Facts, OpenFile, SafePath } from "../../storage/storage.ts";
import { type ArchiveNode, type ArchiveTree, isDirectory } from "./archive-tree.ts";

/** Lets `resolve` walk through an archive: its top is the only root, so no link leads out of it. */
export const stepsIn = ({
  tree,
  top,
}: {
  readonly tree: ArchiveTree;
  readonly top: SafePath;
}): StepReader<ArchiveNode> => ({
  roots: [top],
  openRoot: () => tree.top,
  step,
  close: () => {},
});

function step(from: ArchiveNode, name: string): ResolveStep<ArchiveNode> {
  const handle = isDirectory(from) ? from.children.get(name) : undefined;
  if (!handle) return { kind: "missing" };
  if (handle.kind !== "symlink") return { kind: isDirectory(handle) ? "directory" : "leaf", handle };
  return { kind: "link", handle, target: handle.target ?? "" };
}

/** Returns the facts of a node. What the archive does not say is that of the archive itself. */
export function factsOfNode(archive: Facts, node: ArchiveNode, path: SafePath): Facts {
  const entry = isDirectory(node) ? node.entry : node;
  const modifiedMs = entry?.modifiedMs || archive.modifiedMs;
  return {
    path,
    kind: node.kind,
    size: entry?.size ?? 0,
    modifiedMs,
    createdMs: modifiedMs,
    accessedMs: modifiedMs,
    mode: entry?.mode ?? 0o755,
    links: 1,
    owner: archive.owner,
    identity: `${archive.identity}!${path}`,
    times: `${archive.times}:${modifiedMs}`,
  };
}

type ClosableFile = OpenFile & { end(): Promise<void> };

/** Opens a file of an archive. Its bytes are unpacked when they are read. */
export async function openArchiveFile(
  { tree, file }: { readonly tree: ArchiveTree; readonly file: OpenFile },
  node: ArchiveNode,
  path: SafePath,
  source: ByteSource,
): Promise<ClosableFile> {
  if (isDirectory(node))
    throw new Fault("not_a_file", `Cannot open ${JSON.stringify(path)}: it is a directory`, { path });
  if (node.kind !== "file") throw specialFault(path, "it is a special file");
  if (node.problem !== undefined) throw specialFault(path, node.problem);
  const { sourceOfStream } = await import("../../content/archives/entry-source.ts");
  const { read, end } = sourceOfStream(node.size, () => tree.archive.bytesOf(source, node));
  return { facts: factsOfNode(file.facts, node, path), read, end };
}

const specialFault = (path: SafePath, state: string): Fault =>
  new Fault("special_file", `Cannot read ${JSON.stringify(path)}: ${state}`, {
    path,
    hint: "Other entries of the archive can be read; use another program for this one",
  });

/** Opens a directory of an archive. It is in memory, so it needs no open file. */
export function openArchiveDirectory(archive: Facts, node: ArchiveNode, path: SafePath): DirectoryHandle {
  if (!isDirectory(node))
    throw new Fault("not_a_directory", `Cannot open ${JSON.stringify(path)}: it is a file`, { path });
  const child = ({ name }: Entry): ArchiveNode | undefined => node.children.get(name);
  const enter = (entry: Entry): DirectoryHandle =>
    openArchiveDirectory(archive, child(entry) as ArchiveNode, childOf(path, entry.name));
  return {
    path,
    facts: () => factsOfNode(archive, node, path),
    entries: () => Array.from(node.children, ([name, { kind }]) => ({ name, kind })),
    stat(entry) {
      const found = child(entry);
      return found ? factsOfNode(archive, found, childOf(path, entry.name)) : null;
    },
    openDirectory: enter,
    withDirectory: async (entry, use) => use(enter(entry)),
    watch() {
      throw new Fault("special_file", `Cannot watch ${JSON.stringify(path)}: it is inside an archive`, {
        path,
        hint: "Watch the archive itself",
      });
    },
    close: () => {},
  };
}
