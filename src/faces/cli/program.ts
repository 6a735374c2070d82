import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { ownWords } from "../../base/own-words.ts";
import { PRODUCT } from "../../base/product.ts";
import { shellWord } from "../../text/shell-word.ts";

/**
 * Returns the command that starts this program from another shell: its name if a shell finds it, else its file.
 * Ignores `node_modules/.bin`, which is on the PATH only of programs that npm starts.
 */
export function ownCommand(searchPath = process.env["PATH"] ?? ""): string {
  const places = searchPath.split(delimiter).filter((place) => !place.endsWith(join("node_modules", ".bin")));
  if (programOf(PRODUCT.name, places.join(delimiter))) return PRODUCT.name;
  return ownWords().map(shellWord).join(" ");
}

/** Returns the file that a shell would run for a word, or undefined if there is none. */
export function programOf(word: string, searchPath = ""): string | undefined {
  const places = word.includes("/") ? [resolve(word)] : searchPath.split(delimiter).map((place) => join(place, word));
  return places.find(canRun);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
