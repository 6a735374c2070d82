import { hash } from "node:crypto";
import { LIMITS } from "../../base/limits.ts";
import { childOf, relativeWithSlash } from "../../base/paths.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { Change, Counted } from "../../workspace/changes/change.ts";
import { countedIn, pathBelow } from "../../workspace/changes/streamed-entries.ts";
import { comparedContents, type ShownDiff } from "../../workspace/changes/change-diff.ts";
import { readWholeFile } from "../../workspace/read/whole-file.ts";
import type { View } from "../../workspace/view.ts";
import { walk } from "../../workspace/walk/walk.ts";

/** Describes what would happen at one place. Two effects are the same when all these fields are. */
export interface EffectPart {
  readonly action: Change["kind"] | "read" | "erase" | "call" | "run";
  /** The real path, with every link resolved; for an outward call, its target. */
  readonly path: string;
  readonly to?: string;
  /** The version that is there now; null for nothing. */
  readonly found?: string | null;
  /** Counts the bytes that are written or removed. */
  readonly bytes?: number;
  readonly files?: number;
  /** Holds the permissions in octal. */
  readonly mode?: string;
  /** The SHA-256 of what will be there. */
  readonly content?: string;
  /** Names the object in the store that will be there. */
  readonly source?: string;
  readonly diff?: string;
  /** Lists everything in a directory that is removed or applied. */
  readonly entries?: readonly string[];
  /** A fingerprint that changes when anything in a directory does. */
  readonly tree?: string;
  readonly note?: string;
  /** Holds everything that an outward call sends. */
  readonly sends?: string;
}

/** Describes what one change would do. The view must not be restricted. */
export async function effectPartOf(change: Change, view: View): Promise<EffectPart> {
  const { kind: action, path } = change;
  const found = (await view.snapshot(path))?.version ?? null;
  switch (change.kind) {
    case "write":
      return { action, path, found, ...octalModeOf(change), ...(await writePart(change, view)) };
    case "append":
      return { action, path, found, ...sizeAndHash(change.bytes), ...(await appendDiff(change, view)) };
    case "remove":
      return { action: change.into === "nowhere" ? "erase" : action, path, found, ...(await removePart(change, view)) };
    case "chmod":
      return { action, path, found, ...octalModeOf(change) };
    case "mkdir":
      return { action, path, found };
    case "restore":
      return { action, path, found, source: change.object };
    case "adopt":
      return { action, path, found, source: change.object, ...(await adoptPart(change, view)) };
    case "unpack":
      return { action, path, found, source: change.tree.source, ...unpackPart(change) };
    case "move":
    case "copy":
      return {
        action,
        path,
        to: change.to,
        found,
        ...(await replacementNote(change.to, view)),
        ...(await treeFingerprint(path, view)),
      };
  }
}

const octalModeOf = ({ mode }: { readonly mode?: number | undefined }): Pick<EffectPart, "mode"> =>
  mode === undefined ? {} : { mode: mode.toString(8) };

const sizeAndHash = (bytes: Uint8Array): Pick<EffectPart, "bytes" | "content"> => ({
  bytes: bytes.length,
  content: hash("sha256", bytes, "hex"),
});

type WriteChange = Extract<Change, { readonly kind: "write" }>;

async function writePart({ path, content }: WriteChange, view: View): Promise<Partial<EffectPart>> {
  const old = await contentAt(path, view);
  if (typeof content === "object" && "size" in content)
    return {
      bytes: content.size,
      note: "only its start stays",
      ...(old && (await truncationDiff(path, old, content.size, view))),
    };
  const fresh = typeof content === "string" ? await view.history.contentOf(content) : content;
  if (!fresh) return { source: String(content) };
  const kind = (await view.snapshot(path)) ? "change" : "create";
  if (!old && kind === "change")
    return { ...sizeAndHash(fresh), note: "what is there is no file that can be compared" };
  return {
    ...sizeAndHash(fresh),
    ...(await comparedContents(view, old ?? NO_BYTES, fresh, { path: view.nameOf(path), kind })),
  };
}

const NO_BYTES = new Uint8Array();

type AdoptChange = Extract<Change, { readonly kind: "adopt" }>;

