import { LIMITS } from "../../../base/limits.ts";
import { childOf } from "../../../base/paths.ts";
import { isHashed, isContentVersion } from "../../../base/version.ts";
import type { Place, Snapshot } from "../../../storage/writer.ts";
import { isPath } from "../../../storage/place.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { OverlayNode, OverlayTree } from "./overlay-tree.ts";
import type { Change, Expected, FileState, WriteContent } from "../change.ts";
import type { View } from "../../view.ts";
import { readWholeFile } from "../../read/whole-file.ts";

/** The files as they will be once the changes planned so far are made. */
export interface PlannedState {
  readonly view: View;
  readonly tree: OverlayTree<PlannedContent>;
}

/** Describes what a planned change makes of a place. */
export interface PlannedContent {
  readonly image: FileState;
  /** The new content, where it differs from that of the origin. */
  readonly content?: WriteContent | undefined;
  /** The planned write, as long as it can still be replaced by another. */
  readonly by?: PlannedChanges | undefined;
}

/** Lists the changes that are planned for one path. */
export interface PlannedChanges {
  changes: readonly Change[];
}

/**
 * Describes a place after the planned changes. `expect` is the precondition for the commit; it is undefined where a
 * change of the same set puts the file there, with new times.
 */
export type StateAt = (Omit<FileState, "object" | "fingerprint"> & { readonly expect: Expected }) | null;

export async function stateAt({ view, tree }: PlannedState, place: Place): Promise<StateAt> {
  const there = tree.at(place);
  if (there?.made) return { ...there.made.image, expect: undefined };
  if (there?.origin === undefined) return null;
  const seen = await seenAt(view, there.origin);
  // A version that is made of the content survives a move; one that is made of the times does not.
  const isSure = seen && (there.origin === place || isContentVersion(seen.version));
  return seen && { ...seen.facts, version: seen.version, expect: isSure ? seen.version : undefined };
}

const seenAt = async (view: View, origin: Place): Promise<Snapshot | null> =>
  isPath(origin) ? view.snapshot(origin) : view.history.snapshot(origin);

/**
 * Compares by content where the version is made of it. The version of a large file is made of its times, and a rename
 * changes one of them: such an object is compared by its inode. So are links that were recorded without their target.
 */
export function isSameState(now: StateAt, image: FileState | null): boolean {
  if (!now || !image) return !now && !image;
  const isObject = now.identity === image.identity && now.size === image.size && now.modifiedMs === image.modifiedMs;
  return now.version === image.version || (isObject && !isHashed(now) && now.kind === image.kind);
}

/** Returns the bytes that will be in a file; null where nobody has them. */
export async function contentAt({ view, tree }: PlannedState, place: Place): Promise<Uint8Array | null> {
  const there = tree.at(place);
  if (!there) return null;
  const { made, origin } = there;
  if (made?.content instanceof Uint8Array) return made.content;
  if (typeof made?.content === "string") return view.history.contentOf(made.content);
  const bytes = origin === undefined ? null : await contentNow(view, origin);
  return bytes && made?.content ? bytes.subarray(0, made.content.size) : bytes;
}

const contentNow = async (view: View, origin: Place): Promise<Uint8Array | null> =>
  isPath(origin) ? (await view.withFile(origin, readWholeFile)).bytes : view.history.contentOf(origin);

/** Checks that a directory will have entries. */
export async function willHoldEntries(planned: PlannedState, path: SafePath): Promise<boolean> {
  const there = planned.tree.at(path);
  if (!there) return false;
  for (const name of there.children.keys()) if (await stateAt(planned, childOf(path, name))) return true;
  const names = await namesIn(planned.view, there.origin);
  return names.some((name) => !there.children.has(name));
}

async function namesIn(view: View, origin: Place | undefined): Promise<readonly string[]> {
  if (origin === undefined || (await seenAt(view, origin))?.facts.kind !== "directory") return [];
  if (isPath(origin))
    return view.withDirectory(origin, async (directory) => (await directory.entries()).map(({ name }) => name));
  const found = await view.entriesIn(origin, LIMITS.fingerprintedEntries, () => false);
  const relativePaths = found?.keys() ?? ["more than could be looked at"];
  return [...relativePaths].filter((relativePath) => relativePath !== "" && !relativePath.includes("/"));
}

/** Returns everything that will be in a tree, by relative path; null when there are more entries than the limit. */
export async function entriesAt<M extends { readonly image: FileState }>(
  view: View,
  tree: OverlayTree<M>,
  place: Place,
): Promise<Map<string, TreeEntry> | null> {
  const entries = new Map<string, TreeEntry>();
  const node = tree.at(place);
  return node && (await collectEntries(view, node, "", entries)) ? entries : null;
}

export interface TreeEntry {
  readonly state: Omit<FileState, "version">;
  /** Is set where a planned change makes the entry. */
  readonly made: FileState | undefined;
}

/**
 * Lists each directory on the disk once: skips the entries that the overlay replaces, and adds those from their origin.
 */
async function collectEntries<M extends { readonly image: FileState }>(
  view: View,
  { origin, made, children }: OverlayNode<M>,
  top: string,
  entries: Map<string, TreeEntry>,
): Promise<boolean> {
  if (made) entries.set(top, { state: made.image, made: made.image });
  if (made && made.image.kind !== "directory") return true;
  const left = LIMITS.fingerprintedEntries - entries.size;
  const found =
    origin === undefined ? null : await view.entriesIn(origin, left, (relativePath) => children.has(relativePath));
  if (!found && origin !== undefined && (await seenAt(view, origin))) return false;
  for (const [relativePath, facts] of found ?? [])
    if (!made || relativePath !== "") entries.set(joinPath(top, relativePath), { state: facts, made: undefined });
  for (const [name, child] of children)
    if (child && !(await collectEntries(view, child, joinPath(top, name), entries))) return false;
  return true;
}

const joinPath = (top: string, relativePath: string): string =>
  top === "" || relativePath === "" ? top + relativePath : `${top}/${relativePath}`;
