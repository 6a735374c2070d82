import { childOf, isInNamedStorage, nameIn, parentOf } from "../../../base/paths.ts";
import type { Place } from "../../../storage/writer.ts";
import { isPath } from "../../../storage/place.ts";
import type { Change } from "../change.ts";

/** Describes what will be at a place. */
export interface OverlayNode<Made> {
  /** The place on the disk where it is now, with everything in it; undefined for something that a change creates. */
  readonly origin: Place | undefined;
  /** Is true when a change moves it, or a directory above it. It may have been moved back since. */
  readonly isMoved: boolean;
  /** The state that a change gives it. */
  readonly made: Made | undefined;
  /** Holds the entries that differ from those of `origin`, by name; null for a removed one. */
  readonly children: ReadonlyMap<string, OverlayNode<Made> | null>;
}

/**
 * Overlays the result of planned changes on what is on the disk. A later change in a list finds its files where the
 * earlier ones put them; until all are made, the bytes still lie at their origin. A lookup takes one step per changed
 * directory on the way.
 */
export interface OverlayTree<Made> {
  /** Returns what will be at a place; null for certainly nothing. An origin may not exist on the disk. */
  at(place: Place): OverlayNode<Made> | null;
  /** Records that a change creates or alters something here. */
  make(place: Place, made: Made | undefined): void;
  /** Records that everything at one place moves to another. */
  move(from: Place, to: Place): void;
  /** Records that everything at one place is copied to another. */
  copy(from: Place, to: Place): void;
  remove(place: Place): void;
}

interface MutableNode<Made> extends OverlayNode<Made> {
  made: Made | undefined;
  readonly children: Map<string, MutableNode<Made> | null>;
}

export function createOverlayTree<Made>(): OverlayTree<Made> {
  const top = nodeOf<Made>("/" as Place);
  const storages = nodeOf<Made>("//" as Place);
  /** Holds the objects of the store by name, as if they were the entries of one directory. */
  const store = nodeOf<Made>("" as Place);
  /** Splits a place into names, below the node that they start from. The first three names of an object count as one. */
  const routeTo = (place: Place): { readonly start: MutableNode<Made>; readonly names: readonly string[] } => {
    const names = place.split("/");
    const start = isInNamedStorage(place) ? storages : top;
    if (isPath(place)) return { start, names: names.filter((name) => name !== "") };
    return { start: store, names: [names.slice(0, OBJECT_NAMES).join("/"), ...names.slice(OBJECT_NAMES)] };
  };
  const at = (place: Place): MutableNode<Made> | null => {
    const { start, names } = routeTo(place);
    let node = start;
    for (const [depth, name] of names.entries()) {
      const entry = node.children.get(name);
      if (entry === null) return null;
      if (!entry) return unchangedBelow(node, names.slice(depth));
      node = entry;
    }
    return node;
  };
  /** Returns the node of a place that is about to change, and adds it to the tree. */
  const ensureNode = (place: Place): MutableNode<Made> => {
    const { start, names } = routeTo(place);
    let node = start;
    for (const name of names) {
      const entry: MutableNode<Made> = entryOf(node, name) ?? nodeOf(undefined);
      node.children.set(name, entry);
      node = entry;
    }
    return node;
  };
  const put = (place: Place, node: MutableNode<Made> | null): void => {
    const [above, name] = isPath(place)
      ? [ensureNode(parentOf(place) as Place), nameIn(place)]
      : [store, place as string];
    above.children.set(name, node);
  };
  return {
    at,
    make(place, made) {
      ensureNode(place).made = made;
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

function nodeOf<Made>(origin: Place | undefined, isMoved = false): MutableNode<Made> {
  return { origin, isMoved, made: undefined, children: new Map() };
}

const OBJECT_NAMES = 3;

function entryOf<Made>(node: MutableNode<Made>, name: string): MutableNode<Made> | null {
  const known = node.children.get(name);
  return known === undefined ? unchangedBelow(node, [name]) : known;
}

/** Returns what lies below a node on the disk, at a path that no change has touched. */
function unchangedBelow<Made>(
  { origin, isMoved }: MutableNode<Made>,
  names: readonly string[],
): MutableNode<Made> | null {
  if (origin === undefined) return null;
  const below = names.reduce<string>((above, name) => (above === "" ? name : childOf(above, name)), origin);
  return nodeOf(below as Place, isMoved);
}

const cloneOf = <Made>({ origin, made, children }: MutableNode<Made>): MutableNode<Made> => ({
  origin,
  isMoved: true,
  made,
  children: new Map([...children].map(([name, child]) => [name, child && cloneOf(child)])),
});

/** Records the effect of a change on the tree, without the contents of files. */
export function applyToOverlay(tree: OverlayTree<true>, change: Change): void {
  switch (change.kind) {
    case "move":
      return tree.move(change.path, change.to);
    case "copy":
      return tree.copy(change.path, change.to);
    case "restore":
    case "adopt":
      return tree.move(change.object, change.path);
    case "remove":
      return change.unlessInUse ? undefined : applyRemoval(tree, change);
    case "write":
    case "append":
    case "mkdir":
    case "unpack":
      return tree.make(change.path, true);
    case "chmod":
      return undefined;
  }
}

function applyRemoval(tree: OverlayTree<true>, { path, into }: Extract<Change, { kind: "remove" }>): void {
  if (into === "trash" || into === "history" || into === "nowhere") tree.remove(path);
  else tree.move(path, into);
}
