import { LIMITS } from "../../base/limits.ts";
import type { Version } from "../../base/version.ts";
import type { SafePath } from "../../storage/storage.ts";
import { diffText } from "../../workspace/changes/change-diff.ts";
import type { ChangeRecord, Effect } from "../../workspace/changes/change.ts";
import { withDelta } from "../../workspace/changes/delta.ts";
import type { View } from "../../workspace/view.ts";

/** A text file that a change gave another content. */
export interface ChangedFile {
  readonly place: SafePath;
  /** Is null for a new file. */
  readonly before: { readonly version: Version; readonly text: string } | null;
  readonly version: Version;
  readonly text: string;
}

/** Lists the places whose content a change may have altered, as servers want to know of them. */
export const changedPlaces = ({ effects }: ChangeRecord): readonly ChangedPlace[] =>
  effects.flatMap(({ action, path, from, before, after }) => [
    ...(action === "move" && from !== undefined ? [{ place: from, type: DELETED } as const] : []),
    { place: path, type: after ? (before ? CHANGED : CREATED) : DELETED },
  ]);

export interface ChangedPlace {
  readonly place: SafePath;
  /** The number that the protocol has for what happened. */
  readonly type: 1 | 2 | 3;
}

const [CREATED, CHANGED, DELETED] = [1, 2, 3] as const;

/** Reads the texts before and after a change from memory and from the backups; the files themselves are not opened. */
export async function changedFilesOf(
  effects: readonly Effect[],
  view: Pick<View, "history" | "seenFiles">,
): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  for (const effect of effects) {
    const file = await changedFileOf(effect, view);
    if (file) files.push(file);
  }
  return files;
}

/** Tests if an effect gave a file a new content that is small enough to be checked. */
export const isChecked = ({ action, before, after }: Effect): boolean =>
  CONTENT_ACTIONS.has(action) &&
  after?.kind === "file" &&
  after.size <= LIMITS.diagnosedBytes &&
  (before?.size ?? 0) <= LIMITS.diagnosedBytes;

const CONTENT_ACTIONS: ReadonlySet<Effect["action"]> = new Set(["create", "replace", "append"]);

async function changedFileOf(
  { action, path: place, before, after, delta }: Effect,
  { history, seenFiles }: Pick<View, "history" | "seenFiles">,
): Promise<ChangedFile | undefined> {
  if (!after) return undefined;
  const kept = before?.object === undefined ? null : await history.contentOf(before.object);
  const bytes = seenFiles.bytesAt(place, after.version) ?? (kept && delta ? withDelta(kept, delta) : undefined);
  if (!bytes) return undefined;
  const old = action === "append" && before ? bytes.subarray(0, before.size) : kept;
  const [text, oldText] = [await diffText(bytes), old && (await diffText(old))];
  if (text === null || (before && oldText === null)) return undefined;
  return { place, before: before && { version: before.version, text: oldText ?? "" }, version: after.version, text };
}
