import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

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
