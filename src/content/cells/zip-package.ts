import { crc32, deflateRawSync } from "node:zlib";
import { findCentralDirectory } from "../archives/zip-end.ts";
import { bytesInMemory } from "../byte-source.ts";
import { damaged, openZip } from "../documents/zip.ts";

/** A zipped document that can be written again with a few other parts. */
export interface ZipPackage {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Unpacks a part, which must be XML in UTF-8. */
  text(name: string): Promise<string>;
  /** Returns the file with new contents of parts, and without those that are null. All other parts keep their bytes. */
  withParts(parts: ReadonlyMap<string, string | null>): Buffer;
}

/** Opens a zipped document. Its reader checks what it declares and counts all that is unpacked. */
export async function openPackage(bytes: Uint8Array): Promise<ZipPackage> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const zip = await openZip(bytes);
  const parts = await partsOf(file);
  return {
    names: zip.names,
    has: zip.has,
    text: async (name) => decodeXml(zip.bytes(name), name),
    withParts: (changed) => rewritten(file, parts, changed),
  };
}

/** A part as the central directory describes it, with its bytes up to the next one. */
interface Part {
  readonly name: string;
  readonly record: Buffer;
  readonly bytes: Buffer;
}

/** The parts in the order of the directory. */
interface Parts {
  readonly listed: readonly Part[];
  /** The parts in the order of their bytes, and what comes before them all. */
  readonly stored: readonly Part[];
  readonly before: Buffer;
}

async function partsOf(file: Buffer): Promise<Parts> {
  const { start, end } = await findCentralDirectory(bytesInMemory(file));
  const records: { readonly record: Buffer; readonly offset: number; readonly packedSize: number }[] = [];
  for (let at = start; at < end;) {
    if (at + RECORD > end) throw damaged("its directory is cut off");
    const length = RECORD + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
    if (at + length > end) throw damaged("its directory is cut off");
    records.push(plainRecord(file.subarray(at, at + length)));
    at += length;
  }
  const sorted = records.toSorted((one, other) => one.offset - other.offset);
  const stored = sorted.map(({ record, offset, packedSize }, nth): Part => {
    const bytes = file.subarray(offset, sorted[nth + 1]?.offset ?? start);
    requireWhole(bytes, packedSize);
    return { name: record.toString("utf8", RECORD, RECORD + record.readUInt16LE(28)), record, bytes };
  });
  if (new Set(stored.map(({ name }) => name)).size < stored.length) throw damaged("it has two parts of one name");
  const byRecord = new Map(stored.map((part) => [part.record, part]));
  const listed = records.map(({ record }) => byRecord.get(record) as Part);
  return { listed, stored, before: file.subarray(0, sorted[0]?.offset ?? start) };
}

const RECORD = 46;
const HEADER = 30;

/** Refuses parts that share bytes. */
function requireWhole(bytes: Buffer, packedSize: number): void {
  if (bytes.length < HEADER || bytes.readUInt32LE(0) !== 0x04034b50)
    throw damaged("a part is not where its directory says");
  if (HEADER + bytes.readUInt16LE(26) + bytes.readUInt16LE(28) + packedSize > bytes.length)
    throw damaged("its parts overlap");
}

/** Copies a record without 64-bit fields: a file that can be edited is never that large. */
function plainRecord(raw: Buffer): { record: Buffer; offset: number; packedSize: number } {
  const wide = wideFields(raw);
  const fields = [24, 20, 42].map((at) => {
    const value = raw.readUInt32LE(at);
    return [at, value === WIDE ? (wide.shift() ?? WIDE) : value] as const;
  });
  const record = withoutWideFields(raw, RECORD, 28);
  for (const [at, value] of fields) record.writeUInt32LE(value, at);
  return { record, offset: record.readUInt32LE(42), packedSize: record.readUInt32LE(20) };
}

const WIDE = 0xffffffff;

/** Returns the 64-bit sizes and offset of a record, in their order. */
function wideFields(raw: Buffer): number[] {
  const start = RECORD + raw.readUInt16LE(28);
  for (const { id, content } of extraFields(raw.subarray(start, start + raw.readUInt16LE(30)))) {
    const count = id === WIDE_FIELDS ? Math.floor(content.length / 8) : 0;
    if (count > 0)
      return Array.from({ length: count }, (_, nth) => Math.min(WIDE, Number(content.readBigUInt64LE(nth * 8))));
  }
  return [];
}