/** Describes what a command left. Its view is no longer changed, so the name of the object binds a whole tree. */
async function adoptPart({ path, object, counted, size = 0 }: AdoptChange, view: View): Promise<Partial<EffectPart>> {
  if (counted) return { ...counted, ...(await adoptedTree(path, object, counted, view)) };
  const fresh = size > LIMITS.editBytes ? null : await view.history.contentOf(object);
  const old = await contentAt(path, view);
  if (!fresh) return { bytes: size };
  const kind = old ? "change" : "create";
  return {
    ...sizeAndHash(fresh),
    ...(await comparedContents(view, old ?? NO_BYTES, fresh, { path: view.nameOf(path), kind })),
  };
}

/** Lists what is in a new tree, and shows the contents of a small one. */
async function adoptedTree(
  path: SafePath,
  object: AdoptChange["object"],
  { files, bytes }: Counted,
  view: View,
): Promise<Partial<EffectPart>> {
  const found = await view.entriesIn(object, LIMITS.checkedTreeEntries, () => false);
  if (!found) return { note: "too many files to list" };
  const below = [...found].filter(([name]) => name !== "").toSorted(([one], [other]) => (one < other ? -1 : 1));
  const entries = below.map(
    ([name, { kind }]) => `${name}${kind === "directory" ? "/" : kind === "symlink" ? "@" : ""}`,
  );
  if (files > LIMITS.shownTree.files || bytes > LIMITS.shownTree.bytes) return { entries };
  const diffs: string[] = [];
  for (const [name, { kind }] of below) {
    const fresh = kind === "file" ? await view.history.contentOf(`${object}/${name}` as AdoptChange["object"]) : null;
    const names = { path: view.nameOf(childOf(path, name)), kind: "create" } as const;
    if (fresh) diffs.push((await comparedContents(view, NO_BYTES, fresh, names)).diff ?? "");
  }
  return { entries, diff: diffs.join("") };
}

/** Describes what is unpacked by its names and sizes: the source and its version bind the contents. */
function unpackPart({ entry, entries }: Extract<Change, { readonly kind: "unpack" }>): Partial<EffectPart> {
  const [top, ...below] = entries;
  const { files, bytes } = countedIn(entries);
  if (top?.kind === "file") return { ...octalModeOf(top), ...(top.size !== undefined && { bytes }) };
  const names = below.map(({ path, kind }) => `${pathBelow(entry, path)}${kind === "directory" ? "/" : ""}`);
  return { files, bytes, entries: names.toSorted() };
}

const truncationDiff = (path: SafePath, old: Uint8Array, size: number, view: View): Promise<ShownDiff> =>
  comparedContents(view, old, old.subarray(0, size), { path: view.nameOf(path) });

const appendDiff = ({ path, bytes }: Extract<Change, { readonly kind: "append" }>, view: View): Promise<ShownDiff> =>
  comparedContents(view, NO_BYTES, bytes, { path: view.nameOf(path) });

/** Returns null where there is no file, or one too large to compare. */
async function contentAt(path: SafePath, view: View): Promise<Uint8Array | null> {
  const facts = (await view.snapshot(path))?.facts;
  if (facts?.kind !== "file" || facts.size > LIMITS.editBytes) return null;
  return (await view.withFile(path, readWholeFile)).bytes;
}

async function removePart(
  { path, counted }: Extract<Change, { readonly kind: "remove" }>,
  view: View,
): Promise<Partial<EffectPart>> {
  const facts = (await view.snapshot(path))?.facts;
  if (facts?.kind !== "directory") return { bytes: facts?.size ?? 0, files: 1 };
  return { ...counted, entries: await entriesBelow(path, view), ...(await treeFingerprint(path, view)) };
}

/** Lists all entries by their path relative to the directory. */
async function entriesBelow(directory: SafePath, view: View): Promise<readonly string[]> {
  const found: string[] = [];
  await walk(view, directory, WALK_EVERYTHING, ({ relativePath, entries }) => {
    for (const { name, kind } of entries)
      found.push(`${relativeWithSlash(relativePath, name)}${kind === "directory" ? "/" : ""}`);
    return true;
  });
  return found.toSorted();
}

const WALK_EVERYTHING = { exclude: [], includeIgnored: true, includeHidden: true, order: "deep" } as const;

async function treeFingerprint(path: SafePath, view: View): Promise<Pick<EffectPart, "tree">> {
  const tree = await view.fingerprint(path, LIMITS.checkedTreeEntries);
  return tree === null ? {} : { tree };
}

/** Says which version a move or copy would replace. */
export async function replacementNote(to: SafePath, view: View): Promise<Pick<EffectPart, "note">> {
  const there = await view.snapshot(to);
  return there ? { note: `replaces what is there, ${there.version}` } : {};
}
