import type { Entry } from "../../storage/storage.ts";

/** Whether an entry of one directory is ignored. */
export type Ignores = (name: string, isDirectory: boolean) => boolean;

/** What is neither hidden nor ignored: of the same directory the same, whichever thread reads it. */
export const filtered = (
  entries: readonly Entry[],
  ignores: Ignores,
  { includeHidden }: { readonly includeHidden: boolean },
): readonly Entry[] =>
  entries.filter(({ name, kind }) => (includeHidden || !name.startsWith(".")) && !ignores(name, kind === "directory"));
