import { promisify } from "node:util";
import * as zlib from "node:zlib";
import type { Checkpoint } from "../../base/time-slicing.ts";
import type { PackedEntry } from "./archive-entry.ts";
import { packTar } from "./tar-writer.ts";
import { packZip } from "./zip-writer.ts";

/** Lists the formats that can be written, with the endings that ask for them. */
const ENDINGS = [
  { format: "zip", ending: /\.zip$/i },
  { format: "tar", ending: /\.tar$/i },
  { format: "tar.gz", ending: /\.(?:tar\.gz|tgz)$/i },
  { format: "tar.zst", ending: /\.(?:tar\.zst|tzst)$/i },
] as const;

export type WritableFormat = (typeof ENDINGS)[number]["format"];

/** Returns the format that a name asks for; undefined for any other ending. */
export const formatNamed = (name: string): WritableFormat | undefined =>
  ENDINGS.find(({ ending }) => ending.test(name))?.format;

/** Is undefined where this version of Node lacks it. */
const { zstdCompress } = zlib as { zstdCompress?: typeof zlib.gzip };

/** Returns whether this version of Node can write a format. */
export const canWrite = (format: WritableFormat): boolean => format !== "tar.zst" || zstdCompress !== undefined;

/** Packs entries in the given order. The same entries give the same bytes. */
export async function packArchive(
  format: WritableFormat,
  entries: readonly PackedEntry[],
  checkpoint: Checkpoint,
): Promise<Uint8Array> {
  if (format === "zip") return packZip(entries, checkpoint);
  const tar = packTar(entries);
  if (format === "tar") return tar;
  return promisify<Uint8Array, Buffer>(format === "tar.gz" ? zlib.gzip : (zstdCompress as typeof zlib.gzip))(tar);
}
