import { childOf } from "../../../base/paths.ts";
import type { Place } from "../../../storage/writer.ts";
import { type OverlayTree, createOverlayTree } from "./overlay-tree.ts";
import type { Effect, FileState } from "../change.ts";
import { treeChecksum } from "./tree-checksum.ts";
import { hasContentOf } from "./content.ts";
import { entriesAt, type PlannedState, stateAt, type TreeEntry } from "./planned-state.ts";
import type { View } from "../../view.ts";

/** Describes a tree after an effect of a change: in the workspace, or in the store. */
export interface RecordedTree {
  readonly place: Place;
  /** Is undefined when the contents of the tree were not recorded. */
  readonly fingerprint: string | undefined;
  readonly changeId: string;
  /** The index of the effect in its change. */
  readonly nth: number;
}

/**
 * Checks that a tree will hold what it held after a change. Nearly always the times of its entries prove it. Where
 * those differ, the history says which entries were changed since and what they were: those are compared by content,
 * and all others must still be the same inodes.
 */
export async function isTreeUnchanged(state: PlannedState, place: Place, recorded: RecordedTree): Promise<boolean> {
  if (recorded.fingerprint === undefined) return true;
  const { view, tree } = state;
  const entries = await entriesAt(view, tree, place);
  if (!entries) return false;
  if (treeChecksum(statesOf(entries)) === recorded.fingerprint) return true;
  const then = await entriesAt(view, await treeAfter(view, recorded), recorded.place);
  if (then?.size !== entries.size || treeChecksum(statesOf(then)) !== recorded.fingerprint) return false;
  for (const [relativePath, entry] of then) {
    const entryPlace = relativePath === "" ? place : childOf(place, relativePath);
    if (!(await isSameEntry(state, entryPlace, entry, entries.get(relativePath)))) return false;
  }
  return true;
}

function* statesOf(entries: ReadonlyMap<string, TreeEntry>): Generator<readonly [string, TreeEntry["state"]]> {
  for (const [relativePath, { state }] of entries) yield [relativePath, state];
}

/** Compares an unchanged entry by inode, and a changed one by content. */
async function isSameEntry(
  state: PlannedState,
  place: Place,
  then: TreeEntry,
  entry: TreeEntry | undefined,
): Promise<boolean> {
  if (!entry) return false;
  if (!then.made) return entry.state.identity === then.state.identity;
  const now = await stateAt(state, place);
  if (now?.kind !== then.made.kind || now.mode !== then.made.mode) return false;
  return now.kind === "directory" || hasContentOf(state, place, then.made);
}

/** Computes the tree right after an effect: undoes all later changes of the history in an overlay. */
async function treeAfter(view: View, { changeId, nth }: RecordedTree): Promise<OverlayTree<PastState>> {
  const tree = createOverlayTree<PastState>();
  for await (const { id, effects } of view.history.records(view.checkpoint)) {
    const since = id === changeId ? effects.slice(nth + 1) : effects;
    for (const effect of since.toReversed()) applyUndone(tree, effect);
    if (id === changeId) break;
  }
  return tree;
}

interface PastState {
  readonly image: FileState;
}

function applyUndone(tree: OverlayTree<PastState>, { action, path, from, source, before }: Effect): void {
  const origin = action === "move" ? from : source;
  if (action === "delete" && before?.object !== undefined) tree.move(before.object, path);
  else if (origin !== undefined) tree.move(path, origin);
  else if (CREATING_ACTIONS.includes(action)) tree.remove(path);
  if (before && (action !== "delete" || before.kind === "file")) tree.make(path, { image: before });
}

const CREATING_ACTIONS: readonly Effect["action"][] = ["create", "copy", "mkdir"];
