import type { Entry } from "../../storage/storage.ts";

/** Lists the names of ignore files. A later one takes precedence. */
export const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];

/** Returns the names of the ignore files among some entries. */
export const ignoreFilesAmong = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ name, kind }) =>
    name.endsWith("ignore") && kind === "file" && IGNORE_FILES.includes(name) ? name : [],
  );
