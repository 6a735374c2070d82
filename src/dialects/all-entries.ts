import { LIMITS } from "../base/limits.ts";
import type { Native, NativeCalls } from "./native.ts";

export type ListedEntry = NativeCalls["ls"]["answer"]["entries"][number];

/**
 * Lists all entries of a directory, page by page. With a `limit` of at most `LIMITS.listDetailed`, each has its size.
 */
export async function allEntries(
  native: Native<"ls">,
  path: string,
  options: Omit<NativeCalls["ls"]["input"], "path" | "cursor"> = {},
): Promise<readonly ListedEntry[]> {
  const entries: ListedEntry[] = [];
  let cursor: string | undefined;
  do {
    const answer = await native.call("ls", {
      path,
      limit: LIMITS.listEntriesMost,
      ...options,
      ...(cursor !== undefined && { cursor }),
    });
    for (const entry of answer.entries) entries.push(entry);
    cursor = answer.cursor;
  } while (cursor !== undefined);
  return entries;
}
