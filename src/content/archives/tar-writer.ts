import type { PackedEntry } from "./archive-entry.ts";

/** Writes a tar of POSIX. Long names get a record of their own; owners are left out, so that the bytes do not tell them. */
export const packTar = (entries: readonly PackedEntry[]): Buffer =>
  Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(2 * BLOCK)]);

const BLOCK = 512;
const NAME = 100;

function blocksOf({ path, kind, content, mode, modifiedMs }: PackedEntry): readonly Uint8Array[] {
  const name = Buffer.from(kind === "directory" ? `${path}/` : path);
  const seconds = Math.max(0, Math.floor(modifiedMs / 1000));
  const header = headerOf({ name, type: kind === "directory" ? "5" : "0", size: content.length, mode, seconds });
  return [...(name.length > NAME ? longName(name, seconds) : []), header, content, padding(content.length)];
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

/** Writes the record that holds a long name: "<length> path=<name>\n", where the length counts itself. */
function longName(name: Buffer, seconds: number): readonly Uint8Array[] {
  const rest = Buffer.concat([Buffer.from(" path="), name, Buffer.from("\n")]);
  const digits = [2, 3, 4, 5].find((count) => String(rest.length + count).length === count) ?? 5;
  const record = Buffer.concat([Buffer.from(String(rest.length + digits)), rest]);
  const fields = { name: Buffer.from("PaxHeader"), type: "x", size: record.length, mode: 0o644, seconds };
  return [headerOf(fields), record, padding(record.length)];
}
