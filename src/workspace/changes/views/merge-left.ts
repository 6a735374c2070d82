import { LIMITS } from "../../../base/limits.ts";
import { runInSlices } from "../../../base/time-slicing.ts";
import { mergeBytes } from "../../../text/diff/merge.ts";
import { lineFeedIn } from "../../../text/encoding/detect.ts";
import { diffText } from "../change-diff.ts";
import type { Change, FileState } from "../change.ts";
import type { ViewChange } from "./change-list.ts";
import { stateBefore } from "./changes-since.ts";
import type { PlanContext } from "./plan-context.ts";
import type { Contents } from "./same-content.ts";

interface MergedEntry {
  readonly changes: readonly Change[];
  readonly line?: Omit<ViewChange, "path" | "isGitControl">;
}

/**
 * Merges what a command left with what others wrote meanwhile, where the history has the text from before. Returns the
 * reason where lines conflict, and null where it cannot be merged at all.
 */
export async function mergeLeft(context: PlanContext, contents: Contents): Promise<MergedEntry | string | null> {
  const { path, now, fresh, left } = contents;
  const isMergeable = [now, fresh].every(({ facts }) => facts.kind === "file" && facts.size <= LIMITS.comparedBytes);
  const before = stateBefore(context.meanwhile, path);
  if (!isMergeable || before?.kind !== "file") return null;
  const base = await context.history.contentOfVersion(before.version, context.checkpoint, () => true);
  const [ours, theirs] = [context.writer.contentOf(path), context.writer.contentOf(left.object)];
  if (!base || !ours || !theirs || (await isBinary(base, ours, theirs))) return null;
  const merge = await runInSlices(mergeBytes(base, theirs, ours, lineFeedIn(base)), context.checkpoint);
  if (merge.kind === "conflict") return conflictReason(merge.regions.map(({ line }) => line));
  return mergedEntry(context, contents, before, { ours, merged: merge.bytes });
}

async function isBinary(...contents: readonly Uint8Array[]): Promise<boolean> {
  for (const bytes of contents) if ((await diffText(bytes)) === null) return true;
  return false;
}

const conflictReason = (lines: readonly number[]): string =>
  `the same lines were changed meanwhile: line ${lines.slice(0, LIMITS.placesListed).join(", ")}`;

async function mergedEntry(
  { comparer }: PlanContext,
  { path, now, left }: Contents,
  before: FileState,
  { ours, merged }: { readonly ours: Uint8Array; readonly merged: Uint8Array },
): Promise<MergedEntry> {
  const mode = left.mode === before.mode ? now.facts.mode : left.mode;
  if (Buffer.compare(ours, merged) === 0 && mode === now.facts.mode) return { changes: [] };
  const { lines, delta, diff } = await comparer.compare(path, ours, merged);
  return {
    changes: [{ kind: "write", path, content: merged, expect: now.version, mode, lines, delta }],
    line: { action: "merged", kind: "file", bytes: merged.length, lines, diff },
  };
}
