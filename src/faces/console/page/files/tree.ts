import type { NetFile } from "../../contract.ts";

/** A directory or a file of the tree that a session changed, with the lines of all below it. */
export interface TreeNode {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly added: number;
  readonly removed: number;
  /** Is absent for a directory. */
  readonly file?: NetFile;
}

/** Lists a tree depth-first, directories before files, without what is below closed directories. */
export function treeNodes(files: readonly NetFile[], closed: ReadonlySet<string>): readonly TreeNode[] {
  return nodesBelow(files, "", 0, closed);
}

function nodesBelow(
  files: readonly NetFile[],
  prefix: string,
  depth: number,
  closed: ReadonlySet<string>,
): readonly TreeNode[] {
  const directories = new Map<string, NetFile[]>();
  for (const file of files.filter(({ path }) => isDeeper(path, prefix))) {
    const directory = file.path.slice(0, file.path.indexOf("/", prefix.length) + 1);
    directories.set(directory, [...(directories.get(directory) ?? []), file]);
  }
  const here = files.filter(({ path }) => !isDeeper(path, prefix));
  const directoryNodes = sorted([...directories]).flatMap(([path, inside]) => [
    nodeOf(path, prefix, depth, inside),
    ...(closed.has(path) ? [] : nodesBelow(inside, path, depth + 1, closed)),
  ]);
  const fileNodes = sorted(here.map((file) => [file.path, file] as const)).map(([path, file]) => ({
    ...nodeOf(path, prefix, depth, [file]),
    file,
  }));
  return [...directoryNodes, ...fileNodes];
}

/** A path that ends in a slash names a directory that was changed as a whole: it has no children. */
const isDeeper = (path: string, prefix: string): boolean => {
  const slash = path.indexOf("/", prefix.length);
  return slash !== -1 && slash !== path.length - 1;
};

const sorted = <T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] =>
  entries.toSorted(([one], [other]) => (one < other ? -1 : 1));

function nodeOf(path: string, prefix: string, depth: number, files: readonly NetFile[]): TreeNode {
  const sum = (count: (file: NetFile) => number): number => files.reduce((total, file) => total + count(file), 0);
  return {
    path,
    name: path.slice(prefix.length),
    depth,
    added: sum(({ added = 0 }) => added),
    removed: sum(({ removed = 0 }) => removed),
  };
}

/** Shares five blocks between added and removed lines; few lines fill few blocks, and neither side is left out. */
export function fiveBlocks(added: number, removed: number): readonly ("added" | "removed" | "none")[] {
  const total = added + removed;
  const sides = Number(added > 0) + Number(removed > 0);
  const filled = Math.min(5, Math.max(sides, Math.ceil(Math.log10(total + 1) * 2.5)));
  const share = Math.round((filled * added) / Math.max(1, total));
  const green = Math.min(filled - Number(removed > 0), Math.max(Number(added > 0), share));
  return Array.from({ length: 5 }, (_, index) => (index < green ? "added" : index < filled ? "removed" : "none"));
}
