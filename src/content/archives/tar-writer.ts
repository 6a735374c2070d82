import type { PackedContent, PackedEntry } from "./archive-entry.ts";

/**
 * Writes a tar of POSIX. Long names and huge sizes get a record of their own; owners are left out, so that the bytes do
 * not tell them.
 */
export async function* packTar<Entry extends PackedEntry>(
  entries: readonly Entry[],
  contentOf: PackedContent<Entry>,
): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield Buffer.concat(headersOf(entry));
    if (entry.kind === "directory" || entry.size === 0) continue;
    yield* contentOf(entry);
    yield padding(entry.size);
  }
  yield Buffer.alloc(2 * BLOCK);
}

const BLOCK = 512;
const NAME = 100;
const MOST_OCTAL = 0o77777777777;

function headersOf({ path, kind, size, mode, modifiedMs }: PackedEntry): readonly Uint8Array[] {
  const name = Buffer.from(kind === "directory" ? `${path}/` : path);
  const seconds = Math.max(0, Math.floor(modifiedMs / 1000));
  const records = [
    ...(name.length > NAME ? [paxRecord("path", name)] : []),
    ...(size > MOST_OCTAL ? [paxRecord("size", Buffer.from(String(size)))] : []),
  ];
  const fields = { name, type: kind === "directory" ? "5" : "0", size: Math.min(size, MOST_OCTAL), mode, seconds };
  return [...(records.length > 0 ? extension(Buffer.concat(records), seconds) : []), headerOf(fields)];
}

interface HeaderFields {
  readonly name: Uint8Array;
  readonly type: string;
  readonly size: number;
  readonly mode: number;
  readonly seconds: number;
}

function headerOf({ name, type, size, mode, seconds }: HeaderFields): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.set(name.subarray(0, NAME));
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(seconds, 12), 136);
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)} `, 148);
  return header;
}

const octal = (number: number, length: number): string => `${number.toString(8).padStart(length - 1, "0")}\0`;

const padding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** Writes a record: "<length> <key>=<value>\n", where the length counts itself. */
function paxRecord(key: string, value: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from("\n")]);
  const digits = [2, 3, 4, 5].find((count) => String(rest.length + count).length === count) ?? 5;
  return Buffer.concat([Buffer.from(String(rest.length + digits)), rest]);
}

function extension(records: Buffer, seconds: number): readonly Uint8Array[] {
  const fields = { name: Buffer.from("PaxHeader"), type: "x", size: records.length, mode: 0o644, seconds };
  return [headerOf(fields), records, padding(records.length)];
}
