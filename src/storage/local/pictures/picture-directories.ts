import { chmodSync, chownSync, lstatSync, mkdirSync } from "node:fs";
import { errnoOf } from "../../../base/errno.ts";
import type { PictureDirectories } from "../../pictures.ts";
import { kernel } from "../jail/kernel.ts";
import { attempt, type StagingContext } from "../stage.ts";
import { scanRoot } from "./scan.ts";

/** Takes pictures of local roots. */
export function createPictureDirectories(
  { jail, entries }: StagingContext,
  stateDirectory: string,
): PictureDirectories {
  return {
    scan: (root, most, checkpoint) => scanRoot(jail, kernel(), root, { most, checkpoint, stateDirectory }),
    create: (object) => entries.withEntryToChange(object, ({ fsPath }) => mkdirSync(fsPath, 0o700)),
    createLike: (object, path, mode) =>
      entries.withEntryToChange(object, ({ fsPath }) => {
        if (!isCreated(fsPath)) return;
        const source = entries.withEntry(path, (ref) => lstatSync(ref.fsPath, { throwIfNoEntry: false }));
        if (source && process.getuid?.() === 0) attempt(() => chownSync(fsPath, source.uid, source.gid));
        chmodSync(fsPath, mode | OWNER_ACCESS);
      }),
    setMode: (object, mode) => entries.withEntryToChange(object, ({ fsPath }) => chmodSync(fsPath, mode)),
  };
}

/** Lets us put copies into a directory, whatever its own mode. */
const OWNER_ACCESS = 0o700;

/** Returns false where the directory exists. */
function isCreated(directory: string): boolean {
  try {
    mkdirSync(directory, 0o700);
    return true;
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
    return false;
  }
}
