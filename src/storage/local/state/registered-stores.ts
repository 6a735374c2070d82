import { hash } from "node:crypto";
import { Fault } from "../../../base/errors.ts";
import { childOf } from "../../../base/paths.ts";
import { parseStored } from "../../../base/stored-json.ts";
import { type RootIdentity, rootIdentity } from "../../root-identity.ts";
import { identifyRoot } from "../jail/root-identity.ts";
import { ownFault, readOwnFile, replaceOwnFile, unlessMissing } from "./own-file.ts";
import { freshFile } from "./stale-files.ts";

/** Returns the id of the store in a root on another disk than the state. */
export const storeIdOf = (root: string): string => hash("sha256", root, "hex").slice(0, ID_DIGITS);

const ID_DIGITS = 12;

/** Writes down where a store is, unless that is known. */
export function registerStore(stateDirectory: string, id: string, directory: string): void {
  const found = identifyRoot(directory);
  if (!found || isSame(readRegistered(stateDirectory, id), found)) return;
  try {
    replaceOwnFile(fileOf(stateDirectory, id), freshFile(stateDirectory), JSON.stringify(found));
  } catch (error) {
    throw ownFault(error, "stores");
  }
}

/** Returns the directory that holds a store. */
export function registeredStore(stateDirectory: string, id: string): RootIdentity {
  const found = readRegistered(stateDirectory, id);
  if (!found) throw missingStoreFault();
  return found;
}

const readRegistered = (stateDirectory: string, id: string): RootIdentity | undefined =>
  parseStored(rootIdentity, unlessMissing(() => readOwnFile(fileOf(stateDirectory, id))) ?? null);

const fileOf = (stateDirectory: string, id: string): string => childOf(childOf(stateDirectory, "stores"), id);

const isSame = (one: RootIdentity | undefined, other: RootIdentity): boolean =>
  one?.path === other.path && one.dev === other.dev && one.ino === other.ino;

export const missingStoreFault = (): Fault =>
  new Fault("not_found", "Cannot find the backup: the directory that holds it is gone");
