import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { runInSlices } from "../../../base/time-slicing.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { detectEncoding } from "../../../text/encoding/detect.ts";
import { unifiedDiff } from "../../../text/diff/diff.ts";
import { decodeOrNull } from "../../../text/encoding/encoding.ts";
import type { View } from "../../../workspace/view.ts";

/** What others made of a file since the caller saw it, as a diff. */
export interface ConcurrentChange {
  readonly diff: string;
  /** The diff is not cut. */
  readonly isWhole: boolean;
}

/** The lines that others changed between two states of a file; undefined where it is not text. */
export async function concurrentChange(
  view: View,
  place: SafePath,
  before: Uint8Array,
  after: Uint8Array,
): Promise<ConcurrentChange | undefined> {
  const [old, fresh] = [await textIn(before), await textIn(after)];
  if (old === null || fresh === null) return undefined;
  const [mostLines, mostBytes] = [LIMITS.foreignDiffLines, LIMITS.foreignDiffBytes];
  const how = { path: view.nameOf(place), contextLines: 1, mostLines, mostBytes };
  const { text, truncated } = await runInSlices(unifiedDiff(old, fresh, how), view.checkpoint);
  return { diff: text.trimEnd(), isWhole: !truncated };
}

async function textIn(bytes: Uint8Array): Promise<string | null> {
  const encoding = await detectEncoding(bytes.subarray(0, LIMITS.sniffBytes), bytes.length <= LIMITS.sniffBytes);
  return encoding && decodeOrNull(bytes, encoding.label);
}

/** What a caller is told when its change was merged with that of others: it has to know their lines from now on. */
export const mergedNote = (foreign: ConcurrentChange | undefined): string => {
  if (!foreign) return MERGED;
  const more = foreign.isWhole ? "" : "\nRead the file before you write all of it again";
  return `${MERGED}. Changed meanwhile:\n${foreign.diff}${more}`;
};

const MERGED = "the file has changed since it was read, in other lines; the result has both changes";

/** The file is not what this session saw, and both changes cannot be merged. */
export function staleSince(view: View, place: SafePath, why: string, foreign?: ConcurrentChange): Fault {
  const path = view.nameOf(place);
  const shown = foreign ? `; changed meanwhile:\n${foreign.diff}` : "";
  return new Fault(
    "stale",
    `Cannot replace ${JSON.stringify(path)}: it has changed since this session read it, and ${why}${shown}`,
    { path, ...(foreign && { diff: foreign.diff }), hint: "Read it again, or say overwrite: true to replace it all" },
  );
}
