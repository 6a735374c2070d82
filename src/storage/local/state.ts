import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hash } from "node:crypto";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { errnoOf } from "../../base/errno.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Durability } from "../hands.ts";
import type { Log, State } from "../state.ts";
import { isGone, SELF } from "./alive.ts";
import { asFault } from "./errno.ts";
import { createLock } from "./lock.ts";
import { isSettled } from "./settled.ts";

/** Where all state lives: said by the operator, or where the system keeps such things. */
export function stateHome(env: Readonly<Record<string, string | undefined>>): string {
  if (env["HOLDFAST_STATE"]) return env["HOLDFAST_STATE"];
  return join(env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "holdfast");
}

/** Where a directory really is, or will be once it is made: links on the way followed. */
export function realHome(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    const above = dirname(home);
    return above === home ? home : join(realHome(above), basename(home));
  }
}

/** One folder per workspace, one lock for all of them: their roots may overlap. Nothing is touched before the first use. */
export function createState(home: string, roots: readonly string[], durability: Durability = "process"): State {
  return stateIn(join(home, hash("sha256", roots.join("\0"), "hex").slice(0, 16)), home, durability);
}

/** What all workspaces share. */
export const createSharedState = (home: string): State => stateIn(home, home, "process");

function stateIn(directory: string, home: string, durability: Durability): State {
  const pathOf = (name: string): string => childOf(directory, name);
  const settled = durability === "power" ? fsyncSync : () => {};
  return {
    directory,
    append: told((name, lines) => withFile(pathOf(name), APPEND, (fd) => appendWhole(fd, Buffer.from(lines)))),
    open: told((name) => newLog(pathOf(name), durability)),
    reopen: told((name) => unlessMissing(() => logOn(openSync(pathOf(name), AGAIN), pathOf(name), durability))),
    write: told((name, text) => {
      // Not in the folder itself: cut off here, it would be listed there for ever.
      const fresh = pathOf(`fresh-${SELF}`);
      withFile(fresh, REPLACE, (fd) => {
        writeFileSync(fd, text);
        settled(fd);
      });
      making(pathOf(name), () => renameSync(fresh, pathOf(name)));
    }),
    read: told((name) => unlessMissing(() => readFileSync(pathOf(name), "utf8")) ?? null),
    lastLine: told((name) => unlessMissing(() => lastLineOf(pathOf(name))) ?? ""),
    list: told(createLister(pathOf)),
    overwrite: told((name, at, character) => isThere(() => overwrite(pathOf(name), at, character))),
    changedMs: told((name) => unlessMissing(() => statSync(pathOf(name)).mtimeMs) ?? 0),
    move: told((name, to) => unlessMissing(() => making(pathOf(to), () => renameSync(pathOf(name), pathOf(to))))),
    remove: told((name) => unlessMissing(() => unlinkSync(pathOf(name)))),
    self: SELF,
    isGone,
    locked: createLock(join(home, "locks")),
  };
}

/** The same, with what goes wrong told as a Fault. Where our files are is nobody's business. */
const told =
  <Args extends readonly unknown[], T>(act: (...args: Args) => T): ((...args: Args) => T) =>
  (...args) => {
    try {
      return act(...args);
    } catch (error) {
      throw asFault(error, "our own state", "change");
    }
  };

/** All of it or nothing: a full disk takes a part before it refuses the rest. What others have added since is left alone. */
function appendWhole(fd: number, bytes: Uint8Array): void {
  const { size } = fstatSync(fd);
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(fd, bytes, done);
  } catch (error) {
    if (fstatSync(fd).size === size + done) ftruncateSync(fd, size);
    throw error;
  }
}

const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY;
const AGAIN = constants.O_APPEND | constants.O_WRONLY | constants.O_NOFOLLOW;
const REPLACE = constants.O_TRUNC | constants.O_CREAT | constants.O_WRONLY;

/** A link in the place of our file is not followed. */
function withFile(path: string, flags: number, use: (fd: number) => void): void {
  const fd = openMaking(path, flags);
  try {
    use(fd);
  } finally {
    closeSync(fd);
  }
}

const openMaking = (path: string, flags: number): number =>
  making(path, () => openSync(path, flags | constants.O_NOFOLLOW, 0o600));

/** The directory is made when it proves to be missing: nearly always it is there. */
function making<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return act();
  }
}

function newLog(path: string, durability: Durability): Log {
  const fd = openMaking(path, APPEND | constants.O_EXCL);
  if (durability === "power") syncDirectoryOf(path);
  return logOn(fd, path, durability);
}

/** Nobody else adds to it: how long it is need be known only to make it shorter. */
function logOn(fd: number, path: string, durability: Durability): Log {
  let added = 0;
  const cut = (to: number): void => {
    ftruncateSync(fd, fstatSync(fd).size - (added - to));
    added = to;
  };
  return {
    add: told((line) => {
      const before = added;
      try {
        const bytes = Buffer.from(`${line}\n`);
        while (added - before < bytes.length) added += writeSync(fd, bytes, added - before);
        if (durability === "power") fsyncSync(fd);
      } catch (error) {
        cut(before);
        throw error;
      }
    }),
    added: () => added,
    cut: told(cut),
    isInPlace: () => existsSync(path),
    close: () => closeSync(fd),
  };
}

/** A file is only there after a power cut when its directory says so. */
function syncDirectoryOf(path: string): void {
  const fd = openSync(dirname(path), constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A file that grows all day is large: it is read from its end, until the line before the last one is met. */
function lastLineOf(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    let text = "";
    for (let to = fstatSync(fd).size; to > 0 && !text.slice(0, -1).includes("\n"); to -= LIMITS.stepBytes) {
      const block = Buffer.alloc(Math.min(to, LIMITS.stepBytes));
      readSync(fd, block, 0, block.length, to - block.length);
      text = block.toString("latin1") + text;
    }
    const last = text.endsWith("\n") ? text.slice(0, -1) : text;
    return Buffer.from(last.slice(last.lastIndexOf("\n") + 1), "latin1").toString();
  } finally {
    closeSync(fd);
  }
}

/**
 * A directory that has not changed since it was listed need not be listed again: asked before every change, it nearly always
 * has not. Its times tell once they are so old that whatever comes next gets others.
 */
function createLister(pathOf: (folder: string) => string): (folder: string) => readonly string[] {
  const known = new Map<string, { readonly state: string; readonly files: readonly string[] }>();
  return function list(folder) {
    const directory = pathOf(folder);
    const stats = statSync(directory, { bigint: true, throwIfNoEntry: false });
    if (!stats) return [];
    const state = `${stats.dev}:${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`;
    const before = known.get(folder);
    if (before?.state === state) return before.files;
    const isKnowable = isSettled(stats.ctimeNs);
    const files = unlessMissing(() => filesIn(directory)) ?? [];
    if (isKnowable && files.length <= LIMITS.listedFiles) known.set(folder, { state, files });
    return files;
  };
}

/** What is no file was not put there by us, and cannot be read. */
const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

/** In place: a file that is only added to cannot be written to at a place. */
const overwrite = (path: string, at: number, character: string): void =>
  withFile(path, constants.O_WRONLY, (fd) => void writeSync(fd, character, at));

/** False when what is to be acted on is missing. */
const isThere = (act: () => void): boolean =>
  unlessMissing(() => {
    act();
    return true;
  }) ?? false;

function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}
