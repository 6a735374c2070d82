import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { errnoOf } from "../../../base/errno.ts";
import { Fault } from "../../../base/errors.ts";
import { asFault } from "../errno.ts";

/** Opens a file of ours; its directory is created if need be. */
export const openOrCreate = (path: string, flags: number): number =>
  withDirectory(path, () => openExisting(path, flags));

/** Opens one whose directory must exist. A link in its place is not followed, and a FIFO there does not block. */
export function openExisting(path: string, flags: number): number {
  const fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw occupiedFault(path);
}

/** Replaces a whole file atomically. `fresh` is a name that only this process uses. */
export function replaceOwnFile(path: string, fresh: string, text: string, sync: (fd: number) => void = () => {}): void {
  const fd = openOrCreate(fresh, constants.O_TRUNC | constants.O_CREAT | constants.O_WRONLY);
  try {
    writeFileSync(fd, text);
    sync(fd);
  } finally {
    closeSync(fd);
  }
  withDirectory(path, () => renameSync(fresh, path));
}

/**
 * Syncs the entry of a file, and that of its directory, which may be new as well: after a power cut, a file is only
 * there when its entry is on the disk.
 */
export function syncEntry(path: string): void {
  for (const directory of [dirname(path), dirname(dirname(path))]) {
    const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}

export const readOwnFile = (path: string): string => readOwnBytes(path).toString();

export function readOwnBytes(path: string): Buffer {
  const fd = openExisting(path, constants.O_RDONLY);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

const occupiedFault = (name: string, cause?: unknown): Fault =>
  new Fault(
    "io",
    `Cannot use our own state: something else is named ${JSON.stringify(basename(name))}`,
    { hint: "Ask the user to look into the state directory, which holdfast doctor names, and to move it away" },
    cause,
  );

/** Lists the errors that mean that a FIFO, a link or a directory has the name of our file. */
const OCCUPIED_ERRNOS = ["ENXIO", "ELOOP", "EISDIR"];

/** Converts an error of one of our files to a Fault, which does not reveal where our files are. */
export function ownFault(error: unknown, name: string): unknown {
  const errno = errnoOf(error) ?? "";
  if (errno === "ENOTDIR") return occupiedFault(dirname(name), error);
  return OCCUPIED_ERRNOS.includes(errno) ? occupiedFault(name, error) : asFault(error, "our own state", "change");
}

/** Creates the directory only after ENOENT: nearly always it is there. */
export function withDirectory<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return act();
  }
}

/** Wraps a function so that its errors are faults. */
export const withOwnFault =
  <Args extends readonly unknown[], T>(act: (...args: Args) => T): ((...args: Args) => T) =>
  (...args) => {
    try {
      return act(...args);
    } catch (error) {
      throw ownFault(error, typeof args[0] === "string" ? args[0] : "state");
    }
  };

/** Returns undefined when the file or its directory is missing. */
export function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}
