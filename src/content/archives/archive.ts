import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { bytesInMemory, type ByteSource } from "../byte-source.ts";
import type { ArchiveEntry, ArchiveListing } from "./archive-entry.ts";
import { damagedFault, damageIn, exactly, withinBounds } from "./bounds.ts";
import { endedAfter, entriesOfStream, type EntryStreams } from "./entry-streams.ts";
import { parseEntryName } from "./entry-name.ts";
import { cursorOverSource, cursorOverStream } from "./forward-cursor.ts";
import { bytesIn, type Packing, unpacked } from "./packed-bytes.ts";
import { parseTarHeader } from "./tar-header.ts";
import { listTar } from "./tar-reader.ts";
import { findCentralDirectory } from "./zip-end.ts";
import { listZip, zipEntryBytes } from "./zip-reader.ts";

/** A listed archive. Entries are read from the source that it was listed from. */
export interface Archive extends ArchiveListing {
  readonly format: ArchiveFormat;
  /** Streams the content of a file in it. Throws where its bytes are not what the archive declares. */
  bytesOf(source: ByteSource, entry: ArchiveEntry): AsyncIterable<Uint8Array>;
  /** Does the same for many entries: it unpacks a stream only once, if they come in their order. */
  inOrder(source: ByteSource): EntryStreams;
}

type ArchiveFormat = "zip" | "tar" | "tar.gz" | "tar.zst" | "gz" | "zst";

/** Lists an archive; returns undefined for any other file. A single packed file is named after the archive. */
export async function openArchive(
  source: ByteSource,
  name: string,
  checkpoint: Checkpoint,
): Promise<Archive | undefined> {
  const format = await formatOf(source);
  if (format === undefined) return undefined;
  if (format === "zip") return atRandom({ format, ...(await listZip(source, checkpoint)), bytesOf: zipEntryBytes });
  if (format === "tar") return tarIn(format, source, checkpoint);
  return openPacked(source, format, name, checkpoint);
}

/** Detects an archive by its first bytes, never by its name. Packed data may be a tar or a single file. */
async function formatOf(source: ByteSource): Promise<"zip" | "tar" | Packing | undefined> {
  const start = Buffer.alloc(BLOCK);
  const head = start.subarray(0, await source.read(start, 0));
  if (head.length >= 4 && ZIP_STARTS.includes(head.readUInt32LE(0))) return "zip";
  if (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528) return "zstd";
  if (head.length >= 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return "gzip";
  if (isTarHeader(head)) return "tar";
  requireSupported(head);
  return (await endsInZip(source)) ? "zip" : undefined;
}

/** Names archives that are known but not read, so that nobody takes them for damaged. */
function requireSupported(head: Buffer): void {
  const name = UNSUPPORTED.find(([magic]) => head.subarray(0, magic.length).equals(magic))?.[1];
  if (name === undefined) return;
  throw new Fault("not_text", `Cannot read the archive: it is packed by ${name}, which is not supported`, {
    hint: "Unpack it with a command, or ask for it as .zip, .tar.gz or .tar.zst",
  });
}

const UNSUPPORTED: readonly (readonly [Buffer, string])[] = [
  [Buffer.from("BZh"), "bzip2"],
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), "xz"],
  [Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), "7-Zip"],
  [Buffer.from("Rar!\x1a\x07"), "RAR"],
];

/** Recognises a program that unpacks itself: the zip lies behind it. */
async function endsInZip(source: ByteSource): Promise<boolean> {
  try {
    return (await findCentralDirectory(source)).count > 0;
  } catch (error) {
    if (damageIn(error) !== undefined) return false;
    throw error;
  }
}

/** Lists the signatures of an entry, and of the end record of an archive without entries. */
const ZIP_STARTS = [0x04034b50, 0x06054b50];

const BLOCK = 512;

const isTarHeader = (head: Buffer): boolean =>
  head.length === BLOCK && head[0] !== 0 && parseTarHeader(head) !== undefined;

