import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { LIMITS } from "../../../base/limits.ts";
import { childOf } from "../../../base/paths.ts";
import { hasProcessExited, OWN_PROCESS } from "../../../base/process-identity.ts";
import type { Durability } from "../../writer.ts";
import { nobodyAfter, PENDING, type State } from "../../state.ts";
import { writeFormat } from "./format.ts";
import { createLock } from "./lock.ts";
import { reopenLog, newLog } from "./log.ts";
import { nextNumber } from "./sequence.ts";
import {
  withDirectory,
  openOrCreate,
  openExisting,
  readOwnBytes,
  readOwnFile,
  replaceOwnFile,
  syncEntry,
  withOwnFault,
  unlessMissing,
} from "./own-file.ts";
import { createLister } from "./listing.ts";
import { freshFile, removeStaleFiles } from "./stale-files.ts";

/** Opens the state of one user: of all workspaces, because their roots may overlap. Nothing is touched before its use. */
export function createState(directory: string, durability: Durability = "process"): State {
  const pathOf = (name: string): string => childOf(directory, name);
  const [sync, syncName] = durability === "power" ? [fsyncSync, syncEntry] : [() => {}, () => {}];
  return {
    directory,
    append: withOwnFault((name, lines) =>
      withFile(pathOf(name), APPEND, (fd) => {
        const sizeBefore = appendWhole(fd, Buffer.from(lines));
        sync(fd);
        if (sizeBefore === 0) syncName(pathOf(name));
      }),
    ),
    open: withOwnFault((name) => newLog(pathOf(name), durability)),
    reopen: withOwnFault((name) => reopenLog(pathOf(name), durability)),
    // The temporary file is not in the folder itself: left there by a crash, it would be listed forever.
    write: withOwnFault((name, text) => {
      replaceOwnFile(pathOf(name), freshFile(directory), text, sync);
      syncName(pathOf(name));
    }),
    read: withOwnFault((name) => unlessMissing(() => readOwnFile(pathOf(name))) ?? null),
    readBytes: withOwnFault((name) => unlessMissing(() => readOwnBytes(pathOf(name))) ?? null),
    firstLine: withOwnFault((name) => unlessMissing(() => firstLineOf(pathOf(name))) ?? ""),
    lastLine: withOwnFault((name) => unlessMissing(() => lastLineOf(pathOf(name))) ?? ""),
    list: withOwnFault(createLister(pathOf)),
    overwrite: withOwnFault((name, at, character) => isPresent(() => overwrite(pathOf(name), at, character))),
    changedMs: withOwnFault((name) => unlessMissing(() => statSync(pathOf(name)).mtimeMs) ?? 0),
    move: withOwnFault((name, to) =>
      unlessMissing(() => {
        withDirectory(pathOf(to), () => renameSync(pathOf(name), pathOf(to)));
        syncName(pathOf(to));
      }),
    ),
    remove: withOwnFault((name) => unlessMissing(() => unlinkSync(pathOf(name)))),
    self: OWN_PROCESS,
    hasExited: hasProcessExited,
    locked: createLock(pathOf("locks"), {
      beforeFirst() {
        writeFormat(directory);
        removeStaleFiles(directory);
      },
      beforeBreak: (owner) => disown(pathOf(PENDING), owner),
    }),
    nextNumber: withOwnFault((wanted) => nextNumber(pathOf("sequence"), wanted)),
  };
}

/** Needs no space on the disk. */
function disown(directory: string, owner: string): void {
  const names = unlessMissing(() => readdirSync(directory)) ?? [];
  for (const name of names)
    if (name.endsWith(`.${owner}`))
      renameSync(childOf(directory, name), childOf(directory, `${name.slice(0, -owner.length)}${nobodyAfter(owner)}`));
}

/**
 * Appends everything or nothing: a full disk takes a part before it refuses the rest. What others have added since is
 * left alone. Returns the size before.
 */
function appendWhole(fd: number, bytes: Uint8Array): number {
  const { size } = fstatSync(fd);
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(fd, bytes, done);
  } catch (error) {
    if (fstatSync(fd).size === size + done) ftruncateSync(fd, size);
    throw error;
  }
  return size;
}

const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY;

function withFile(path: string, flags: number, use: (fd: number) => void): void {
  const fd = openOrCreate(path, flags);
  try {
    use(fd);
  } finally {
    closeSync(fd);
  }
}

function firstLineOf(path: string): string {
  const fd = openExisting(path, constants.O_RDONLY);
  try {
    const block = Buffer.alloc(LIMITS.stepBytes);
    const bytes = block.subarray(0, readSync(fd, block, 0, block.length, 0));
    const end = bytes.indexOf("\n");
    return end === -1 ? "" : bytes.toString("utf8", 0, end);
  } finally {
    closeSync(fd);
  }
}

/**
 * Reads backwards from the end until the line before the last one is found: a file that grows all day is large. Ignores
 * a line without its end, which another process is writing.
 */
function lastLineOf(path: string): string {
  const fd = openExisting(path, constants.O_RDONLY);
  try {
    let text = "";
    for (let to = fstatSync(fd).size; to > 0 && !upToLastEnd(text).includes("\n"); to -= LIMITS.stepBytes) {
      const block = Buffer.alloc(Math.min(to, LIMITS.stepBytes));
      readSync(fd, block, 0, block.length, to - block.length);
      text = block.toString("latin1") + text;
    }
    const whole = upToLastEnd(text);
    return Buffer.from(whole.slice(whole.lastIndexOf("\n") + 1), "latin1").toString();
  } finally {
    closeSync(fd);
  }
}

/** Returns the text before the last line end; "" where there is none. */
const upToLastEnd = (text: string): string => text.slice(0, Math.max(text.lastIndexOf("\n"), 0));

/** Opens without O_APPEND, which would ignore the position. */
const overwrite = (path: string, at: number, character: string): void =>
  withFile(path, constants.O_WRONLY, (fd) => void writeSync(fd, character, at));

/** Returns false when the file is missing. */
const isPresent = (act: () => void): boolean =>
  unlessMissing(() => {
    act();
    return true;
  }) ?? false;
