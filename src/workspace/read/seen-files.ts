import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import { isHashed, type Version, versionOfBytes } from "../../base/version.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import type { Change, ChangeRecord, Effect, FileState } from "../changes/change.ts";
import { SEEN_CONTENTS } from "./seen-contents.ts";

/** Describes one file as a session last saw it. */
export interface SeenFile {
  readonly version: Version;
  readonly size: number;
  readonly modifiedMs: number;
  /** Is device and inode: the same for every name of the file. */
  readonly identity: string;
  /** The checksum of a large file, whose version does not come from its content, where a read computed one. */
  readonly sha256?: string | undefined;
  /** Is true when the session itself deleted the file. */
  readonly isDeleted?: boolean | undefined;
  /** Is true when the session changed the file without reading it: it does not know the rest. */
  readonly isPartial?: boolean | undefined;
}

export interface SeenPlace extends SeenFile {
  readonly place: SafePath;
}

/**
 * Caches what one session has seen of files, by reading a page or by changing them. It is held in memory only: a
 * version for each file, and the bytes of the last few files, which all sessions share.
 */
export interface SeenFiles {
  /** Returns the state last seen at a path; for a file with several names, under any of them. */
  at(place: SafePath, now?: Pick<Facts, "identity" | "links">): SeenPlace | undefined;
  /** Returns the bytes that a path had in this version. */
  bytesAt(place: SafePath, version: Version): Uint8Array | undefined;
  /** Records a read. `bytes` are all bytes of the file, where they are in memory. */
  read(place: SafePath, file: SeenFile, bytes?: Uint8Array): void;
  /** Records changes of the session. `contentOf` reads a file that was restored from the store. */
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
  const recordOwnChange = (
    effect: Effect,
    after: FileState,
    change: Change | undefined,
    contentOf: ContentOf,
  ): void => {
    const { path, before } = effect;
    const last = files.get(path);
    const isWhole = change?.kind === "write" && (change.isKnown === true || !before);
    // An edit leaves lines unseen that others have changed since: the state seen before stays the base of a merge.
    if (!isWhole && before && last && !isUnchanged(last, before)) return;
    const isPartial = !isWhole && (last?.isPartial ?? !last);
    const old = before ? bases.get(path, before.version) : undefined;
    const bytes = isHashed(after) ? bytesAfter(change, old, after, () => contentOf(path)) : undefined;
    see(path, { ...after, isPartial }, bytes);
  };
  // Others may have changed a file that undo or restore brings back: a session that saw another content knows only
  // that.
  const recordRestored = (path: SafePath, after: FileState, contentOf: ContentOf): void => {
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
      const byPath = new Map(changes.map((change) => [change.path, change]));
      for (const effect of effects) {
        const { action, path, from, after, before } = effect;
        if (action === "delete") files.deleted(path, before);
        if (action === "restore" && after?.kind === "directory") files.restored(path);
        if ((action === "move" || action === "copy") && from !== undefined) {
          const relocation = { from, to: path, action, isFile: after?.kind === "file" };
          files.relocated(relocation);
          bases.relocated(relocation);
        }
        if (!CONTENT_ACTIONS.has(action) || after?.kind !== "file") continue;
        const change = byPath.get(path);
        if (undoes || action === "restore" || change?.kind === "adopt" || change?.kind === "unpack")
          recordRestored(path, after, contentOf);
        else recordOwnChange(effect, after, change, contentOf);
      }
    },
  };
}

const CONTENT_ACTIONS: ReadonlySet<Effect["action"]> = new Set(["create", "replace", "append", "restore"]);

/** Checks that a file is in the state that was seen, as far as possible without reading it. */
export const isUnchanged = (seen: SeenFile, now: Pick<FileState, "version" | "size" | "modifiedMs">): boolean =>
  seen.version === now.version || (isLarge(seen) && seen.size === now.size && seen.modifiedMs === now.modifiedMs);

/** Checks that the version of a file does not come from its content. */
export const isLarge = ({ size }: Pick<SeenFile, "size">): boolean => size > LIMITS.hashedBytes;

/** Returns the bytes of a file after a change; undefined when another program wrote to it in between. */
function bytesAfter(
  change: Change | undefined,
  old: Uint8Array | undefined,
  { version }: FileState,
  current: () => Uint8Array | null,
): Uint8Array | undefined {
  if (change?.kind === "write" && change.content instanceof Uint8Array) return change.content;
  const bytes = change?.kind === "append" && old ? Buffer.concat([old, change.bytes]) : readOrNull(current);
  return bytes && versionOfBytes(bytes) === version ? bytes : undefined;
}

/** Returns null for a file that cannot be read: it has no bytes to merge with, but the change still counts. */
function readOrNull(read: () => Uint8Array | null): Uint8Array | null {
  try {
    return read();
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** Caches the states of files by path: an LRU of `LIMITS.seenFiles`. */
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
    relocated: (relocation: Relocation) => relocate(files, relocation),
  };
}

/** Caches which contents a session saw of the last files: an LRU of `LIMITS.seenBases`, with few versions of each. */
function createContentCache() {
  const bases = new Map<SafePath, readonly Version[]>();
  return {
    get: (place: SafePath, version: Version) =>
      bases.get(place)?.includes(version) ? SEEN_CONTENTS.get(version) : undefined,
    add(place: SafePath, version: Version, bytes: Uint8Array): void {
      const others = bases.get(place)?.filter((each) => each !== version) ?? [];
      bases.delete(place);
      bases.set(place, [...others, version].slice(-LIMITS.seenVersions));
      if (bases.size > LIMITS.seenBases) dropOldest(bases);
      SEEN_CONTENTS.add(version, bytes);
    },
    relocated: (relocation: Relocation) => relocate(bases, relocation),
  };
}

interface Relocation {
  readonly from: SafePath;
  readonly to: SafePath;
  readonly action: "move" | "copy";
  /** Is true when nothing can be below it, so that the cache need not be searched. */
  readonly isFile: boolean;
}

/** Moves or copies everything known below a path, and forgets what was known of the destination. */
function relocate<T>(known: Map<SafePath, T>, { from, to, action, isFile }: Relocation): void {
  const placesAt = (place: SafePath): readonly SafePath[] => (isFile ? [place] : placesWithin(known, place));
  const relocated = placesAt(from).flatMap((place) => {
    const value = known.get(place);
    return value === undefined ? [] : [[place, value] as const];
  });
  for (const place of placesAt(to)) known.delete(place);
  for (const [place, value] of relocated) {
    if (action === "move") known.delete(place);
    known.set(`${to}${place.slice(from.length)}` as SafePath, value);
  }
}

const placesWithin = (known: ReadonlyMap<SafePath, unknown>, directory: SafePath): readonly SafePath[] =>
  [...known.keys()].filter((place) => isWithin(place, directory));

/** Drops the first key: a Map keeps its keys in the order in which they were set. */
function dropOldest(known: Map<string, unknown>): void {
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}
