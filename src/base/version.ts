import { hash } from "node:crypto";

/** Names the exact state of a file, so that a later write can refuse stale content. Opaque to callers. */
export type Version = string;

/** For contents at hand: equal bytes have equal versions. */
export const versionOfBytes = (bytes: Uint8Array): Version => `c-${sha256(bytes).slice(0, 24)}`;

/** For files too large to read on every look: identity, size and nanosecond times, in one string. */
export const versionOfIdentity = (identity: string): Version => `i-${hash("sha256", identity, "hex").slice(0, 24)}`;

/** Hex SHA-256 of bytes at hand. */
export const sha256 = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");
