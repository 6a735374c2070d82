import { mkdirSync, writeFileSync } from "node:fs";
import { Fault } from "../../base/errors.ts";
import { childOf } from "../../base/paths.ts";
import { STORE_NAME } from "../../base/product.ts";
import type { ObjectName } from "../hands.ts";
import { inRoot } from "../resolve.ts";
import type { SafePath } from "../storage.ts";
import { errnoOf } from "./errno.ts";
import type { Held, Jail } from "./jail.ts";
import { reach } from "./reach.ts";

/**
 * Where replaced and deleted things live: beside our other state when that is on the disk of the root, so that nothing
 * need be copied, else in a hidden directory of the root, blocked for every tool.
 */
export interface Stores {
  objectFor(path: SafePath, folder: string, name: string): ObjectName;
  /** The directory an object is in, made on first use. The caller lets go. */
  hold(object: ObjectName): Held;
}

export function createStores(jail: Jail, stateDirectory: string): Stores {
  const { roots } = jail.steps;
  const chosen = new Map<string, string>();
  const made = new Set<string>();
  const storeOf = (root: string): string => {
    const known = chosen.get(root);
    if (known !== undefined) return known;
    const store = isStateOnDiskOf(jail, root, stateDirectory) ? IN_STATE : String(roots.indexOf(root));
    chosen.set(root, store);
    return store;
  };
  return {
    objectFor(path, folder, name) {
      const { root } = inRoot(roots, path) ?? { root: roots[0] as string };
      return `${storeOf(root)}/${folder}/${name}` as ObjectName;
    },
    hold(object) {
      const [store = "", folder = ""] = object.split("/");
      const root = store === IN_STATE ? undefined : roots[Number(store)];
      if (store !== IN_STATE && root === undefined)
        throw new Fault("not_found", "Cannot find what was kept: its root is not part of this workspace");
      const top = root === undefined ? stateDirectory : root;
      const directory = childOf(childOf(top, STORE_NAME), folder);
      if (!made.has(directory)) makeStore(top, folder);
      made.add(directory);
      return root === undefined ? jail.hold(directory) : holdInRoot(jail, directory as SafePath);
    },
  };
}

const IN_STATE = "state";

function isStateOnDiskOf(jail: Jail, root: string, stateDirectory: string): boolean {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const [ours, theirs] = [jail.hold(stateDirectory), jail.steps.openRoot(root)];
  try {
    return jail.isOneDisk(ours, theirs);
  } finally {
    jail.steps.close(ours);
    jail.steps.close(theirs);
  }
}

/** Git, and whoever else heeds an ignore file, passes over a store that lies in a root. */
function makeStore(top: string, folder: string): void {
  const store = childOf(top, STORE_NAME);
  mkdirSync(childOf(store, folder), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(childOf(store, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

function holdInRoot(jail: Jail, directory: SafePath): Held {
  const found = reach(jail, directory, "keep");
  if (found?.place === directory) return found.held;
  if (found) jail.steps.close(found.held);
  throw new Fault("swapped", "Cannot use the store of this workspace: something took its place");
}
