import { resolve } from "node:path";
import { isSea } from "node:sea";

/** Returns the words that start this program again: Node and the script, or the single executable alone. */
export const ownWords = (): readonly [string, ...string[]] =>
  isSea() ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? "")];
