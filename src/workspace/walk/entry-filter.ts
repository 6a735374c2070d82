import type { Entry } from "../../storage/storage.ts";

/** Returns true if an entry of one directory is ignored. */
export type Ignores = (name: string, isDirectory: boolean) => boolean;

/** Drops hidden and ignored entries. The walk and its worker share it, so that both keep the same entries. */
export const filterEntries = (
  entries: readonly Entry[],
  ignores: Ignores,
  { includeHidden }: { readonly includeHidden: boolean },
): readonly Entry[] =>
  entries.filter(({ name, kind }) => (includeHidden || !name.startsWith(".")) && !ignores(name, kind === "directory"));
