import type { Entry } from "../../storage/storage.ts";

/** What files with ignore rules are called. The later is stronger. */
export const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore"];

/** The names of what may hold rules. */
export const ignoreFilesAmong = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ name, kind }) =>
    name.endsWith("ignore") && kind === "file" && IGNORE_FILES.includes(name) ? name : [],
  );
