import { LIMITS } from "../../base/limits.ts";
import { runInSlices } from "../../base/time-slicing.ts";
import { type DiffOptions, unifiedDiff } from "../../text/diff/diff.ts";
import { detectEncoding } from "../../text/encoding/detect.ts";
import { decode } from "../../text/encoding/encoding.ts";
import type { ChangeRecord, Effect, FileState } from "./change.ts";
import { withDelta } from "./delta.ts";
import type { View } from "../view.ts";
import { readWholeFile } from "../read/whole-file.ts";

/** What a change did at one place: a whole diff where both sides are known and are text, else words. */
export interface FileDiff {
  readonly path: string;
  readonly action: Effect["action"];
  readonly from?: string;
  readonly diff?: string;
  readonly note?: string;
}

/** What a change did, from what is kept of it. */
export async function diffOfChange({ effects }: ChangeRecord, view: View): Promise<readonly FileDiff[]> {
  const files: FileDiff[] = [];
  for (const effect of effects) {
    await view.checkpoint();
    const { path, from, action } = effect;
    const names = { path: view.nameOf(path), ...(from !== undefined && { from: view.nameOf(from) }) };
    files.push({ ...names, action, ...(await shownOf(effect, names, view)) });
  }
  return files;
}

/** How a change of one content is shown. */
export type ShownDiff = Pick<FileDiff, "diff" | "note">;

interface Names {
  readonly path: string;
  readonly from?: string;
}

async function shownOf(effect: Effect, { path, from }: Names, view: View): Promise<ShownDiff> {
  const { action, before, after } = effect;
  if (action === "mkdir") return {};
  if (action === "chmod") return { note: `permissions ${modeOf(before)} before, ${modeOf(after)} after` };
  const odd = [before, after].find((image) => image && image.kind !== "file");
  if (odd) return { note: odd.kind === "other" ? "a special file" : `a ${odd.kind}` };
  if (action === "move") return movedFile(view, path, from ?? path, before);
  if ([before, after].some((image) => (image?.size ?? 0) > LIMITS.editBytes)) return { note: "too large to compare" };
  const [old, fresh] = await contentsOf(effect, view);
  if (!old || !fresh) return { note: "what was kept of its content is gone" };
  return comparedContents(view, old, fresh, { path, kind: before ? (after ? "change" : "delete") : "create" });
}

const modeOf = (image: FileState | null): string => ((image?.mode ?? 0) & PERMISSIONS).toString(8);

const PERMISSIONS = 0o7777;

async function movedFile(view: View, path: string, fromPath: string, replaced: FileState | null): Promise<ShownDiff> {
  const { text } = await runInSlices(unifiedDiff("", "", { path, fromPath }), view.checkpoint);
  return { diff: text, ...(replaced && { note: "it replaced what was there" }) };
}

type Content = Uint8Array | null;

/** What a place had before and after; null where it is not known any more. */
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

/** What a place had once: kept, there still, or told from what later changes keep. */
async function contentOf({ object, version }: FileState, view: View): Promise<Content> {
  const kept = object === undefined ? null : view.past.contentOf(object);
  return kept ?? (await contentInWorkspace(version, view)) ?? view.recall(version);
}

/** It may have moved since, or have been brought back. */
async function contentInWorkspace(version: string, view: View): Promise<Content> {
  for await (const { effects } of view.past.records(view.checkpoint)) {
    for (const { path, after } of effects) {
      if (after?.version !== version || view.see(path)?.version !== version) continue;
      return (await view.withFile(path, readWholeFile)).bytes;
    }
  }
  return null;
}

/** A whole diff where both are text, else their sizes. */
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

/** Null where it is no text. */
export async function diffText(bytes: Uint8Array): Promise<string | null> {
  const encoding = await detectEncoding(bytes, true);
  return encoding && decode(bytes, encoding.label);
}
