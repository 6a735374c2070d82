import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import type { PackedContent, PackedEntry } from "./archive-entry.ts";
import { transformed } from "./packed-bytes.ts";
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
const { createZstdCompress } = zlib as { createZstdCompress?: () => Transform };

/** Returns whether this version of Node can write a format. */
export const canWrite = (format: WritableFormat): boolean => format !== "tar.zst" || createZstdCompress !== undefined;

/** Packs entries in the given order, and streams the archive. The same entries give the same bytes. */
export function packArchive<Entry extends PackedEntry>(
  format: WritableFormat,
  entries: readonly Entry[],
  contentOf: PackedContent<Entry>,
): AsyncIterable<Uint8Array> {
  if (format === "zip") return packZip(entries, contentOf);
  const tar = packTar(entries, contentOf);
  if (format === "tar") return tar;
  return transformed(tar, format === "tar.gz" ? zlib.createGzip() : (createZstdCompress as () => Transform)());
}
