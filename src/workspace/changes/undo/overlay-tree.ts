import { childOf, nameIn, parentOf } from "../../../base/paths.ts";
import type { Place } from "../../../storage/writer.ts";
import { isPath } from "../../../storage/place.ts";
import type { Change } from "../change.ts";

/** What will be at a place. */
export interface OverlayNode<Made> {
  /** The place on the disk where it is now, with everything in it; undefined for what a change makes anew. */
  readonly origin: Place | undefined;
  /** Set where it, or a directory above it, came here by a change; it may have come back to where it was. */
  readonly isMoved: boolean;
  /** The state that a change gives it, where one does. */
  readonly made: Made | undefined;
  /** Entries that differ from those of `origin`, by name; null for one that is gone. */
  readonly children: ReadonlyMap<string, OverlayNode<Made> | null>;
}

/**
 * Lays the outcome of planned changes over what is on the disk. A change that comes later in a list finds its files where
 * the earlier ones put them; until all are made, the bytes still lie at their origin. A lookup costs a step per name.
 */
export interface OverlayTree<Made> {
  /** Returns what will be at a place; null for certainly nothing. What has an origin may still be missing there. */
  at(place: Place): OverlayNode<Made> | null;
  /** Says that a change makes something here, over what is there, or alters that. */
  make(place: Place, made: Made | undefined): void;
  /** Says that what is at one place goes to another, with everything in it. */
  move(from: Place, to: Place): void;
  /** Says that a second one of what is at a place comes to another. */
  copy(from: Place, to: Place): void;
  remove(place: Place): void;
}

interface Node<Made> extends OverlayNode<Made> {
  made: Made | undefined;
  readonly children: Map<string, Node<Made> | null>;
}

export function createOverlayTree<Made>(): OverlayTree<Made> {
  const top = nodeOf<Made>("/" as Place);
  /** Holds the objects of the store by name, as if they were the entries of one directory. */
  const store = nodeOf<Made>("" as Place);
  const topOf = (place: Place): Node<Made> => (isPath(place) ? top : store);
  const at = (place: Place): Node<Made> | null => {
    let node: Node<Made> | null = topOf(place);
    for (const name of namesIn(place)) {
      if (!node) return null;
      node = entryOf(node, name);
    }
    return node;
  };
  /** Returns the node of a place to be changed: it hangs in the tree from now on. */
  const grown = (place: Place): Node<Made> => {
    let node = topOf(place);
    for (const name of namesIn(place)) {
      const entry: Node<Made> = entryOf(node, name) ?? nodeOf(undefined);
      node.children.set(name, entry);
      node = entry;
    }
    return node;
  };
  const put = (place: Place, node: Node<Made> | null): void => {
    const [above, name] = isPath(place) ? [grown(parentOf(place) as Place), nameIn(place)] : [store, place as string];
    above.children.set(name, node);
  };
  return {
    at,
    make(place, made) {
      grown(place).made = made;
    },
    move(from, to) {
      const node = at(from);
      put(from, null);
      put(to, node && { ...node, isMoved: true });
    },
    copy(from, to) {
      const node = at(from);
      put(to, node && cloneOf(node));
    },
    remove: (place) => put(place, null),
  };
}

function nodeOf<Made>(origin: Place | undefined, isMoved = false): Node<Made> {
  return { origin, isMoved, made: undefined, children: new Map() };
}

/** Names from the top to a place; the three that name an object are one. */
function namesIn(place: Place): readonly string[] {
  const names = place.split("/");
  if (isPath(place)) return names.filter((name) => name !== "");
  return [names.slice(0, OBJECT_NAMES).join("/"), ...names.slice(OBJECT_NAMES)];
}

const OBJECT_NAMES = 3;

function entryOf<Made>(node: Node<Made>, name: string): Node<Made> | null {
  const known = node.children.get(name);
  if (known !== undefined) return known;
  if (node.origin === undefined) return null;
  return nodeOf(node.origin === "" ? (name as Place) : childOf(node.origin, name), node.isMoved);
}

const cloneOf = <Made>({ origin, made, children }: Node<Made>): Node<Made> => ({
  origin,
  isMoved: true,
  made,
  children: new Map([...children].map(([name, child]) => [name, child && cloneOf(child)])),
});

/** Notes what a change does to a tree, where only that matters and not what is in the files. */
export function applyToOverlay(tree: OverlayTree<true>, change: Change): void {
  switch (change.kind) {
    case "move":
      return tree.move(change.path, change.to);
    case "copy":
      return tree.copy(change.path, change.to);
    case "restore":
      return tree.move(change.object, change.path);
    case "remove":
      return change.unlessInUse ? undefined : removed(tree, change);
    case "write":
    case "append":
    case "mkdir":
      return tree.make(change.path, true);
    case "chmod":
      return undefined;
  }
}

function removed(tree: OverlayTree<true>, { path, into }: Extract<Change, { kind: "remove" }>): void {
  if (into === "trash" || into === "history" || into === "nowhere") tree.remove(path);
  else tree.move(path, into);
}
