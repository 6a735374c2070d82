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

/** What a planned change makes of something. */
export interface PlannedContent {
  readonly image: FileState;
  /** Its content, where that is another one than its origin has. */
  readonly content?: WriteContent | undefined;
  /** The write that makes it, as long as it can still be made otherwise. */
  readonly by?: PlannedChanges | undefined;
}

/** Changes that are planned for one place. */
export interface PlannedChanges {
  changes: readonly Change[];
}

/** `expect` is what the commit has to find; undefined where a change of the same set puts it there, with new times. */
export type StateAt = (Omit<FileState, "object" | "fingerprint"> & { readonly expect: Expected }) | null;

/** Returns what will be at a place. */
export function stateAt({ view, tree }: PlannedState, place: Place): StateAt {
  const there = tree.at(place);
  if (there?.made) return { ...there.made.image, expect: undefined };
  if (there?.origin === undefined) return null;
  const seen = seenAt(view, there.origin);
  // Of what is moved, only a version made of the content stays the same.
  const isSure = seen && (there.origin === place || isContentVersion(seen.version));
  return seen && { ...seen.facts, version: seen.version, expect: isSure ? seen.version : undefined };
}

const seenAt = (view: View, origin: Place): Snapshot | null =>
  isPath(origin) ? view.see(origin) : view.past.see(origin);

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
  if (typeof made?.content === "string") return view.past.contentOf(made.content);
  const bytes = origin === undefined ? null : await contentNow(view, origin);
  return bytes && made?.content ? bytes.subarray(0, made.content.size) : bytes;
}

const contentNow = async (view: View, origin: Place): Promise<Uint8Array | null> =>
  isPath(origin) ? (await view.withFile(origin, readWholeFile)).bytes : view.past.contentOf(origin);

/** Whether a directory will hold anything. */
export async function willHoldEntries(planned: PlannedState, path: SafePath): Promise<boolean> {
  const there = planned.tree.at(path);
  if (!there) return false;
  const isThere = (name: string): boolean => stateAt(planned, childOf(path, name)) !== null;
  if ([...there.children.keys()].some(isThere)) return true;
  const names = await namesIn(planned.view, there.origin);
  return names.some((name) => !there.children.has(name));
}

async function namesIn(view: View, origin: Place | undefined): Promise<readonly string[]> {
  if (origin === undefined || seenAt(view, origin)?.facts.kind !== "directory") return [];
  if (isPath(origin))
    return view.withDirectory(origin, async (directory) => (await directory.entries()).map(({ name }) => name));
  const relativePaths = view.entriesIn(origin, LIMITS.fingerprintedEntries, () => false)?.keys() ?? [
    "more than could be looked at",
  ];
  return [...relativePaths].filter((relativePath) => relativePath !== "" && !relativePath.includes("/"));
}

/** Returns everything that will be in a tree, by its way; null for more than is looked at. */
export function entriesAt<M extends { readonly image: FileState }>(
  view: View,
  tree: OverlayTree<M>,
  place: Place,
): Map<string, TreeEntry> | null {
  const entries = new Map<string, TreeEntry>();
  const node = tree.at(place);
  return node && collectEntries(view, node, "", entries) ? entries : null;
}

/** An entry of a tree. */
export interface TreeEntry {
  readonly state: Omit<FileState, "version">;
  /** Set where a change makes it so. */
  readonly made: FileState | undefined;
}

/** Each directory on the disk is listed once: what is laid over it is left out, and added from where it is. */
function collectEntries<M extends { readonly image: FileState }>(
  view: View,
  { origin, made, children }: OverlayNode<M>,
  top: string,
  entries: Map<string, TreeEntry>,
): boolean {
  if (made) entries.set(top, { state: made.image, made: made.image });
  if (made && made.image.kind !== "directory") return true;
  const left = LIMITS.fingerprintedEntries - entries.size;
  const found =
    origin === undefined ? null : view.entriesIn(origin, left, (relativePath) => children.has(relativePath));
  if (!found && origin !== undefined && seenAt(view, origin)) return false;
  for (const [way, facts] of found ?? [])
    if (!made || way !== "") entries.set(joined(top, way), { state: facts, made: undefined });
  return [...children].every(([name, child]) => !child || collectEntries(view, child, joined(top, name), entries));
}

const joined = (top: string, relativePath: string): string =>
  top === "" || relativePath === "" ? top + relativePath : `${top}/${relativePath}`;
