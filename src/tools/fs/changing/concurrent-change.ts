import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { runInSlices } from "../../../base/time-slicing.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { detectEncoding } from "../../../text/encoding/detect.ts";
import { unifiedDiff } from "../../../text/diff/diff.ts";
import { decodeOrNull } from "../../../text/encoding/encoding.ts";
import type { View } from "../../../workspace/view.ts";

/** Describes, as a diff, how others changed a file since the caller read it. */
export interface ConcurrentChange {
  readonly diff: string;
  /** Is true if the diff is not truncated. */
  readonly isWhole: boolean;
}

/** Compares two states of a file. Returns undefined if one of them is not text. */
export async function concurrentChange(
  view: View,
  place: SafePath,
  before: Uint8Array,
  after: Uint8Array,
): Promise<ConcurrentChange | undefined> {
  const [old, fresh] = [await textIn(before), await textIn(after)];
  if (old === null || fresh === null) return undefined;
  const [mostLines, mostBytes] = [LIMITS.foreignDiffLines, LIMITS.foreignDiffBytes];
  const options = { path: view.nameOf(place), contextLines: 1, mostLines, mostBytes };
  const { text, truncated } = await runInSlices(unifiedDiff(old, fresh, options), view.checkpoint);
  return { diff: text.trimEnd(), isWhole: !truncated };
}

async function textIn(bytes: Uint8Array): Promise<string | null> {
  const encoding = await detectEncoding(bytes.subarray(0, LIMITS.sniffBytes), bytes.length <= LIMITS.sniffBytes);
  return encoding && decodeOrNull(bytes, encoding.label);
}

/** Formats the note for a merged change. It shows the lines of others, which the caller has to know from now on. */
export const mergedNote = (concurrent: ConcurrentChange | undefined): string => {
  if (!concurrent) return MERGED;
  const more = concurrent.isWhole ? "" : "\nRead the file before you write all of it again";
  return `${MERGED}. Changed meanwhile:\n${concurrent.diff}${more}`;
};

const MERGED = "the file has changed since it was read, in other lines; the result has both changes";

/** Reports that the file has changed since this session read it and that the changes cannot be merged. */
export function staleFault(view: View, place: SafePath, why: string, concurrent?: ConcurrentChange): Fault {
  const path = view.nameOf(place);
  const shown = concurrent ? `; changed meanwhile:\n${concurrent.diff}` : "";
  return new Fault(
    "stale",
    `Cannot replace ${JSON.stringify(path)}: it has changed since this session read it, and ${why}${shown}`,
    {
      path,
      ...(concurrent && { diff: concurrent.diff }),
      hint: "Read it again, or set overwrite: true to replace it all",
    },
  );
}
