import { crc32, deflateRawSync } from "node:zlib";

/** A part to write, with what its headers claim where that is not true. */
export interface WrittenPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** The content, packed before. */
  readonly packed?: Buffer;
  readonly isStored?: boolean;
  readonly claimedBytes?: number;
  readonly flags?: number;
}

/** Writes a zip file, also one that lies. */
export function zipOf(parts: readonly WrittenPart[]): Buffer {
  const written: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, packed: given, isStored = false, claimedBytes, flags = 0 } of parts) {
    const bytes = Buffer.from(content as string);
    const packed = given ?? (isStored ? bytes : deflateRawSync(bytes));
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedBytes ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), packed]);
    const entry = Buffer.concat([
      Buffer.from("PK\u0001\u0002"),
      Buffer.alloc(2),
      fields,
      Buffer.alloc(14),
      Buffer.from(name),
    ]);
    entry.writeUInt32LE(offset, 42);
    written.push(local);
    directory.push(entry);
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...written, ...directory, end]);
}
