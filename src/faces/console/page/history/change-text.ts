import type { ChangeEntry } from "../../contract.ts";

/** Sums up the lines of all files of a change. */
export const sumOf = ({ files }: Pick<ChangeEntry, "files">): { readonly added: number; readonly removed: number } => ({
  added: files.reduce((sum, { added = 0 }) => sum + added, 0),
  removed: files.reduce((sum, { removed = 0 }) => sum + removed, 0),
});

/** Says how many files there are beside the first: "and 1 more". */
export const moreText = ({ files }: ChangeEntry): string => (files.length > 1 ? `and ${files.length - 1} more` : "");
