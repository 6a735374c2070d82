import { LIMITS } from "../../base/limits.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { type ArchiveEntry, type ArchiveListing, PERMISSION_BITS, type RefusedEntry } from "./archive-entry.ts";
import { damagedFault, requireFewEntries } from "./bounds.ts";
import { type InnerPath, parseEntryName } from "./entry-name.ts";
import type { ForwardCursor } from "./forward-cursor.ts";
import { parseTarHeader, type TarHeader } from "./tar-header.ts";
import { parsePax, type PaxRecords } from "./tar-pax.ts";

/** Lists a tar header by header. Contents are skipped, so memory grows with the entries, not with the archive. */
export async function listTar(cursor: ForwardCursor, checkpoint: Checkpoint): Promise<ArchiveListing> {
  const entries: ArchiveEntry[] = [];
  const refused: RefusedEntry[] = [];
  const files = new Map<string, ArchiveEntry>();
  for await (const described of describedHeaders(cursor)) {
    requireFewEntries(entries.length + refused.length + 1);
    const name = parseEntryName(described.name);
    if ("problem" in name) refused.push(name);
    else if (name.path !== "") {
      const entry = entryOf(described, name, files);
      entries.push(entry);
      if (entry.kind === "file") files.set(entry.path, entry);
    }
    const pause = checkpoint();
    if (pause) await pause;
  }
  return { entries, refused };
}

/** A header together with the long names and sizes that headers before it declare for it. */
interface DescribedHeader {
  readonly header: TarHeader;
  readonly name: Buffer;
  readonly link: Buffer;
  readonly size: number;
  readonly modifiedMs: number;
  readonly isSparse: boolean;
  /** The start of the content. */
  readonly offset: number;
}

async function* describedHeaders(cursor: ForwardCursor): AsyncGenerator<DescribedHeader> {
  let pending: PaxRecords = {};
  for (;;) {
    const block = await cursor.take(BLOCK);
    if (block.every((byte) => byte === 0)) return;
    if (block.length < BLOCK) throw damagedFault("it ends in the middle of a header");
    const header = parseTarHeader(block);
    if (!header) throw damagedFault("a header in it is damaged");
    if (EXTENDING.includes(header.type)) {
      pending = { ...pending, ...(await extensionOf(cursor, header)) };
      continue;
    }
    const size = HAS_CONTENT.has(header.type) ? (pending.size ?? header.size) : 0;
    const { position: offset } = cursor;
    yield {
      header,
      name: pending.path ?? header.name,
      link: pending.linkPath ?? header.link,
      size,
      modifiedMs: pending.modifiedMs ?? header.modifiedMs,
      isSparse: header.type === "S" || pending.isSparse === true,
      offset,
    };
    pending = {};
    await cursor.skipTo(offset + padded(size));
  }
}

const BLOCK = 512;

/** Lists headers that describe the next one: long names of GNU, and records of POSIX for it or for all. */
const EXTENDING = ["L", "K", "x", "g"];

/** Lists the types that content follows; unknown ones are read like files, as POSIX demands. */
const HAS_CONTENT = { has: (type: string): boolean => !"123456".includes(type) };

const padded = (size: number): number => Math.ceil(size / BLOCK) * BLOCK;

async function extensionOf(cursor: ForwardCursor, { type, size }: TarHeader): Promise<PaxRecords> {
  if (size > MOST_EXTENSION) throw damagedFault("a name in it is too long");
  const content = await cursor.take(padded(size));
  if (content.length < padded(size)) throw damagedFault("it ends in the middle of a header");
  const bytes = content.subarray(0, size);
  if (type === "L") return { path: untilNul(bytes) };
  if (type === "K") return { linkPath: untilNul(bytes) };
  // Records for all entries hold nothing that is needed, such as the commit that git made the archive of.
  return type === "x" ? parsePax(bytes) : {};
}

/** Bounds what describes a single entry. */
const MOST_EXTENSION = 1024 ** 2;

const untilNul = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf(0);
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end));
};

function entryOf(
  { header, link, size, modifiedMs, isSparse, offset }: DescribedHeader,
  { path, isDirectory }: { readonly path: InnerPath; readonly isDirectory: boolean },
  files: ReadonlyMap<string, ArchiveEntry>,
): ArchiveEntry {
  const kind = kindOf(header.type, isDirectory);
  const entry: ArchiveEntry = {
    path,
    kind,
    size,
    mode: header.mode & PERMISSION_BITS,
    modifiedMs,
    offset,
    packedSize: size,
    ...(isSparse && { problem: "it is a sparse file, which is not supported" }),
  };
  if (kind === "symlink") return { ...entry, target: targetOf(link) };
  return header.type === "1" ? hardLinkOf(entry, link, files) : entry;
}

const targetOf = (link: Buffer): string | undefined =>
  link.length > LIMITS.archiveLinkBytes ? undefined : link.toString("utf8");

/** Gives a hard link the content of the file before it that it names. No link reaches beyond the archive. */
function hardLinkOf(entry: ArchiveEntry, link: Buffer, files: ReadonlyMap<string, ArchiveEntry>): ArchiveEntry {
  const target = parseEntryName(link);
  const file = "path" in target ? files.get(target.path) : undefined;
  if (!file) return { ...entry, problem: "it is a hard link to something that is not in the archive before it" };
  const { size, offset, packedSize, problem } = file;
  return { ...entry, size, offset, packedSize, problem };
}

function kindOf(type: string, isDirectory: boolean): ArchiveEntry["kind"] {
  if (type === "5") return "directory";
  if (type === "2") return "symlink";
  if (type === "3" || type === "4" || type === "6") return "other";
  return isDirectory && type !== "1" ? "directory" : "file";
}
