import { lstatSync } from "node:fs";
import { childOf, isWithin } from "../../../base/paths.ts";
import { STORE_NAME } from "../../../base/product.ts";
import { isPath, objectParts } from "../../place.ts";
import { isSameRoot, type RootIdentity } from "../../root-identity.ts";
import type { ObjectName, Place } from "../../writer.ts";
import { identifyRoot } from "../jail/root-identity.ts";
import { storeIdOf } from "./registered-stores.ts";

/**
 * Finds the root of an interrupted change set again. A disk that was unplugged may come back with another number: then
 * a place that only this change set made must be there, because many disks have the same inode at the same path.
 */
export function findRoot(was: RootIdentity, ownPlaces: readonly Place[]): RootIdentity | undefined {
  const now = identifyRoot(was.path);
  const isFound = isSameRoot(was, now) || (now?.ino === was.ino && ownPlaces.some((each) => isIn(was.path, each)));
  return isFound ? now : undefined;
}

/** Checks that a place is on the disk of a root: in the root, or in the store inside of it. */
function isIn(root: string, place: Place): boolean {
  const path = isPath(place) ? place : pathInStoreOf(root, place);
  return path !== undefined && isWithin(path, root) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Returns undefined for an object in another store. */
function pathInStoreOf(root: string, object: ObjectName): string | undefined {
  const { store, folder, name } = objectParts(object);
  return store === storeIdOf(root) ? childOf(childOf(childOf(root, STORE_NAME), folder), name) : undefined;
}
