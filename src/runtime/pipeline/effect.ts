import { hash } from "node:crypto";
import { LIMITS } from "../../base/limits.ts";
import { relativeWithSlash } from "../../base/paths.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { EffectfulIntent, OutwardIntent } from "../../tools/tool.ts";
import type { Change } from "../../workspace/changes/change.ts";
import { comparedContents, type ShownDiff } from "../../workspace/changes/change-diff.ts";
import type { View } from "../../workspace/view.ts";
import { walk } from "../../workspace/walk/walk.ts";
import { readWholeFile } from "../../workspace/read/whole-file.ts";

/** What exactly would happen, for whoever has to say yes. Nothing of it is cut. */
export interface CallEffect {
  /** The tool's own words for it. */
  readonly summary: string;
  readonly parts: readonly EffectPart[];
  /** Whether undo or restore can bring back what it takes away. What was read cannot be taken back. */
  readonly recoverable: boolean;
}

/** What would happen at one place. Two effects are the same when all of this is. */
export interface EffectPart {
  readonly action: Change["kind"] | "read" | "erase" | "call";
  /** Real: every link on the way resolved. Of a call, what is reached. */
  readonly path: string;
  readonly to?: string;
  /** The version that is there now; null for nothing. */
  readonly found?: string | null;
  /** How much is written or taken away. */
  readonly bytes?: number;
  readonly files?: number;
  /** Permissions, in octal. */
  readonly mode?: string;
  /** The SHA-256 of what will be there. */
  readonly content?: string;
  /** What is kept in the store and will be there. */
  readonly source?: string;
  readonly diff?: string;
  /** Everything in a directory that goes. */
  readonly entries?: readonly string[];
  /** Changes when anything in a directory does. */
  readonly tree?: string;
  readonly note?: string;
  /** All that is sent beyond the files. */
  readonly sends?: string;
}

/** Names exactly one effect of one tool. */
export const digestOf = (tool: string, effect: CallEffect): string =>
  hash("sha256", JSON.stringify([tool, effect]), "hex");

/** Opening these places. */
export const readEffect = (places: readonly SafePath[]): CallEffect => ({
  summary: `read ${places.join(", ")}`,
  parts: places.map((path) => ({ action: "read", path })),
  recoverable: false,
});

const outwardEffect = ({ target, sends }: OutwardIntent): CallEffect => ({
  summary: target,
  parts: [{ action: "call", path: target, sends }],
  recoverable: false,
});

/** What a deed would do. The view must see everything: whoever is asked is to know what happens. */
export async function effectOf(intent: EffectfulIntent, view: View): Promise<CallEffect> {
  if (intent.kind === "watch") return readEffect(intent.does === "begin" ? [intent.filter.scope.target] : []);
  if (intent.kind === "outward") return outwardEffect(intent);
  const { changes, preview } = intent;
  const parts: EffectPart[] = [];
  for (const change of changes) {
    await view.checkpoint();
    parts.push(await effectPartOf(change, view));
  }
  return { summary: preview, parts, recoverable: !parts.some(({ action }) => action === "erase") };
}

async function effectPartOf(change: Change, view: View): Promise<EffectPart> {
  const { kind: action, path } = change;
  const found = view.see(path)?.version ?? null;
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
    case "move":
    case "copy":
      return {
        action,
        path,
        to: change.to,
        found,
        ...replacementNote(change.to, view),
        ...treeFingerprint(path, view),
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
  const fresh = typeof content === "string" ? view.past.contentOf(content) : content;
  if (!fresh) return { source: String(content) };
  const kind = view.see(path) ? "change" : "create";
  if (!old && kind === "change")
    return { ...sizeAndHash(fresh), note: "what is there is no file that can be compared" };
  return {
    ...sizeAndHash(fresh),
    ...(await comparedContents(view, old ?? NO_BYTES, fresh, { path: view.nameOf(path), kind })),
  };
}

const NO_BYTES = new Uint8Array();

const truncationDiff = (path: SafePath, old: Uint8Array, size: number, view: View): Promise<ShownDiff> =>
  comparedContents(view, old, old.subarray(0, size), { path: view.nameOf(path) });

const appendDiff = ({ path, bytes }: Extract<Change, { readonly kind: "append" }>, view: View): Promise<ShownDiff> =>
  comparedContents(view, NO_BYTES, bytes, { path: view.nameOf(path) });

/** Null where no file of a size that can be compared is. */
async function contentAt(path: SafePath, view: View): Promise<Uint8Array | null> {
  const facts = view.see(path)?.facts;
  if (facts?.kind !== "file" || facts.size > LIMITS.editBytes) return null;
  return (await view.withFile(path, readWholeFile)).bytes;
}

async function removePart(
  { path, counted }: Extract<Change, { readonly kind: "remove" }>,
  view: View,
): Promise<Partial<EffectPart>> {
  const facts = view.see(path)?.facts;
  if (facts?.kind !== "directory") return { bytes: facts?.size ?? 0, files: 1 };
  return { ...counted, entries: await entriesBelow(path, view), ...treeFingerprint(path, view) };
}

/** All of them, by their way from the directory. */
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

function treeFingerprint(path: SafePath, view: View): Pick<EffectPart, "tree"> {
  const tree = view.fingerprint(path, LIMITS.checkedTreeEntries);
  return tree === null ? {} : { tree };
}

function replacementNote(to: SafePath, view: View): Pick<EffectPart, "note"> {
  const there = view.see(to);
  return there ? { note: `replaces what is there, ${there.version}` } : {};
}
