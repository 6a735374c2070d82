import { createHash } from "node:crypto";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isHashed, type Version, versionOf } from "../../base/version.ts";
import type { Facts, OpenFile } from "../../storage/storage.ts";
import { chunksOf, type Scan, sourceOfFile } from "./scan.ts";

/** Holds all bytes of a file, with their version. */
export interface WholeFile {
  readonly facts: Facts;
  readonly version: Version;
  readonly bytes: Buffer;
}

/** Reads all of a file that is to be edited. Refuses one that is too large to hold in memory. */
export async function readWholeFile(file: OpenFile): Promise<WholeFile> {
  const { facts } = file;
  if (facts.size > LIMITS.editBytes)
    throw new Fault("too_large", `Cannot edit it: it has ${facts.size} bytes, more than ${LIMITS.editBytes}`);
  const bytes = await sourceOfFile(file).part(0, facts.size);
  return { facts, bytes, version: versionOf(facts, isHashed(facts) ? bytes : undefined) };
}

/** Streams the whole file through SHA-256: the real bytes, whatever is shown of them. */
export async function checksumOf(file: OpenFile, caller: Pick<Scan, "checkpoint" | "progress">): Promise<string> {
  const hash = createHash("sha256");
  const source = sourceOfFile(file.original ?? file);
  for await (const { chunk } of chunksOf({ source, ...caller }, 0)) hash.update(chunk);
  return hash.digest("hex");
}
