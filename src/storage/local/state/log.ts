import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, lstatSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Durability } from "../../writer.ts";
import type { Log } from "../../state.ts";
import { isSameInode } from "../jail/jail.ts";
import { openOrCreate, openExisting, withOwnFault, unlessMissing } from "./own-file.ts";

/** Starts a new file that grows line by line. */
export function newLog(path: string, durability: Durability): Log {
  const fd = openOrCreate(path, CREATE_FLAGS);
  if (durability === "power") syncDirectoryOf(path);
  return createLog(fd, path, durability);
}

/** Goes on with one; undefined when it is gone. */
export const reopenLog = (path: string, durability: Durability): Log | undefined =>
  unlessMissing(() => createLog(openExisting(path, APPEND_FLAGS), path, durability));

const APPEND_FLAGS = constants.O_APPEND | constants.O_WRONLY | constants.O_NOFOLLOW;
const CREATE_FLAGS = APPEND_FLAGS | constants.O_CREAT | constants.O_EXCL;

/** A file is only there after a power cut when its directory says so. */
function syncDirectoryOf(path: string): void {
  const fd = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Nobody else adds to it: how long it is need be known only to make it shorter. */
function createLog(fd: number, path: string, durability: Durability): Log {
  let added = 0;
  const cut = (to: number): void => {
    ftruncateSync(fd, fstatSync(fd).size - (added - to));
    added = to;
  };
  return {
    add: withOwnFault((line) => {
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
    addedBytes: () => added,
    truncate: withOwnFault(cut),
    isInPlace: withOwnFault(() => {
      const there = unlessMissing(() => lstatSync(path, { bigint: true }));
      return isSameInode(fstatSync(fd, { bigint: true }), there);
    }),
    close: () => closeSync(fd),
  };
}
