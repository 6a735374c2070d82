import { hash } from "node:crypto";
import { lstatSync, readdirSync, rmdirSync } from "node:fs";
import { isRecord } from "../../../base/json.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, parentOf } from "../../../base/paths.ts";
import { STORE_NAME } from "../../../base/product.ts";
import { jsonIn } from "../../../base/stored-json.ts";
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
  for (const name of oldFolders(state.directory)) {
    const old = createState(childOf(state.directory, name));
    const isSilent = (file: string): boolean =>
      Date.now() - old.changedMs(`${PENDING}/${file}`) > LIMITS.pendingSilentMs;
    if (old.list(PENDING).every((file) => old.hasExited(ownerOf(file), isSilent(file))))
      await moveAll(state, old, name, parts);
  }
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
async function moveAll(state: State, old: State, name: string, { roots, isFinished }: TakeOverParts): Promise<void> {
  registerStore(state.directory, name, old.directory);
  const rename: Rename = (text) => withStoreNames(text, name, state.directory);
  const move = (file: string, change: Rename, to = file): Promise<void> =>
    state.locked(() => moveFile(state, old, file, change, to));
  for (const folder of ["changes", "trash"])
    for (const file of old.list(folder)) await move(`${folder}/${file}`, rename);
  for (const file of old.list(".").filter((each) => /^audit-.*\.jsonl$/.test(each)))
    await move(file, (text) => text, file.replace(".jsonl", `-${name}.jsonl`));
  // Only a server with the same roots knows which ones an unfinished change set of that version meant.
  const isOurs = name === folderOf(roots);
  const header = JSON.stringify({ roots: isOurs ? roots : [] });
  for (const file of old.list(PENDING))
    if (isOurs || isFinished(old.read(`${PENDING}/${file}`) ?? ""))
      await move(`${PENDING}/${file}`, (text) => withHeader(header, rename(text)));
  removeIfEmpty(old);
}

/** Returns null for a file that cannot be taken over yet. */
type Rename = (text: string) => string | null;

const withHeader = (header: string, text: string | null): string | null =>
  text === null ? null : `${header}\n${text}`;

function moveFile(state: State, old: State, file: string, change: Rename, to: string): void {
  const text = old.read(file);
  const changed = text === null ? null : change(text);
  if (changed === null) return;
  state.write(to, changed);
  old.remove(file);
}

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
 * Renames the stores in the lines of a file: "state" was that of its folder, a number that of a root. Returns null while
 * the disk with a backup is not there. Damaged lines are kept as they are.
 */
function withStoreNames(text: string, folder: string, home: string): string | null {
  const lines = text.split("\n").map((line) => lineWithStoreNames(line, folder, home));
  return lines.includes(null) ? null : lines.join("\n");
}

function lineWithStoreNames(line: string, folder: string, home: string): string | null {
  const value = /"(?:state|\d+)\/(?:objects|trash)\//.test(line) ? jsonIn(line) : undefined;
  if (value === undefined) return line;
  const paths = pathsIn(value);
  let isMissing = false;
  const renamed = JSON.stringify(value, (_key, each: unknown) => {
    const [, store, rest] = (typeof each === "string" && OLD_OBJECT.exec(each)) || [];
    if (store === undefined || rest === undefined) return each;
    const found = store === "state" ? folder : storeWith(rest, paths, home);
    // What expired in the trash is gone for good; backups of the history are not removed without their record.
    isMissing ||= found === undefined && rest.startsWith("objects/");
    return `${found ?? "missing"}/${rest}`;
  });
  return isMissing ? null : renamed;
}

const OLD_OBJECT = /^(state|\d+)\/((?:objects|trash)\/[^/]+)$/;

/** Returns all absolute paths in a line: the store of a root is above one of them. */
function pathsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.startsWith("/") ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  return isRecord(value) ? Object.values(value).flatMap(pathsIn) : [];
}

/** Finds the store of a root that holds an object; undefined where it is gone, or its disk is not mounted. */
function storeWith(object: string, paths: readonly string[], home: string): string | undefined {
  for (const path of paths)
    for (let above = parentOf(path); above !== "/"; above = parentOf(above))
      if (lstatSync(childOf(childOf(above, STORE_NAME), object), { throwIfNoEntry: false })) {
        registerStore(home, storeIdOf(above), above);
        return storeIdOf(above);
      }
  return undefined;
}
