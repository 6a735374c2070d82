import { LIMITS } from "../../../base/limits.ts";
import { childOf, relativePath } from "../../../base/paths.ts";
import { versionOfFacts } from "../../../base/version.ts";
import type { PictureEntry } from "../../../storage/picture-entries.ts";
import { isCopyOf } from "../../../storage/pictures.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { ObjectName } from "../../../storage/writer.ts";
import type { FileState } from "../change.ts";
import { treeChecksum } from "../undo/tree-checksum.ts";
import { isRecorded } from "./attribution.ts";
import { makeParents } from "./copies.ts";
import { entriesBelow, type Planning } from "./planning.ts";

/** A directory of copies that is ready to become the backup of a deleted one. */
interface KeptTree {
  readonly place: ObjectName;
  readonly state: FileState;
  readonly files: number;
  readonly bytes: number;
  /** Counts the files of which there is no copy. */
  readonly uncopied: number;
}

/** Makes the copies of a deleted directory look like it: adds empty directories, removes what was not in the picture. */
export async function keptTree(
  planning: Planning,
  path: SafePath,
  before: PictureEntry | FileState,
): Promise<KeptTree> {
  const { root, copies, writer } = planning;
  if (planning.meanwhile.hasWithin(path)) return emptyDirectory(planning, path, before);
  const top = relativePath(root, path);
  const place = childOf(copies, top);
  const entries = entriesBelow(planning, top).flatMap(({ before: each }) => each ?? []);
  const directories = entries.filter(({ kind }) => kind === "directory");
  makeDirectories(planning, top, before.mode, directories);
  const kept = await removeOthers(planning, place, top, new Map(entries.map((entry) => [entry.path, entry])));
  const files = entries.filter(({ kind }) => kind !== "directory");
  setModes(planning, [{ path: top, mode: before.mode }, ...directories]);
  const listed = writer.entriesIn(place, LIMITS.fingerprintedEntries, () => false);
  const { kind, size, mode, modifiedMs, identity } = before;
  const version = isRecorded(before) ? before.version : versionOfFacts(before);
  return {
    place,
    state: { kind, version, size, mode, modifiedMs, identity, fingerprint: listed ? treeChecksum(listed) : undefined },
    files: files.length,
    bytes: files.reduce((sum, entry) => sum + (entry.kind === "file" ? entry.size : 0), 0),
    uncopied: files.length - kept,
  };
}

/** Stands for a directory whose entries are recorded one by one. */
function emptyDirectory(planning: Planning, path: SafePath, before: PictureEntry | FileState): KeptTree {
  const place = `${planning.copies}-empty-${planning.nextName()}` as ObjectName;
  planning.pictures.createLike(place, path, before.mode);
  const { kind, size, mode, modifiedMs, identity } = before;
  const version = isRecorded(before) ? before.version : versionOfFacts(before);
  return { place, state: { kind, version, size, mode, modifiedMs, identity }, files: 0, bytes: 0, uncopied: 0 };
}

function makeDirectories(planning: Planning, top: string, mode: number, directories: readonly PictureEntry[]): void {
  const modes = new Map([[top, mode], ...directories.map((entry): [string, number] => [entry.path, entry.mode])]);
  const context = { ...planning, modeOf: (path: string) => modes.get(path) ?? USUAL_MODE };
  const made = new Set([""]);
  // A name below it stands for the entries of each directory.
  for (const path of modes.keys()) makeParents(context, planning, `${path}/.`, made);
}

const USUAL_MODE = 0o755;

/** Removes copies that are not of the picture; returns how many files are left. */
async function removeOthers(
  { writer, checkpoint }: Planning,
  place: ObjectName,
  top: string,
  entries: ReadonlyMap<string, PictureEntry>,
): Promise<number> {
  let kept = 0;
  for (const [inner, facts] of writer.entriesIn(place, Infinity, () => false) ?? []) {
    await checkpoint();
    if (inner === "") continue;
    const entry = entries.get(`${top}/${inner}`);
    if (facts.kind === "directory" && entry?.kind === "directory") continue;
    if (entry && isCopyOf(entry, facts)) kept++;
    else await writer.erase(childOf(place, inner));
  }
  return kept;
}

/** Sets modes that kept us out, the innermost first. A directory that nobody may write to cannot be moved by its owner. */
function setModes({ pictures, copies }: Planning, directories: readonly Pick<PictureEntry, "path" | "mode">[]): void {
  const [top] = directories;
  for (const each of directories.filter(({ mode }) => (mode & OWNER) !== OWNER).toReversed())
    pictures.setMode(childOf(copies, each.path), each === top ? each.mode | OWNER_WRITES : each.mode);
}

const OWNER = 0o700;
const OWNER_WRITES = 0o200;
