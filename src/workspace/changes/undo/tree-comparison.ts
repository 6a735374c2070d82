import { childOf } from "../../../base/paths.ts";
import type { Place } from "../../../storage/writer.ts";
import { type OverlayTree, createOverlayTree } from "./overlay-tree.ts";
import type { Effect, FileState } from "../change.ts";
import { treeChecksum } from "./tree-checksum.ts";
import { hasContentOf } from "./content.ts";
import { entriesAt, type PlannedState, stateAt, type TreeEntry } from "./planned-state.ts";
import type { View } from "../../view.ts";

/** A tree as an effect of a change left it: in the workspace, or in the store. */
export interface RecordedTree {
  readonly place: Place;
  /** Undefined where nothing is known of what was in it. */
  readonly fingerprint: string | undefined;
  readonly changeId: string;
  /** Which effect of the change. */
  readonly nth: number;
}

/**
 * Whether a tree will hold what it held when a change left it. Nearly always its entries say so by their times. Where those
 * differ, the history tells which entries were changed since and what they were: those are compared by their content, and
 * all others must still be as they were.
 */
export async function isTreeUnchanged(state: PlannedState, place: Place, left: RecordedTree): Promise<boolean> {
  if (left.fingerprint === undefined) return true;
  const { view, tree } = state;
  const entries = entriesAt(view, tree, place);
  if (!entries) return false;
  if (treeChecksum(statesOf(entries)) === left.fingerprint) return true;
  const then = entriesAt(view, await treeAfter(view, left), left.place);
  if (then?.size !== entries.size || treeChecksum(statesOf(then)) !== left.fingerprint) return false;
  for (const [relativePath, entry] of then) {
    const inner = relativePath === "" ? place : childOf(place, relativePath);
    if (!(await isSameEntry(state, inner, entry, entries.get(relativePath)))) return false;
  }
  return true;
}

function* statesOf(entries: ReadonlyMap<string, TreeEntry>): Generator<readonly [string, TreeEntry["state"]]> {
  for (const [relativePath, { state }] of entries) yield [relativePath, state];
}

/** What was not changed since is the very same thing; what was has its content again. */
async function isSameEntry(
  state: PlannedState,
  place: Place,
  then: TreeEntry,
  entry: TreeEntry | undefined,
): Promise<boolean> {
  if (!entry) return false;
  if (!then.made) return entry.state.identity === then.state.identity;
  const now = stateAt(state, place);
  if (now?.kind !== then.made.kind || now.mode !== then.made.mode) return false;
  return now.kind === "directory" || hasContentOf(state, place, then.made);
}

/** Works out from the history what everything was right after an effect: the changes since are taken back in mind. */
async function treeAfter(view: View, { changeId, nth }: RecordedTree): Promise<OverlayTree<PastState>> {
  const tree = createOverlayTree<PastState>();
  for await (const { id, effects } of view.past.records(view.checkpoint)) {
    const since = id === changeId ? effects.slice(nth + 1) : effects;
    for (const effect of since.toReversed()) assumeUndone(tree, effect);
    if (id === changeId) break;
  }
  return tree;
}

interface PastState {
  readonly image: FileState;
}

function assumeUndone(tree: OverlayTree<PastState>, { action, path, from, source, before }: Effect): void {
  const goneTo = action === "move" ? from : source;
  if (action === "delete" && before?.object !== undefined) tree.move(before.object, path);
  else if (goneTo !== undefined) tree.move(path, goneTo);
  else if (MAKERS.includes(action)) tree.remove(path);
  if (before && (action !== "delete" || before.kind === "file")) tree.make(path, { image: before });
}

const MAKERS: readonly Effect["action"][] = ["create", "copy", "mkdir"];
