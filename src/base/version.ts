import { hash } from "node:crypto";
import { LIMITS } from "./limits.ts";

/** Names the exact state of a file, so that a later write can refuse stale content. Opaque to callers. */
export type Version = string;

/** For contents at hand: equal bytes have equal versions. */
export const versionOfBytes = (bytes: Uint8Array): Version => versionFrom(sha256(bytes));

/** For links: equal targets have equal versions, which no file has. */
export const versionOfLink = (target: Uint8Array): Version => `l-${sha256(target).slice(0, 24)}`;

const versionFrom = (checksum: string): Version => `c-${checksum.slice(0, 24)}`;

/** For files too large to read on every look: identity, size and nanosecond times, in one string. */
const versionOfIdentity = (identity: string): Version => `i-${hash("sha256", identity, "hex").slice(0, 24)}`;

/** What tells one state of an object from the next without reading it; a directory stays itself whatever it holds. */
export const versionOfFacts = ({ kind, identity, size, times }: VersionedFacts): Version =>
  versionOfIdentity(kind === "directory" ? identity : `${identity}:${size}:${times}`);

/** Whether something is named by its content, which is then read on every look. */
export const isHashed = ({ kind, size }: Pick<VersionedFacts, "kind" | "size">): boolean =>
  kind === "file" && size <= LIMITS.hashedBytes;

/**
 * Whether a version names a content, which for a link is its target, and stays the same wherever that is. What may not be
 * read has none that does.
 */
export const isContentVersion = (version: Version): boolean => version.startsWith("c-") || version.startsWith("l-");

/** By the content where that is at hand, else by what a look told. */
export const versionOf = (facts: VersionedFacts, bytes: Uint8Array | undefined): Version =>
  bytes ? versionOfBytes(bytes) : versionOfFacts(facts);

/** For a file whose SHA-256 is at hand. */
export const versionOfChecksum = (facts: VersionedFacts, checksum: string): Version =>
  isHashed(facts) ? versionFrom(checksum) : versionOfFacts(facts);

interface VersionedFacts {
  readonly kind: string;
  readonly identity: string;
  readonly size: number;
  readonly times: string;
}

/** Hex SHA-256 of bytes at hand. */
export const sha256 = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");
