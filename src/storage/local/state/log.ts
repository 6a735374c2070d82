import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, lstatSync, writeSync } from "node:fs";
import type { Durability } from "../../writer.ts";
import type { Log } from "../../state.ts";
import { isSameInode } from "../jail/jail.ts";
import { openOrCreate, openExisting, syncEntry, withOwnFault, unlessMissing } from "./own-file.ts";

/** Creates a new log. */
export function newLog(path: string, durability: Durability): Log {
  const fd = openOrCreate(path, CREATE_FLAGS);
  if (durability === "power") syncEntry(path);
  return createLog(fd, path, durability);
}

/** Opens an existing log; returns undefined when it is gone. */
export const reopenLog = (path: string, durability: Durability): Log | undefined =>
  unlessMissing(() => createLog(openExisting(path, APPEND_FLAGS), path, durability));

const APPEND_FLAGS = constants.O_APPEND | constants.O_WRONLY | constants.O_NOFOLLOW;
const CREATE_FLAGS = APPEND_FLAGS | constants.O_CREAT | constants.O_EXCL;

/** Wraps a log that nobody else writes to: its size is needed only to truncate it. */
function createLog(fd: number, path: string, durability: Durability): Log {
  let added = 0;
  const truncate = (to: number): void => {
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
        truncate(before);
        throw error;
      }
    }),
    addedBytes: () => added,
    truncate: withOwnFault(truncate),
    isInPlace: withOwnFault(() => {
      const there = unlessMissing(() => lstatSync(path, { bigint: true }));
      return isSameInode(fstatSync(fd, { bigint: true }), there);
    }),
    close: () => closeSync(fd),
  };
}
