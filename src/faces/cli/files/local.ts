import { constants, copyFile, link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { errnoOf } from "../../../base/errno.ts";
import { FileError, type FileErrorCode } from "../../sdk/file-error.ts";

/** Bytes of a file of this machine, wherever it is: the person at the terminal names it. */
export async function readLocal(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw localError(error, path);
  }
}

/** All of it or nothing. What is there already stays, unless it is to be replaced. */
export async function writeLocal(path: string, bytes: Uint8Array, overwrite = false): Promise<void> {
  const fresh = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(fresh, bytes, { flag: "wx" });
    await (overwrite ? rename(fresh, path) : addName(fresh, path));
  } catch (error) {
    throw localError(error, path);
  } finally {
    await rm(fresh, { force: true }).catch(() => {});
  }
}

/** A second name never replaces anything. Some disks have none: there it is a copy. */
async function addName(fresh: string, path: string): Promise<void> {
  try {
    await link(fresh, path);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw error;
    await copyFile(fresh, path, constants.COPYFILE_EXCL);
  }
}

function localError(error: unknown, path: string): FileError {
  const [code, state] = STATES[errnoOf(error) ?? ""] ?? ["STORAGE_ERROR", String(error)];
  return new FileError(code, `Cannot use the local file '${path}': ${state}`, error);
}

const STATES: Readonly<Record<string, readonly [FileErrorCode, string]>> = {
  ENOENT: ["NOT_FOUND", "it does not exist, or its directory does not"],
  EEXIST: ["ALREADY_EXISTS", "it exists already; --overwrite replaces it"],
  EACCES: ["PERMISSION_DENIED", "the system forbids it"],
  EPERM: ["PERMISSION_DENIED", "the system forbids it"],
  EISDIR: ["IS_DIRECTORY", "it is a directory"],
  ENOTDIR: ["IS_FILE", "a file is where a directory should be"],
};
