import { hash } from "node:crypto";
import { LIMITS } from "./limits.ts";

/** Names the exact state of a file, so that a later write can refuse stale content. Opaque to callers. */
export type Version = string;

/** Hashes contents: equal bytes have equal versions. */
export const versionOfBytes = (bytes: Uint8Array): Version => versionFrom(sha256(bytes));

/** Hashes the target of a link: equal targets have equal versions, which no file has. */
export const versionOfLink = (target: Uint8Array): Version => `l-${sha256(target).slice(0, 24)}`;

const versionFrom = (checksum: string): Version => `c-${checksum.slice(0, 24)}`;

/** Versions a file that is too large to hash on every look: identity, size and nanosecond times, in one string. */
const versionOfIdentity = (identity: string): Version => `i-${hash("sha256", identity, "hex").slice(0, 24)}`;

/** Distinguishes two states of an object without reading it; a directory keeps its version whatever it holds. */
export const versionOfFacts = ({ kind, identity, size, times }: VersionedFacts): Version =>
  versionOfIdentity(kind === "directory" ? identity : `${identity}:${size}:${times}`);

/** Accepts what is versioned by its content, which is then read on every look. */
export const isHashed = ({ kind, size }: Pick<VersionedFacts, "kind" | "size">): boolean =>
  kind === "file" && size <= LIMITS.hashedBytes;

/**
 * Accepts a version that names a content, or the target of a link, and so stays the same wherever that is. An
 * unreadable file has no such version.
 */
export const isContentVersion = (version: Version): boolean => version.startsWith("c-") || version.startsWith("l-");

/** Uses the content where it is in memory, else the facts. */
export const versionOf = (facts: VersionedFacts, bytes: Uint8Array | undefined): Version =>
  bytes ? versionOfBytes(bytes) : versionOfFacts(facts);

/** Versions a file whose SHA-256 is known. */
export const versionOfChecksum = (facts: VersionedFacts, checksum: string): Version =>
  isHashed(facts) ? versionFrom(checksum) : versionOfFacts(facts);

interface VersionedFacts {
  readonly kind: string;
  readonly identity: string;
  readonly size: number;
  readonly times: string;
}

/** Hex SHA-256 of bytes in memory. */
export const sha256 = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");
