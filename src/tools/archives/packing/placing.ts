import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, nameIn, parentOf } from "../../../base/paths.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { StreamedEntry, StreamedTree } from "../../../storage/writer.ts";
import type { Change } from "../../../workspace/changes/change.ts";
import type { Target, View } from "../../../workspace/view.ts";
import { mkdirMissingParents } from "../../fs/changing/preconditions.ts";

interface PlacingOptions {
  readonly into: string;
  readonly tree: StreamedTree;
  /** The top of the archive. */
  readonly origin: SafePath;
  readonly overwrite: boolean;
}

interface Placed {
  readonly top: SafePath;
  readonly changes: readonly Change[];
}

/**
 * Plans where a tree goes. What is new is placed as a whole; directories that are there are merged. Nothing is placed
 * through a link, or over a file unless that is asked for.
 */
export async function placeTree(view: View, { into, tree, origin, overwrite }: PlacingOptions): Promise<Placed> {
  const target = await view.resolveTarget(into, "follow");
  const { place: top, now } = target;
  if (now && now.facts.kind !== "directory")
    throw new Fault("not_a_directory", `Cannot unpack into ${JSON.stringify(into)}: it is a file`, { path: into });
  const changes: Change[] = [];
  const unpack = (node: TreeNode, path: SafePath, replaces: string | null): void => {
    changes.push({ kind: "unpack", path, tree, entry: node.path, entries: entriesBelow(node), replaces, origin });
    requireFewPlaces(changes.length);
  };
  const merge = async (node: TreeNode, directory: SafePath): Promise<void> => {
    for (const child of node.children) {
      const path = childOf(directory, nameIn(child.path));
      const there = await targetAt(view, path);
      if (there && there.facts.kind === "directory" && child.kind === "directory") await merge(child, path);
      else unpack(child, path, there && replacedVersion(view, path, there, child, overwrite));
    }
  };
  const root = nestedTree(tree.entries);
  if (now) await merge(root, top);
  else unpack(root, top, null);
  return { top, changes: [...mkdirMissingParents(target), ...changes] };
}

interface TreeNode extends StreamedEntry {
  readonly children: TreeNode[];
}

/** Nests entries, which are listed with directories before what is in them. */
function nestedTree(entries: readonly StreamedEntry[]): TreeNode {
  const nodes = new Map<string, TreeNode>();
  for (const entry of entries) {
    const node = { ...entry, children: [] };
    nodes.set(entry.path, node);
    if (entry.path !== "") nodes.get(entry.path.includes("/") ? parentOf(entry.path) : "")?.children.push(node);
  }
  return nodes.get("") as TreeNode;
}

function entriesBelow(node: TreeNode): readonly StreamedEntry[] {
  const found: TreeNode[] = [node];
  // Grows while it is read: what is in a directory follows it.
  for (const { children } of found) for (const child of children) found.push(child);
  return found;
}

/** Looks at a place. Throws where a link above it leads elsewhere. */
async function targetAt(view: View, path: SafePath): Promise<Target["now"]> {
  await view.checkpoint();
  const target = await view.resolveTarget(path, "keep");
  if (target.place !== path) throw inTheWay(view, path, "symlink");
  return target.now;
}

/** Returns the version of a file that is replaced. Throws where that is not asked for, or not possible. */
function replacedVersion(
  view: View,
  path: SafePath,
  { facts, version }: NonNullable<Target["now"]>,
  { kind }: StreamedEntry,
  overwrite: boolean,
): string {
  if (facts.kind !== "file" || kind !== "file") throw inTheWay(view, path, facts.kind);
  if (overwrite) return version;
  throw new Fault("exists", `Cannot unpack ${JSON.stringify(view.nameOf(path))}: it is there already`, {
    path: view.nameOf(path),
    hint: "Unpack into another directory, name other members, or set overwrite: true",
  });
}

const inTheWay = (view: View, path: SafePath, kind: string): Fault =>
  new Fault("exists", `Cannot unpack to ${JSON.stringify(view.nameOf(path))}: a ${kind} is in the way`, {
    path: view.nameOf(path),
    hint: "Unpack into another directory",
  });

function requireFewPlaces(count: number): void {
  if (count <= LIMITS.archiveMergedPlaces) return;
  throw new Fault("too_large", `Cannot unpack it there: more than ${LIMITS.archiveMergedPlaces} places would change`, {
    hint: "Unpack into a new directory, or name members",
  });
}