function decodeXml(bytes: Buffer, name: string): string {
  try {
    const text = UTF8.decode(bytes);
    if (/^\uFEFF?<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8["']|us-ascii["'])/i.test(text)) throw new TypeError();
    return text;
  } catch {
    throw damaged(`its part ${JSON.stringify(name)} is not XML in UTF-8`);
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function rewritten(
  file: Buffer,
  { listed, stored, before }: Parts,
  changed: ReadonlyMap<string, string | null>,
): Buffer {
  const written: Buffer[] = [before];
  const records = new Map<Part, Buffer>();
  let position = before.length;
  for (const part of stored) {
    const content = changed.get(part.name);
    if (content === null) continue;
    const { bytes, record } = content === undefined ? part : packedPart(part, Buffer.from(content));
    const fresh = Buffer.from(record);
    fresh.writeUInt32LE(position, 42);
    records.set(part, fresh);
    written.push(bytes);
    position += bytes.length;
  }
  const directory = Buffer.concat(listed.flatMap((part) => records.get(part) ?? []));
  return Buffer.concat([...written, directory, endRecord(file, records.size, directory.length, position)]);
}

/** Packs a part anew. Both headers keep all that is not about its bytes: name, time, flags, rights. */
function packedPart({ bytes: old, record: described }: Part, content: Buffer): Pick<Part, "bytes" | "record"> {
  const deflated = deflateRawSync(content);
  const isSmaller = deflated.length < content.length;
  const packed = isSmaller ? deflated : content;
  const header = withoutWideFields(old.subarray(0, HEADER + old.readUInt16LE(26) + old.readUInt16LE(28)), HEADER, 26);
  const record = Buffer.from(described);
  for (const [each, at] of [
    [header, 6],
    [record, 8],
  ] as const) {
    each.writeUInt16LE(each.readUInt16LE(at) & ~SIZES_FOLLOW, at);
    each.writeUInt16LE(isSmaller ? 8 : 0, at + 2);
    each.writeUInt32LE(crc32(content), at + 8);
    each.writeUInt32LE(packed.length, at + 12);
    each.writeUInt32LE(content.length, at + 16);
  }
  return { bytes: Buffer.concat([header, packed]), record };
}

/** The flag that sizes and checksum come after the bytes. */
const SIZES_FOLLOW = 8;

/** Copies a header without the extra field that holds 64-bit sizes. `lengths` is where its lengths are. */
function withoutWideFields(header: Buffer, fixed: number, lengths: number): Buffer {
  const start = fixed + header.readUInt16LE(lengths);
  const end = start + header.readUInt16LE(lengths + 2);
  const kept = extraFields(header.subarray(start, end)).filter(({ id }) => id !== WIDE_FIELDS);
  const extra = Buffer.concat(kept.map(({ whole }) => whole));
  const copy = Buffer.concat([header.subarray(0, start), extra, header.subarray(end)]);
  copy.writeUInt16LE(extra.length, lengths + 2);
  return copy;
}

const WIDE_FIELDS = 1;

interface ExtraField {
  readonly id: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

function extraFields(extra: Buffer): readonly ExtraField[] {
  const fields: ExtraField[] = [];
  for (let at = 0; at + 4 <= extra.length;) {
    const whole = extra.subarray(at, at + 4 + extra.readUInt16LE(at + 2));
    fields.push({ id: extra.readUInt16LE(at), content: whole.subarray(4), whole });
    at += whole.length;
  }
  return fields;
}

/** Writes the end of the file, with the comment that it had. */
function endRecord(file: Buffer, count: number, size: number, offset: number): Buffer {
  let at = file.length - 22;
  while (at > 0 && !(file.readUInt32LE(at) === END && at + 22 + file.readUInt16LE(at + 20) === file.length)) at--;
  if (at <= 0) throw damaged("something follows its end");
  const end = Buffer.from(file.subarray(at));
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

const END = 0x06054b50;
