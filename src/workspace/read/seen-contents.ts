import { LIMITS } from "../../base/limits.ts";
import type { Version } from "../../base/version.ts";

/** Caches contents of files by their versions. */
export interface SeenContents {
  get(version: Version): Uint8Array | undefined;
  add(version: Version, bytes: Uint8Array): void;
}

/**
 * The contents of all sessions of a process: an LRU of `LIMITS.seenBytes`. Equal contents have equal versions, so that a file is
 * kept once however many sessions read it, and a server with hundreds of sessions has the bound of one.
 */
export const SEEN_CONTENTS: SeenContents = createSeenContents();

function createSeenContents(): SeenContents {
  const contents = new Map<Version, Uint8Array>();
  let total = 0;
  const drop = (version: Version): void => {
    total -= contents.get(version)?.length ?? 0;
    contents.delete(version);
  };
  const add = (version: Version, bytes: Uint8Array): void => {
    drop(version);
    contents.set(version, bytes);
    total += bytes.length;
    // A Map keeps its keys in the order in which they were set.
    for (const oldest of contents.keys()) {
      if (total <= LIMITS.seenBytes) return;
      drop(oldest);
    }
  };
  return {
    get(version) {
      const bytes = contents.get(version);
      if (bytes) add(version, bytes);
      return bytes;
    },
    add: (version, bytes) => add(version, contents.get(version) ?? ownBytes(bytes)),
  };
}

/** Copies bytes that are a small part of a buffer, which would stay in memory as a whole. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength > 2 * bytes.length ? new Uint8Array(bytes) : bytes;
