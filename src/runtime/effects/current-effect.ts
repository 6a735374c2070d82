import { LIMITS } from "../../base/limits.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { View } from "../../workspace/view.ts";
import type { CallEffect } from "./call-effect.ts";
import { type EffectPart, replacementNote } from "./effect-part.ts";

/**
 * Returns true while the files are as they were when an effect was described: the versions that it found, the trees
 * that it counted, and what a move would replace. The view must not be restricted.
 */
export async function isEffectCurrent({ parts }: CallEffect, view: View): Promise<boolean> {
  for (const part of parts) {
    await view.checkpoint();
    if (!(await isPartCurrent(part, view))) return false;
  }
  return true;
}

async function isPartCurrent({ path, found, tree, to, note }: EffectPart, view: View): Promise<boolean> {
  // What is read, run or sent names no version.
  if (found === undefined) return true;
  // The paths of stored effects are real: the digest proves that nobody altered them.
  const place = path as SafePath;
  if (((await view.snapshot(place))?.version ?? null) !== found) return false;
  if (tree !== undefined && (await view.fingerprint(place, LIMITS.checkedTreeEntries)) !== tree) return false;
  return to === undefined || (await replacementNote(to as SafePath, view)).note === note;
}
