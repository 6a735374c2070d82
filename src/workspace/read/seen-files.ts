import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import { isHashed, type Version, versionOfBytes } from "../../base/version.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import type { Change, ChangeRecord, Effect, FileState } from "../changes/change.ts";

/** The state of one file as a session last saw it. */
export interface SeenFile {
  readonly version: Version;
  readonly size: number;
  readonly modifiedMs: number;
  /** Device and inode: the file has the same under every name. */
  readonly identity: string;
  /** Of a file whose version does not come from its content, where a read computed one. */
  readonly sha256?: string | undefined;
  /** The session itself deleted the file. */
  readonly isDeleted?: boolean | undefined;
  /** The session changed the file without having read it: it does not know the rest. */
  readonly isPartial?: boolean | undefined;
}

/** The same with the place where it was seen. */
export interface SeenPlace extends SeenFile {
  readonly place: SafePath;
}

/**
 * What one session has seen of files: by reading a page, or by changing them itself. Held in memory only. Knows a
 * version for each file, and the bytes of the files seen last.
 */
export interface SeenFiles {
  /** The state last seen at a place; of a file with several names, under any of them. */
  at(place: SafePath, now?: Pick<Facts, "identity" | "links">): SeenPlace | undefined;
  /** The bytes that a place had in this version. */
  bytesAt(place: SafePath, version: Version): Uint8Array | undefined;
  /** Notes what was read. `bytes` are all bytes of the file, where they are at hand. */
  read(place: SafePath, file: SeenFile, bytes?: Uint8Array): void;
  /** Notes what the session changed. `contentOf` reads a file that came back from the store. */
  changed(changes: readonly Change[], record: ChangeRecord, contentOf: ContentOf): void;
}

type ContentOf = (place: SafePath) => Uint8Array | null;

export function createSeenFiles(): SeenFiles {
  const files = createStateCache();
  const bases = createContentCache();
  const see = (place: SafePath, file: SeenFile, bytes: Uint8Array | undefined): void => {
    files.set(place, file);
    if (bytes) bases.add(place, file.version, bytes);
  };
  const own = (effect: Effect, after: FileState, change: Change | undefined, contentOf: ContentOf): void => {
    const { path, before } = effect;
    const last = files.get(path);
    const isWhole = change?.kind === "write" && (change.isKnown === true || !before);
    // An edit of a file that others have changed since leaves their lines unseen: what was seen before stays the base.
    if (!isWhole && before && last && !isUnchanged(last, before)) return;
    const isPartial = !isWhole && (last?.isPartial ?? !last);
    const old = before ? bases.get(path, before.version) : undefined;
    const bytes = isHashed(after) ? bytesAfter(change, old, after, () => contentOf(path)) : undefined;
    see(path, { ...after, isPartial }, bytes);
  };
  // Others may have changed what undo or restore brings back: a session that saw another content still knows only that.
  const broughtBack = (path: SafePath, after: FileState, contentOf: ContentOf): void => {
    const last = files.get(path);
    const known = bases.get(path, after.version);
    if (last && !known && !isUnchanged(last, after)) return files.kept(path);
    const bytes = isHashed(after) ? bytesAfter(undefined, undefined, after, () => contentOf(path)) : undefined;
    see(path, { ...after, isPartial: last ? last.isPartial : true }, known ?? bytes);
  };
  return {
    at(place, now) {
      const file = files.get(place);
      if (file) return { ...file, place };
      return now && now.links > 1 ? files.withIdentity(now.identity) : undefined;
    },
    bytesAt: bases.get,
    read: see,
    changed(changes, { effects, undoes }, contentOf) {
      for (const effect of effects) {
        const { action, path, from, after, before } = effect;
        if (action === "delete") files.deleted(path, before);
        if (action === "restore" && after?.kind === "directory") files.restored(path);
        if ((action === "move" || action === "copy") && from !== undefined) {
          files.relocated(from, path, action);
          bases.relocated(from, path, action);
        }
        if (!BRINGS_CONTENT.has(action) || after?.kind !== "file") continue;
        if (undoes || action === "restore") broughtBack(path, after, contentOf);
        else
          own(
            effect,
            after,
            changes.findLast((change) => change.path === path),
            contentOf,
          );
      }
    },
  };
}

const BRINGS_CONTENT: ReadonlySet<Effect["action"]> = new Set(["create", "replace", "append", "restore"]);

