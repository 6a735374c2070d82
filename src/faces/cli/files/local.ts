import { constants, copyFile, link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { errnoOf } from "../../../base/errno.ts";
import { FileError, type FileErrorCode } from "../../sdk/file-error.ts";

/** Reads any file of this machine: the person at the terminal names it. */
export async function readLocal(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw localError(error, path);
  }
}

/** Writes a file atomically by a temporary file. Replaces an existing file only with `overwrite`. */
export async function writeLocal(path: string, bytes: Uint8Array, overwrite = false): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, bytes, { flag: "wx" });
    await (overwrite ? rename(temporary, path) : linkOrCopy(temporary, path));
  } catch (error) {
    throw localError(error, path);
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

/** Makes a hard link, which never replaces a file. Copies on filesystems without hard links. */
async function linkOrCopy(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw error;
    await copyFile(temporary, path, constants.COPYFILE_EXCL);
  }
}

function localError(error: unknown, path: string): FileError {
  const [code, state] = STATES[errnoOf(error) ?? ""] ?? ["STORAGE_ERROR", String(error)];
  return new FileError(code, `Cannot use the local file '${path}': ${state}`, error);
}

const STATES: Readonly<Record<string, readonly [FileErrorCode, string]>> = {
  ENOENT: ["NOT_FOUND", "it or its directory does not exist"],
  EEXIST: ["ALREADY_EXISTS", "it exists already; --overwrite replaces it"],
  EACCES: ["PERMISSION_DENIED", "permission denied"],
  EPERM: ["PERMISSION_DENIED", "permission denied"],
  EISDIR: ["IS_DIRECTORY", "it is a directory"],
  ENOTDIR: ["IS_FILE", "a file is where a directory should be"],
};
