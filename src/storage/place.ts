import { Fault } from "../base/errors.ts";
import { relativePath } from "../base/paths.ts";
import type { ObjectName, Place } from "./writer.ts";
import type { SafePath } from "./facts.ts";
import { innermostRoot } from "./resolve.ts";

/** Tells a path from the name of an object: only a path begins with "/". */
export const isPath = (place: Place): place is SafePath => place.startsWith("/");

/** Returns the names that lead from its root to something that may be changed: at least one, and each a plain one. */
export function namesWithin(roots: readonly string[], path: SafePath): readonly string[] {
  const { root } = innermostRoot(roots, path) ?? { root: path };
  if (root === path) throw notInsideFault(path);
  const names = relativePath(root, path).split("/");
  if (arePlain(names)) return names;
  throw new Fault("invalid_input", `Cannot change ${JSON.stringify(path)}: it is not a plain path`, {
    path,
  });
}

/** Throws for a root, for what is outside, and for a place with a name that leads elsewhere. */
export function requireChangeable(roots: readonly string[], place: Place): void {
  if (isPath(place)) namesWithin(roots, place);
  else placeInStore(place);
}

export const notInsideFault = (path: SafePath): Fault =>
  new Fault("outside_workspace", `Cannot change ${JSON.stringify(path)}: only what is inside a root can be changed`, {
    path,
  });

/** Refuses "..", "." and names with a "/", which would lead elsewhere. */
const arePlain = (names: readonly string[]): boolean =>
  names.every((name) => !SPECIAL_NAMES.has(name) && !name.includes("/"));

/** Lists the names that are not those of an entry. */
export const SPECIAL_NAMES: ReadonlySet<string> = new Set(["", ".", ".."]);

export function objectNamed(store: string, folder: string, name: string): ObjectName {
  if (arePlain([store, folder, name])) return `${store}/${folder}/${name}` as ObjectName;
  throw new Fault("invalid_input", `Cannot store ${JSON.stringify(name)}: it is not a single name`);
}

/** Reverses `objectNamed`. It validates again, because journals are read from the disk. */
export function objectParts(object: ObjectName): {
  readonly store: string;
  readonly folder: string;
  readonly name: string;
} {
  const [store = "", folder = "", ...rest] = object.split("/");
  const name = rest.join("/");
  if (arePlain([store, folder, name])) return { store, folder, name };
  throw new Fault("invalid_input", `Cannot use ${JSON.stringify(object)}: it is not the name of an object`);
}

/**
 * Returns the folder that an object is in, and the names from there to the target: the object, or an entry inside it.
 */
export function placeInStore(place: ObjectName): {
  readonly store: string;
  readonly folder: string;
  readonly names: readonly string[];
} {
  const [store = "", folder = "", ...names] = place.split("/");
  if (arePlain([store, folder, ...names]) && names.length > 0) return { store, folder, names };
  throw new Fault("invalid_input", `Cannot read ${JSON.stringify(place)}: it does not name an object of the store`);
}

/** Names an object that is about to be deleted. It is in the same folder, so that a move there is one rename. */
export function pendingDeletionOf(object: ObjectName): ObjectName {
  const { store, folder, name } = objectParts(object);
  return objectNamed(store, folder, `${name}-doomed`);
}
