import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { versionOfBytes } from "../../../src/base/version.ts";
import type { SafePath } from "../../../src/storage/storage.ts";
import { createSeenFiles, type SeenFiles } from "../../../src/workspace/read/seen-files.ts";

const PLACE = "/f" as SafePath;
const MIB = 1024 * 1024;

const sameBytes = (): Uint8Array => new Uint8Array(4 * MIB).fill(200);

function read(seen: SeenFiles, bytes: Uint8Array): string {
  const version = versionOfBytes(bytes);
  seen.read(PLACE, { version, size: bytes.length, modifiedMs: 0, identity: "1:1" }, bytes);
  return version;
}

it("the bytes that all sessions of a process keep are bounded together", () => {
  const sessions = Array.from({ length: 40 }, (_, nth) => {
    const seen = createSeenFiles();
    return { seen, version: read(seen, new Uint8Array(4 * MIB).fill(nth + 1)) };
  });
  const kept = sessions.map(({ seen, version }) => seen.bytesAt(PLACE, version)?.length ?? 0);
  expect(kept.reduce((sum, bytes) => sum + bytes)).toBe(LIMITS.seenBytes);
  expect(kept.at(-1)).toBe(4 * MIB);
});

it("sessions that read the same content keep it once", () => {
  const [one, other] = [createSeenFiles(), createSeenFiles()];
  const version = read(one, sameBytes());
  read(other, sameBytes());
  expect(one.bytesAt(PLACE, version) === other.bytesAt(PLACE, version)).toBe(true);
});

it("a session gets no content that only another has seen", () => {
  const version = read(createSeenFiles(), Buffer.from("of another"));
  expect(createSeenFiles().bytesAt(PLACE, version)).toBeUndefined();
});

it("a small part of a large buffer does not keep all of it", () => {
  const seen = createSeenFiles();
  const version = read(seen, new Uint8Array(MIB).fill(7).subarray(0, 1000));
  expect(seen.bytesAt(PLACE, version)?.buffer.byteLength).toBe(1000);
});
