import { LIMITS } from "../../base/limits.ts";
import { runInSlices } from "../../base/time-slicing.ts";
import { type DiffOptions, unifiedDiff } from "../../text/diff/diff.ts";
import { detectEncoding } from "../../text/encoding/detect.ts";
import { decode } from "../../text/encoding/encoding.ts";
import type { ChangeRecord, Effect, FileState } from "./change.ts";
import { withDelta } from "./delta.ts";
import type { View } from "../view.ts";
import { readWholeFile } from "../read/whole-file.ts";

/**
 * Describes what a change did to one file: with a complete diff where both sides are known and are text, else with a
 * note.
 */
export interface FileDiff {
  readonly path: string;
  readonly action: Effect["action"];
  readonly from?: string;
  readonly diff?: string;
  readonly note?: string;
}

/** Rebuilds what a change did from the backups that the history keeps. */
export async function diffOfChange(
  { effects }: Pick<ChangeRecord, "effects">,
  view: View,
): Promise<readonly FileDiff[]> {
  const files: FileDiff[] = [];
  for (const effect of effects) {
    await view.checkpoint();
    const { path, from, action } = effect;
    const names = { path: view.nameOf(path), ...(from !== undefined && { from: view.nameOf(from) }) };
    files.push({ ...names, action, ...(await diffOrNote(effect, names, view)) });
  }
  return files;
}

/** A diff, or a note where no diff can be shown. */
export type ShownDiff = Pick<FileDiff, "diff" | "note">;

interface Names {
  readonly path: string;
  readonly from?: string;
}

async function diffOrNote(effect: Effect, { path, from }: Names, view: View): Promise<ShownDiff> {
  const { action, before, after } = effect;
  if (action === "mkdir") return {};
  if (action === "chmod") return { note: `permissions ${modeOf(before)} before, ${modeOf(after)} after` };
  const nonFile = [before, after].find((state) => state && state.kind !== "file");
  if (nonFile) return { note: nonFile.kind === "other" ? "a special file" : `a ${nonFile.kind}` };
  if (action === "move") return movedFile(view, path, from ?? path, before);
  if ([before, after].some((state) => (state?.size ?? 0) > LIMITS.editBytes)) return { note: "too large to compare" };
  const [old, fresh] = await contentsOf(effect, view);
  if (!old || !fresh) return { note: "the backup of its content is gone" };
  return comparedContents(view, old, fresh, { path, kind: before ? (after ? "change" : "delete") : "create" });
}

const modeOf = (state: FileState | null): string => ((state?.mode ?? 0) & PERMISSIONS).toString(8);

const PERMISSIONS = 0o7777;

async function movedFile(view: View, path: string, fromPath: string, replaced: FileState | null): Promise<ShownDiff> {
  const { text } = await runInSlices(unifiedDiff("", "", { path, fromPath }), view.checkpoint);
  return { diff: text, ...(replaced && { note: "it replaced what was there" }) };
}

type Content = Uint8Array | null;

/** Returns the content before and after an effect; null for one that is no longer known. */
export async function contentsOf({ action, before, after, delta }: Effect, view: View): Promise<[Content, Content]> {
  if (action === "append" && before && after) {
    const fresh = await contentOf(after, view);
    return [fresh && fresh.subarray(0, before.size), fresh];
  }
  const old = before ? await contentOf(before, view) : NOTHING;
  if (!after) return [old, NOTHING];
  return [old, old && before && delta ? withDelta(old, delta) : await contentOf(after, view)];
}

const NOTHING = new Uint8Array();

/** Returns a content of the past from its backup, from the workspace, or rebuilt from later changes. */
async function contentOf({ object, version }: FileState, view: View): Promise<Content> {
  const kept = object === undefined ? null : await view.history.contentOf(object);
  return kept ?? (await contentInWorkspace(version, view)) ?? view.contentOfVersion(version);
}

/** Finds the content wherever it is now: the file may have been moved or restored since. */
async function contentInWorkspace(version: string, view: View): Promise<Content> {
  for await (const { effects } of view.history.records(view.checkpoint, version)) {
    for (const { path, after } of effects) {
      if (after?.version !== version || (await view.snapshot(path))?.version !== version) continue;
      return (await view.withFile(path, readWholeFile)).bytes;
    }
  }
  return null;
}

/** Returns a complete diff when both contents are text, else their sizes. */
export async function comparedContents(
  { checkpoint }: View,
  old: Uint8Array,
  fresh: Uint8Array,
  options: DiffOptions,
): Promise<ShownDiff> {
  const [before, after] = [await diffText(old), await diffText(fresh)];
  if (before === null || after === null) return { note: `binary, ${old.length} bytes before, ${fresh.length} after` };
  const whole = { ...options, mostLines: Infinity, mostBytes: Infinity };
  return { diff: (await runInSlices(unifiedDiff(before, after, whole), checkpoint)).text };
}

/** Returns null when the bytes are not text. */
export async function diffText(bytes: Uint8Array): Promise<string | null> {
  const encoding = await detectEncoding(bytes, true);
  return encoding && decode(bytes, encoding.label);
}
