import { hasCode, isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, parentOf } from "../../../base/paths.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { PictureEntry } from "../../../storage/picture-entries.ts";
import { isCopyOf, type PictureDirectories } from "../../../storage/pictures.ts";
import type { Facts, SafePath } from "../../../storage/storage.ts";
import type { ObjectName, StorageWriter } from "../../../storage/writer.ts";

/** Says what may still be copied for one picture. */
export interface CopyBudget {
  bytes: number;
  files: number;
}

export const newBudget = (): CopyBudget => ({ bytes: LIMITS.pictureBytes, files: LIMITS.pictureFiles });

/** One root of a picture: where it is, and where its copies are. */
export interface CopiedRoot {
  readonly root: SafePath;
  readonly copies: ObjectName;
}

export interface CopyContext {
  readonly writer: StorageWriter;
  readonly pictures: PictureDirectories;
  readonly modeOf: (path: string) => number;
}

/**
 * Copies files into the store while the budget lasts, in the order given. A copy counts only where the file is still the
 * one of the picture afterwards, so it may be made while a command runs. Returns false where the disk is full.
 */
export async function copyEntries(
  context: CopyContext,
  { root, copies }: CopiedRoot,
  entries: Iterable<PictureEntry>,
  budget: CopyBudget,
  checkpoint: Checkpoint,
): Promise<boolean> {
  const made = new Set<string>([""]);
  for (const entry of entries) {
    await checkpoint();
    if (budget.files <= 0) return true;
    if (entry.size > budget.bytes) continue;
    const copied = await copyEntry(context, { root, copies }, entry, made, checkpoint);
    if (copied === "full") return false;
    if (copied === "none") continue;
    budget.files--;
    budget.bytes -= entry.size;
  }
  return true;
}

/** Copies one entry, unless there is a copy already. */
async function copyEntry(
  context: CopyContext,
  { root, copies }: CopiedRoot,
  entry: PictureEntry,
  made: Set<string>,
  checkpoint: Checkpoint,
): Promise<"copied" | "none" | "full"> {
  const { writer } = context;
  const [source, target] = [childOf(root, entry.path), childOf(copies, entry.path)];
  if (isCopyOf(entry, statOrNull(writer, target))) return "copied";
  try {
    makeParents(context, { root, copies }, entry.path, made);
    await writer.erase(target);
    await writer.stage(target, { copyOf: source }, { keepTimes: true, checkpoint });
  } catch (error) {
    if (hasCode(error, "disk_full")) return "full";
    // It is gone, was replaced or may not be read: then there is no copy of it.
    if (!isFault(error) || hasCode(error, "cancelled")) throw error;
    return "none";
  }
  if (isUntouched(entry, statOrNull(writer, source))) return "copied";
  await writer.erase(target);
  return "none";
}

/** Checks that a file is still the one of the picture, with the same content and metadata. */
const isUntouched = (entry: PictureEntry, now: Facts | null): boolean =>
  now !== null && now.identity === entry.identity && now.size === entry.size && now.times === entry.times;

function statOrNull(writer: StorageWriter, place: SafePath | ObjectName): Facts | null {
  try {
    return writer.stat(place);
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** Creates the directories above a copy, each like the one that it stands for. */
export function makeParents(
  { pictures, modeOf }: Omit<CopyContext, "writer">,
  { root, copies }: CopiedRoot,
  path: string,
  made: Set<string>,
): void {
  const above = path.includes("/") ? parentOf(path) : "";
  if (made.has(above)) return;
  makeParents({ pictures, modeOf }, { root, copies }, above, made);
  pictures.createLike(childOf(copies, above), childOf(root, above), modeOf(above));
  made.add(above);
}
