import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { PRODUCT } from "../../base/product.ts";
import { shellWord } from "../../text/shell-word.ts";

/**
 * Returns the command by which a person can call this program from another shell: its name where a shell finds it,
 * else its file. The directories of packages are on the path of what npm starts, and of nothing else.
 */
export function ownCommand(searched = process.env["PATH"] ?? ""): string {
  const places = searched.split(delimiter).filter((place) => !place.endsWith(join("node_modules", ".bin")));
  if (programOf(PRODUCT.name, places.join(delimiter))) return PRODUCT.name;
  return [process.execPath, ...process.argv.slice(1, 2)].map(shellWord).join(" ");
}

/** The file that a word would start, by its path; undefined when none would be. */
export function programOf(word: string, searched = ""): string | undefined {
  const places = word.includes("/") ? [resolve(word)] : searched.split(delimiter).map((place) => join(place, word));
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
