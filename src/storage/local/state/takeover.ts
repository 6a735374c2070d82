import { hash } from "node:crypto";
import { lstatSync, readdirSync, rmdirSync } from "node:fs";
import { isRecord } from "../../../base/json.ts";
import { childOf, parentOf } from "../../../base/paths.ts";
import { STORE_NAME } from "../../../base/product.ts";
import type { RootIdentity } from "../../root-identity.ts";
import { PENDING, type State } from "../../state.ts";
import { unlessMissing } from "./own-file.ts";
import { registerStore, storeIdOf } from "./registered-stores.ts";
import { createState } from "./state.ts";

/**
 * Takes over what version 0.1 kept in a folder for each list of roots: history, trash and audit log. A folder waits
 * while a process of that version works in it. Its backups stay where they are, as a store of their own. Grants and
 * open questions do not come along: that version did not write down for which roots they were given.
 */
export async function takeOver(state: State, parts: TakeOverParts): Promise<void> {
  for (const name of oldFolders(state.directory))
    await state.locked(() => {
      const old = createState(childOf(state.directory, name));
      if (old.list(PENDING).every((file) => old.hasExited(ownerOf(file), true))) moveAll(state, old, name, parts);
    });
}

interface TakeOverParts {
  readonly roots: readonly RootIdentity[];
  /** Says whether nothing is left to do for the change sets of a journal. */
  readonly isFinished: (journal: string) => boolean;
}

const oldFolders = (home: string): readonly string[] =>
  (unlessMissing(() => readdirSync(home)) ?? []).filter((name) => /^[0-9a-f]{16}$/.test(name));

const ownerOf = (file: string): string => file.slice(file.indexOf(".") + 1);

/** Moves file by file, each written before the old one is removed: an interruption loses nothing. */
function moveAll(state: State, old: State, name: string, { roots, isFinished }: TakeOverParts): void {
  registerStore(state.directory, name, old.directory);
  const rename = (text: string): string => withStoreNames(text, name, state.directory);
  for (const file of old.list("changes")) moveFile(state, old, `changes/${file}`, rename);
  for (const file of old.list("trash")) moveFile(state, old, `trash/${file}`, rename);
  for (const file of old.list(".").filter((each) => /^audit-.*\.jsonl$/.test(each)))
    moveFile(state, old, file, (text) => text, file.replace(".jsonl", `-${name}.jsonl`));
  const isOurs = name === folderOf(roots);
  for (const file of old.list(PENDING))
    // Only a server with the same roots knows which ones an unfinished change set of that version meant.
    if (isOurs || isFinished(old.read(`${PENDING}/${file}`) ?? ""))
      movePending(state, old, file, isOurs ? roots : [], rename);
  removeIfEmpty(old);
}

function moveFile(state: State, old: State, file: string, rename: (text: string) => string, to = file): void {
  const text = old.read(file);
  if (text !== null) state.write(to, rename(text));
  old.remove(file);
}

const movePending = (
  state: State,
  old: State,
  file: string,
  roots: readonly RootIdentity[],
  rename: (text: string) => string,
): void => moveFile(state, old, `${PENDING}/${file}`, (text) => `${JSON.stringify({ roots })}\n${rename(text)}`);

/** Returns the folder that version 0.1 used for these roots, in this order. */
const folderOf = (roots: readonly RootIdentity[]): string =>
  hash("sha256", roots.map(({ path }) => path).join("\0"), "hex").slice(0, 16);

/** Leaves a folder that still has backups, or anything else. */
function removeIfEmpty({ directory }: State): void {
  for (const name of ["changes", "trash", PENDING, ""])
    try {
      rmdirSync(childOf(directory, name));
    } catch {
      // It is not empty, or not there.
    }
}

/**
 * Renames the stores in the lines of a file: "state" was that of its folder, a number that of a root. Damaged lines are
 * kept as they are.
 */
const withStoreNames = (text: string, folder: string, home: string): string =>
  text
    .split("\n")
    .map((line) => lineWithStoreNames(line, folder, home))
    .join("\n");

function lineWithStoreNames(line: string, folder: string, home: string): string {
  if (!/"(?:state|\d+)\/(?:objects|trash)\//.test(line)) return line;
  try {
    const value: unknown = JSON.parse(line);
    const paths = pathsIn(value);
    return JSON.stringify(value, (_key, each: unknown) => {
      const [, store, rest] = (typeof each === "string" && OLD_OBJECT.exec(each)) || [];
      if (store === undefined || rest === undefined) return each;
      return `${store === "state" ? folder : storeWith(rest, paths, home)}/${rest}`;
    });
  } catch {
    return line;
  }
}

const OLD_OBJECT = /^(state|\d+)\/((?:objects|trash)\/[^/]+)$/;

/** Returns all absolute paths in a line: the store of a root is above one of them. */
function pathsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.startsWith("/") ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  return isRecord(value) ? Object.values(value).flatMap(pathsIn) : [];
}

function storeWith(object: string, paths: readonly string[], home: string): string {
  for (const path of paths)
    for (let above = parentOf(path); above !== "/"; above = parentOf(above))
      if (lstatSync(childOf(childOf(above, STORE_NAME), object), { throwIfNoEntry: false })) {
        registerStore(home, storeIdOf(above), above);
        return storeIdOf(above);
      }
  return MISSING;
}

/** Names the store of a backup that is gone. */
const MISSING = "missing";