/** Completes an archive whose entries can be read in any order. */
const atRandom = (archive: Omit<Archive, "inOrder">): Archive => ({
  ...archive,
  inOrder: (source) => ({ bytesOf: (entry) => archive.bytesOf(source, entry), end: async () => {} }),
});

async function tarIn(format: ArchiveFormat, source: ByteSource, checkpoint: Checkpoint): Promise<Archive> {
  return atRandom({
    format,
    ...(await listTar(cursorOverSource(source), checkpoint)),
    bytesOf: (from, { offset, size }) => exactly(bytesIn(from, offset, offset + size), size),
  });
}

/** Unpacks as much as fits into memory, so that its entries can be read at once. */
async function openPacked(
  source: ByteSource,
  packing: Packing,
  name: string,
  checkpoint: Checkpoint,
): Promise<Archive> {
  const stream = () => withinBounds(unpacked(bytesIn(source, 0, source.size), packing), source.size);
  const held = await heldBytes(stream(), checkpoint);
  const ending = packing === "gzip" ? "gz" : "zst";
  if (held.isTar) {
    const { bytes } = held;
    if (bytes) {
      const inMemory = bytesInMemory(bytes);
      const archive = await tarIn(`tar.${ending}`, inMemory, checkpoint);
      return atRandom({ ...archive, bytesOf: (_, entry) => archive.bytesOf(inMemory, entry) });
    }
    return packedTar(stream(), packing, checkpoint);
  }
  return packedFile(ending, packing, { name, size: held.size, packedSize: source.size });
}

/** Reads a packed stream to its end: its size is known only then. Keeps its bytes where they are a tar and not many. */
async function heldBytes(stream: AsyncIterable<Uint8Array>, checkpoint: Checkpoint): Promise<HeldBytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isTar: boolean | undefined;
  for await (const chunk of stream) {
    size += chunk.length;
    if (isTar !== false && size <= LIMITS.archiveHeldTarBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (isTar === undefined && size >= BLOCK) isTar = isTarHeader(Buffer.concat(chunks).subarray(0, BLOCK));
    if (isTar && size > LIMITS.archiveHeldTarBytes) return { isTar, size };
    const pause = checkpoint();
    if (pause) await pause;
  }
  return { isTar: isTar === true, size, ...(isTar && { bytes: Buffer.concat(chunks) }) };
}

interface HeldBytes {
  readonly isTar: boolean;
  readonly size: number;
  readonly bytes?: Buffer;
}

/** Lists a compressed tar that is too large to hold. Each file in it is unpacked from the start. */
async function packedTar(
  stream: AsyncIterable<Uint8Array>,
  packing: Packing,
  checkpoint: Checkpoint,
): Promise<Archive> {
  const cursor = cursorOverStream(stream);
  const listing = await listTar(cursor, checkpoint);
  await cursor.end();
  const inOrder = (from: ByteSource): EntryStreams =>
    entriesOfStream(() => unpacked(bytesIn(from, 0, from.size), packing));
  return {
    format: packing === "gzip" ? "tar.gz" : "tar.zst",
    ...listing,
    bytesOf: (from, entry) => endedAfter(inOrder(from), entry),
    inOrder,
  };
}

/** Describes a single packed file as an archive with one entry. */
function packedFile(
  format: "gz" | "zst",
  packing: Packing,
  { name, size, packedSize }: { readonly name: string; readonly size: number; readonly packedSize: number },
): Archive {
  const parsed = parseEntryName(Buffer.from(name.replace(/\.(?:gz|zst)$/i, "") || "content"));
  if (!("path" in parsed)) throw damagedFault("it has no usable name");
  const entry: ArchiveEntry = {
    path: parsed.path,
    kind: "file",
    size,
    mode: 0o644,
    modifiedMs: 0,
    offset: 0,
    packedSize,
  };
  return atRandom({
    format,
    entries: [entry],
    refused: [],
    bytesOf: (source) => exactly(unpacked(bytesIn(source, 0, source.size), packing), size),
  });
}
