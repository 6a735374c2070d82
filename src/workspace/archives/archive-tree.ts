import type { Archive } from "../../content/archives/archive.ts";
import type { ArchiveEntry } from "../../content/archives/archive-entry.ts";

/** A directory of an archive; many archives do not list theirs. */
export interface ArchiveDirectory {
  readonly kind: "directory";
  readonly children: Map<string, ArchiveNode>;
  /** Is absent for a directory that the archive does not list. */
  entry?: ArchiveEntry;
}

export type ArchiveNode = ArchiveDirectory | ArchiveEntry;

/** A listed archive as a tree. */
export interface ArchiveTree {
  readonly archive: Archive;
  readonly top: ArchiveDirectory;
}

export function treeOf(archive: Archive): ArchiveTree {
  const top = emptyDirectory();
  // What a tar lists last is what unpacking leaves; a zip must not name anything twice.
  const isLastInForce = archive.format !== "zip";
  for (const entry of archive.entries) {
    const names = entry.path.split("/");
    const name = names.pop() as string;
    const parent = names.reduce(directoryIn, top);
    if (name === "") continue;
    if (entry.kind === "directory") directoryIn(parent, name).entry = entry;
    else addLeaf(parent, name, entry, isLastInForce);
  }
  return { archive, top };
}

const emptyDirectory = (): ArchiveDirectory => ({ kind: "directory", children: new Map() });

/** Returns a directory, and makes one in place of a file: the names below it prove that it is one. */
function directoryIn({ children }: ArchiveDirectory, name: string): ArchiveDirectory {
  const there = children.get(name);
  if (there && isDirectory(there)) return there;
  const made = emptyDirectory();
  children.set(name, made);
  return made;
}

function addLeaf({ children }: ArchiveDirectory, name: string, entry: ArchiveEntry, isLastInForce: boolean): void {
  const there = children.get(name);
  if (there && isDirectory(there)) return;
  children.set(
    name,
    there && !isLastInForce ? { ...there, problem: "the archive has several entries of this name" } : entry,
  );
}

export const isDirectory = (node: ArchiveNode): node is ArchiveDirectory => "children" in node;
