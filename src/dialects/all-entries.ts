import { LIMITS } from "../base/limits.ts";
import type { Native, NativeCalls } from "./native.ts";

type Listing = NativeCalls["ls"];
export type Entry = Listing["answer"]["entries"][number];

/** Every entry of a directory by name, however many pages that takes. */
export async function allEntries(native: Native<"ls">, path: string): Promise<readonly Entry[]> {
  const limit = LIMITS.listEntriesMost;
  const entries: Entry[] = [];
  let cursor: string | undefined;
  do {
    const page = await native.ask("ls", { path, limit, ...(cursor !== undefined && { cursor }) });
    for (const entry of page.entries) entries.push(entry);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return entries;
}
