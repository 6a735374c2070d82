import { LIMITS } from "../base/limits.ts";
import type { Native, NativeCalls } from "./native.ts";

export type ListedEntry = NativeCalls["ls"]["answer"]["entries"][number];

/** Every entry of a directory, a page after the other. Up to `LIMITS.listDetailed` a page, each with its size. */
export async function allEntries(
  native: Native<"ls">,
  path: string,
  wish: Omit<NativeCalls["ls"]["input"], "path" | "cursor"> = {},
): Promise<readonly ListedEntry[]> {
  const entries: ListedEntry[] = [];
  let cursor: string | undefined;
  do {
    const answer = await native.ask("ls", {
      path,
      limit: LIMITS.listEntriesMost,
      ...wish,
      ...(cursor !== undefined && { cursor }),
    });
    for (const entry of answer.entries) entries.push(entry);
    cursor = answer.cursor;
  } while (cursor !== undefined);
  return entries;
}
