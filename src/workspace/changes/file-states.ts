import { LIMITS } from "../../base/limits.ts";
import { isHashed, versionOfBytes } from "../../base/version.ts";
import type { Facts, SafePath } from "../../storage/storage.ts";
import type { ObjectName, Place, Snapshot, StorageWriter } from "../../storage/writer.ts";
import type { Counted, FileState, WriteContent } from "./change.ts";
import { inodeStampOf } from "./steps.ts";
import { treeChecksum } from "./undo/tree-checksum.ts";

/** Converts a snapshot to the form that the history keeps. */
export const fileStateOf = (now: Snapshot | null, object?: ObjectName): FileState | null =>
  now && {
    kind: now.facts.kind,
    version: now.version,
    size: now.facts.size,
    mode: now.facts.mode,
    modifiedMs: now.facts.modifiedMs,
    identity: now.facts.identity,
    object,
  };

export const stateNow = (writer: StorageWriter, path: SafePath): FileState | null => fileStateOf(writer.snapshot(path));

/** Adds a fingerprint to a tree, unless it has too many entries to list them under the lock. */
export function stateWithTree(writer: StorageWriter, path: SafePath, counted?: Counted): FileState | null {
  const state = stateNow(writer, path);
  return state?.kind === "directory" ? { ...state, fingerprint: fingerprintAt(writer, path, counted) } : state;
}

/** Describes a removed file or tree by its backup. */
export function removedState(
  writer: StorageWriter,
  now: Snapshot,
  object: ObjectName,
  counted: Counted | undefined,
): FileState | null {
  const state = fileStateOf(now, object);
  return state?.kind === "directory" ? { ...state, fingerprint: fingerprintAt(writer, object, counted) } : state;
}

/** Does not list a tree that was already counted as too large. */
function fingerprintAt(writer: StorageWriter, place: Place, counted: Counted | undefined): string | undefined {
  if ((counted?.files ?? 0) > LIMITS.fingerprintedEntries) return undefined;
  const entries = writer.entriesIn(place, LIMITS.fingerprintedEntries, () => false);
  return entries ? treeChecksum(entries) : undefined;
}

/** Avoids reading a file again that was only renamed. */
export function movedState(writer: StorageWriter, to: SafePath, moved: Snapshot): FileState | null {
  const facts = writer.stat(to);
  const isSame = facts && isHashed(facts) && inodeStampOf(facts) === inodeStampOf(moved.facts);
  return isSame ? fileStateOf({ facts, version: moved.version }) : stateNow(writer, to);
}

/**
 * Describes a staged file that was moved into place by the bytes in memory: a rename keeps everything but the change
 * time. What is there now may be somebody else's already. Returns null when the file must be read.
 */
export function writtenState(facts: Facts, content: WriteContent): FileState | null {
  if (!(content instanceof Uint8Array) || !isHashed(facts) || facts.size !== content.length) return null;
  return fileStateOf({ facts, version: versionOfBytes(content) });
}
