import { accessSync, chmodSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { errnoOf } from "../../../base/errno.ts";
import { Fault } from "../../../base/errors.ts";
import { childOf } from "../../../base/paths.ts";
import { STORE_NAME } from "../../../base/product.ts";
import type { ObjectName } from "../../writer.ts";
import { placeInStore, notInsideFault, objectNamed } from "../../place.ts";
import type { RootIdentity } from "../../root-identity.ts";
import { innermostRoot, type ResolveStep } from "../../resolve.ts";
import type { SafePath } from "../../storage.ts";
import type { OpenedDirectory } from "../jail/dir-handle-cache.ts";
import type { Handle, Jail } from "../jail/jail.ts";
import { ownFault } from "./own-file.ts";
import { missingStoreFault, registeredStore, registerStore, storeIdOf } from "./registered-stores.ts";

/**
 * Stores replaced and deleted objects: beside our other state when that is on the disk of the root, so that nothing has
 * to be copied, or when the root cannot be written to; else in a hidden directory of the root, blocked for every tool.
 * Such a store is known by an id, and `stores/<id>` says where it is: a workspace may need a backup that another one
 * with other roots made.
 */
export interface Stores {
  objectFor(path: SafePath, folder: string, name: string): ObjectName;
  /** Opens the directory that an object is in, and creates it on first use. The caller closes it. */
  openDirectory(object: ObjectName): OpenedDirectory;
}

export function createStores(jail: Jail, stateDirectory: string): Stores {
  const { roots, openRoot } = jail.steps;
  const storeByRoot = new Map<string, string>();
  const storeOf = (root: string): string => {
    const known = storeByRoot.get(root);
    if (known !== undefined) return known;
    const store = belongsInState(jail, root, stateDirectory) ? IN_STATE : storeIdOf(root);
    if (store !== IN_STATE) registerStore(stateDirectory, store, root);
    storeByRoot.set(root, store);
    return store;
  };
  const openIn = (top: Handle, folder: string): Handle =>
    openStoreDirectory(jail, openStoreDirectory(jail, top, STORE_NAME), folder);
  const openFolder = (store: string, folder: string): OpenedDirectory => {
    const root = roots.find((each) => storeIdOf(each) === store);
    if (store !== IN_STATE && root === undefined)
      return openForeignStore(jail, registeredStore(stateDirectory, store), folder);
    const directory = root ?? stateDirectory;
    const path = childOf(childOf(directory, STORE_NAME), folder);
    const known = store === IN_STATE ? openExistingStore(jail, path) : undefined;
    const top = (): Handle => (root === undefined ? openStateDirectory(jail, directory) : openRoot(root));
    return { handle: known ?? openIn(top(), folder), path };
  };
  return {
    objectFor(path, folder, name) {
      const { root } = innermostRoot(roots, path) ?? {};
      if (root === undefined) throw notInsideFault(path);
      return objectNamed(storeOf(root), folder, name);
    },
    openDirectory(object) {
      const { store, folder, names } = placeInStore(object);
      return names
        .slice(0, -1)
        .reduce((above, name) => openDirectoryInStore(jail, above, name), openFolder(store, folder));
    },
  };
}

/** Opens a directory inside a stored one and closes its parent. A link in it is never followed. */
function openDirectoryInStore(jail: Jail, { handle: above, path }: OpenedDirectory, name: string): OpenedDirectory {
  try {
    const step = jail.steps.step(above, name, true);
    if (step.kind === "directory") return { handle: step.handle, path: childOf(path, name) };
    if (step.kind !== "missing") jail.steps.close(step.handle);
    throw new Fault("not_found", "Cannot find the backup: there is no such directory in it");
  } finally {
    jail.steps.close(above);
  }
}

const IN_STATE = "state";

/**
 * Opens a folder of the store of another workspace, and creates nothing there. One that cannot be opened, or was
 * replaced, counts as gone.
 */
function openForeignStore(jail: Jail, { path, ino }: RootIdentity, folder: string): OpenedDirectory {
  try {
    const top: OpenedDirectory = { handle: jail.openDirectory(path), path };
    // The number of the device is not compared: it may change when the machine starts again.
    if (String(jail.stats(top.handle).ino) === ino)
      return openDirectoryInStore(jail, openDirectoryInStore(jail, top, STORE_NAME), folder);
    jail.steps.close(top.handle);
  } catch {
    // The reason does not matter here: nothing else can be done about it.
  }
  throw missingStoreFault();
}

/**
 * Checks whether the store of a root is beside our other state: on the same disk, or where the root cannot hold one, as
 * in a container whose own disk is read-only and whose directories are mounted below the root.
 */
function belongsInState(jail: Jail, root: string, stateDirectory: string): boolean {
  const theirs = jail.steps.openRoot(root);
  try {
    const ours = openStateDirectory(jail, stateDirectory);
    try {
      return jail.isSameDisk(ours, theirs) || !isWritable(theirs);
    } finally {
      jail.steps.close(ours);
    }
  } finally {
    jail.steps.close(theirs);
  }
}

function isWritable({ fsPath }: Handle): boolean {
  try {
    accessSync(fsPath, constants.W_OK);
    return true;
  } catch (error) {
    if (!["EROFS", "EACCES"].includes(errnoOf(error) ?? "")) throw error;
    return false;
  }
}

/**
 * Opens the store in one call, which nearly always works; returns undefined where it must be created, restricted or
 * resolved step by step.
 */
function openExistingStore(jail: Jail, directory: string): Handle | undefined {
  const handle = jail.openDirectoryDirectly(directory);
  if (!handle || isOnlyOurs(jail, handle)) return handle;
  jail.steps.close(handle);
  return undefined;
}

function openStateDirectory(jail: Jail, stateDirectory: string): Handle {
  try {
    return openOrMakeDirectory(jail, stateDirectory);
  } catch (error) {
    throw ownFault(error, stateDirectory);
  }
}

/** Creates the directory only after ENOENT: nearly always it is there. */
function openOrMakeDirectory(jail: Jail, directory: string): Handle {
  try {
    return jail.openDirectory(directory);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return jail.openDirectory(directory);
  }
}

/** Opens a directory of the store and closes its parent. In a root anybody may have put a link there. */
function openStoreDirectory(jail: Jail, above: Handle, name: string): Handle {
  try {
    const step = jail.steps.step(above, name, true);
    const found = step.kind === "missing" ? makeStoreDirectory(jail, above, name) : step;
    if (found.kind === "directory") return restrictToOwner(jail, found.handle);
    if (found.kind !== "missing") jail.steps.close(found.handle);
    throw new Fault("swapped", `Cannot use the store of this workspace: something else is named "${name}"`, {
      hint: "Ask the user to move it away from the root, or from the state directory, which holdfast doctor names",
    });
  } finally {
    jail.steps.close(above);
  }
}

/** Adds a .gitignore, so that Git and other tools with ignore files skip a store that lies in a root. */
function makeStoreDirectory(jail: Jail, above: Handle, name: string): ResolveStep<Handle> {
  const directory = childOf(above.fsPath, name);
  unlessExists(() => mkdirSync(directory, { mode: 0o700 }));
  const made = jail.steps.step(above, name, true);
  if (made.kind === "directory" && name === STORE_NAME)
    unlessExists(() => writeFileSync(childOf(made.handle.fsPath, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 }));
  return made;
}

/** Ignores EEXIST: another process of ours may have been first. */
function unlessExists(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

/**
 * Restricts a store that came with the root, for example from a repository, and is open to all. Some disks do not
 * support it.
 */
function restrictToOwner(jail: Jail, handle: Handle): Handle {
  if (isOnlyOurs(jail, handle)) return handle;
  try {
    chmodSync(handle.fsPath, 0o700);
  } catch (error) {
    if (!["EPERM", "EROFS", "ENOTSUP"].includes(errnoOf(error) ?? "")) throw error;
  }
  return handle;
}

const isOnlyOurs = (jail: Jail, handle: Handle): boolean => (jail.stats(handle).mode & 0o077n) === 0n;
