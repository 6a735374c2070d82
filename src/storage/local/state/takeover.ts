import { hash } from "node:crypto";
import * as z from "zod";
import { lstatSync, readdirSync, rmdirSync } from "node:fs";
import { isRecord } from "../../../base/json.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, nameIn, parentOf } from "../../../base/paths.ts";
import { STORE_NAME } from "../../../base/product.ts";
import { jsonIn, parseStored } from "../../../base/stored-json.ts";
import type { RootIdentity } from "../../root-identity.ts";
import { PENDING, type State, WAITING } from "../../state.ts";
import { unlessMissing } from "./own-file.ts";
import { registerStore, storeIdOf } from "./registered-stores.ts";
import { createState } from "./state.ts";

/**
 * Takes over what version 0.1 kept in a folder for each list of roots: history, trash and audit log. A folder waits
 * while a process of that version works in it. Its files are copied, so that version 0.1 can still read them, and its
 * backups stay where they are, as a store of their own. Grants and open questions do not come along: that version did
 * not write down for which roots they were given.
 */
export async function takeOver(state: State, parts: TakeOverParts): Promise<void> {
  for (const name of oldFolders(state.directory)) {
    const old = createState(childOf(state.directory, name));
    const isSilent = (file: string): boolean =>
      Date.now() - old.changedMs(`${PENDING}/${file}`) > LIMITS.pendingSilentMs;
    if (old.list(PENDING).every((file) => old.hasExited(ownerOf(file), isSilent(file))))
      await copyAll({ state, old, name, taken: takenFrom(state, name) }, parts);
  }
}

/** Removes what was taken over from the old folders, unless somebody has written to it since. */
export async function removeTakenOver(state: State): Promise<void> {
  for (const name of oldFolders(state.directory)) {
    const old = createState(childOf(state.directory, name));
    const isCopied = ({ file, changedMs, isBlocked }: Taken): boolean =>
      !isBlocked && old.changedMs(file) === changedMs;
    await state.locked(() => {
      for (const each of takenFrom(state, name).values()) if (isCopied(each)) old.remove(each.file);
    });
    removeIfEmpty(old);
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

interface OldFolder {
  readonly state: State;
  readonly old: State;
  readonly name: string;
  /** Holds what was copied before, by its name. */
  readonly taken: ReadonlyMap<string, Taken>;
}

/** Copies file by file, each once, however often a process starts: its copy may have been pruned since. */
async function copyAll(folder: OldFolder, { roots, isFinished }: TakeOverParts): Promise<void> {
  const { state, old, name } = folder;
  registerStore(state.directory, name, old.directory);
  const rename: Rename = (text) => withStoreNames(text, name, state.directory);
  const copy = async (file: string, change: Rename, to = file): Promise<void> =>
    isTaken(folder, file) ? undefined : state.locked(() => copyFile(folder, file, change, { to }));
  for (const subfolder of ["changes", "trash"])
    for (const file of old.list(subfolder)) await copy(`${subfolder}/${file}`, rename);
  for (const file of old.list(".").filter((each) => /^audit-.*\.jsonl$/.test(each)))
    await copy(file, (text) => text, file.replace(".jsonl", `-${name}.jsonl`));
  for (const file of old.list(PENDING)) {
    const isOver = isFinished(old.read(`${PENDING}/${file}`) ?? "");
    if (isOver) await copy(`${PENDING}/${file}`, (text) => withRoots([], rename(text)));
    else await state.locked(() => takeUnfinished(folder, file, roots, rename));
  }
  await state.locked(() => forgetRecovered(folder));
}

/** Returns null for a file that cannot be taken over yet. */
type Rename = (text: string) => string | null;

const withRoots = (roots: readonly RootIdentity[], text: string | null): string | null =>
  text === null ? null : `${JSON.stringify({ roots })}\n${text}`;

/**
 * Moves the journal of an unfinished change set: only one version may recover it. Only a server with the same roots
 * knows which ones it meant. Until there is one, a copy without roots blocks its places.
 */
function takeUnfinished(folder: OldFolder, file: string, roots: readonly RootIdentity[], rename: Rename): void {
  const { state, old, name } = folder;
  const from = `${PENDING}/${file}`;
  const isBlocking = state.read(`${WAITING}/${file}`) !== null;
  // The user may have given it up.
  if (isTaken(folder, from) && !isBlocking) return;
  const text = isFolderOf(roots, name) ? withRoots(roots, rename(old.read(from) ?? "")) : null;
  if (text === null && isBlocking) return;
  if (text === null)
    return copyFile(folder, from, (raw) => withRoots([], raw), { to: `${WAITING}/${file}`, isBlocked: true });
  state.write(from, text);
  state.remove(`${WAITING}/${file}`);
  old.remove(from);
}

/** Removes the copies of journals that version 0.1 has recovered itself meanwhile. */
function forgetRecovered({ state, old, taken }: OldFolder): void {
  for (const { file, isBlocked } of taken.values())
    if (isBlocked && old.read(file) === null) state.remove(`${WAITING}/${nameIn(file)}`);
}

interface Copying {
  readonly to: string;
  readonly isBlocked?: boolean;
}

function copyFile({ state, old, name }: OldFolder, file: string, change: Rename, { to, isBlocked }: Copying): void {
  const text = old.read(file);
  const changed = text === null ? null : change(text);
  if (changed === null) return;
  state.write(to, changed);
  const taken: Taken = { file, changedMs: old.changedMs(file), isBlocked };
  state.append(`${TAKEN}/${name}`, `${JSON.stringify(taken)}\n`);
}

/** Names the folder that lists what was copied from each old folder. */
const TAKEN = "taken-over";

const takenFile = z.lazy(() =>
  z.object({
    file: z.string(),
    /** Says when the file was last written to before it was copied. */
    changedMs: z.number(),
    /** Is true for a copy that only blocks the places of an unfinished change set. */
    isBlocked: z.boolean().optional(),
  }),
);

type Taken = Readonly<z.output<typeof takenFile>>;

function takenFrom(state: State, name: string): ReadonlyMap<string, Taken> {
  const lines = (state.read(`${TAKEN}/${name}`) ?? "").split("\n");
  return new Map(lines.flatMap((line) => parseStored(takenFile, line) ?? []).map((taken) => [taken.file, taken]));
}

/** Checks that a file was copied as it is now. */
const isTaken = ({ old, taken }: OldFolder, file: string): boolean =>
  taken.get(file)?.changedMs === old.changedMs(file);

/** Checks that version 0.1 used a folder for these roots, in whichever order they were given. */
function isFolderOf(roots: readonly RootIdentity[], name: string): boolean {
  const paths = roots.map(({ path }) => path);
  const orders = paths.length > MOST_ORDERED ? [paths] : ordersOf(paths);
  return orders.some((each) => hash("sha256", each.join("\0"), "hex").slice(0, name.length) === name);
}

/** Bounds the roots whose orders are all tried. */
const MOST_ORDERED = 6;

const ordersOf = (paths: readonly string[]): readonly (readonly string[])[] =>
  paths.length === 0
    ? [[]]
    : paths.flatMap((first, nth) => ordersOf(paths.toSpliced(nth, 1)).map((others) => [first, ...others]));

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