/** Whether a file is in the state that was seen, as far as can be told without reading it. */
export const isUnchanged = (seen: SeenFile, now: Pick<FileState, "version" | "size" | "modifiedMs">): boolean =>
  seen.version === now.version || (isLarge(seen) && seen.size === now.size && seen.modifiedMs === now.modifiedMs);

/** Whether the version of a file does not come from its content. */
export const isLarge = ({ size }: Pick<SeenFile, "size">): boolean => size > LIMITS.hashedBytes;

/** The bytes that a file has after a change. Undefined when another program came in between. */
function bytesAfter(
  change: Change | undefined,
  old: Uint8Array | undefined,
  { version }: FileState,
  current: () => Uint8Array | null,
): Uint8Array | undefined {
  if (change?.kind === "write" && change.content instanceof Uint8Array) return change.content;
  const bytes = change?.kind === "append" && old ? Buffer.concat([old, change.bytes]) : readable(current);
  return bytes && versionOfBytes(bytes) === version ? bytes : undefined;
}

/** What cannot be read has no bytes to merge with: it has been changed all the same. */
function readable(read: () => Uint8Array | null): Uint8Array | null {
  try {
    return read();
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** The states of files by their place: an LRU of `LIMITS.seenFiles`. */
function createStateCache() {
  const files = new Map<SafePath, SeenFile>();
  const set = (place: SafePath, { version, size, modifiedMs, identity, sha256, isPartial }: SeenFile): void => {
    files.delete(place);
    files.set(place, { version, size, modifiedMs, identity, sha256, isPartial });
    if (files.size > LIMITS.seenFiles) dropOldest(files);
  };
  const mark = (place: SafePath, isDeleted: boolean): void => {
    const file = files.get(place);
    if (file) files.set(place, { ...file, isDeleted });
  };
  return {
    set,
    get: (place: SafePath) => files.get(place),
    withIdentity(identity: string): SeenPlace | undefined {
      const [place, file] = [...files].findLast(([, each]) => each.identity === identity) ?? [];
      return place && file && { ...file, place };
    },
    deleted(place: SafePath, before: FileState | null): void {
      for (const each of before?.kind === "directory" ? placesWithin(files, place) : [place]) mark(each, true);
    },
    restored(place: SafePath): void {
      for (const each of placesWithin(files, place)) mark(each, false);
    },
    kept: (place: SafePath) => mark(place, false),
    relocated: (from: SafePath, to: SafePath, action: "move" | "copy") => relocate(files, from, to, action),
  };
}

/** The bytes of the files seen last: an LRU of `LIMITS.seenBases` files with the last few versions of each. */
function createContentCache() {
  const bases = new Map<SafePath, ReadonlyMap<Version, Uint8Array>>();
  const total = (): number => {
    let bytes = 0;
    for (const versions of bases.values()) for (const { length } of versions.values()) bytes += length;
    return bytes;
  };
  return {
    get: (place: SafePath, version: Version) => bases.get(place)?.get(version),
    add(place: SafePath, version: Version, bytes: Uint8Array): void {
      const versions = new Map(bases.get(place));
      versions.delete(version);
      versions.set(version, bytes);
      if (versions.size > LIMITS.seenVersions) dropOldest(versions);
      bases.delete(place);
      bases.set(place, versions);
      while (bases.size > LIMITS.seenBases || total() > LIMITS.seenBytes) dropOldest(bases);
    },
    relocated: (from: SafePath, to: SafePath, action: "move" | "copy") => relocate(bases, from, to, action),
  };
}

/** Carries along what is known below a place. Nothing is known any more of what was at the destination. */
function relocate<T>(known: Map<SafePath, T>, from: SafePath, to: SafePath, action: "move" | "copy"): void {
  const carried = placesWithin(known, from).map((place) => [place, known.get(place) as T] as const);
  for (const place of placesWithin(known, to)) known.delete(place);
  for (const [place, value] of carried) {
    if (action === "move") known.delete(place);
    known.set(`${to}${place.slice(from.length)}` as SafePath, value);
  }
}

const placesWithin = (known: ReadonlyMap<SafePath, unknown>, directory: SafePath): readonly SafePath[] =>
  [...known.keys()].filter((place) => isWithin(place, directory));

/** A Map gives its keys in the order in which they were set. */
function dropOldest(known: Map<string, unknown>): void {
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}
