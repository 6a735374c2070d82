/** Holds the fields of a header that are used. Names are bytes: their encoding is checked later. */
export interface TarHeader {
  readonly name: Buffer;
  readonly type: string;
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
  readonly link: Buffer;
}

/** Parses a block of 512 bytes. Returns undefined where its checksum is wrong or a number is none. */
export function parseTarHeader(block: Buffer): TarHeader | undefined {
  const size = numberAt(block, 124, 12);
  const declared = numberAt(block, 148, 8);
  if (size === undefined || declared === undefined || declared !== checksumOf(block)) return undefined;
  const type = block[156] === 0 ? "0" : String.fromCharCode(block[156] as number);
  return {
    name: nameIn(block),
    type,
    size,
    mode: numberAt(block, 100, 8) ?? 0o644,
    modifiedMs: (numberAt(block, 136, 12) ?? 0) * 1000,
    link: textAt(block, 157, 100),
  };
}

/** Adds up all bytes, with the field of the sum itself taken as spaces. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < block.length; at++) if (at < 148 || at >= 156) sum += block[at] as number;
  return sum;
}

/** Joins the prefix of POSIX with the name. GNU uses the place of the prefix otherwise. */
function nameIn(block: Buffer): Buffer {
  const name = textAt(block, 0, 100);
  const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? textAt(block, 345, 155) : Buffer.alloc(0);
  return prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name]);
}

/** Copies a field up to its first NUL. */
function textAt(block: Buffer, from: number, length: number): Buffer {
  const field = block.subarray(from, from + length);
  const end = field.indexOf(0);
  return Buffer.from(end < 0 ? field : field.subarray(0, end));
}

/** Reads an octal number or, where the first bit is set, one in base 256. Returns undefined for anything else. */
function numberAt(block: Buffer, from: number, length: number): number | undefined {
  const field = block.subarray(from, from + length);
  if (((field[0] as number) & 0x80) !== 0) return wideNumber(field);
  const text = field
    .toString("latin1")
    .replace(/^ +/, "")
    .replace(/[\0 ].*$/s, "");
  if (text === "") return 0;
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function wideNumber(field: Buffer): number | undefined {
  if (field[0] !== 0x80) return undefined;
  const number = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
  return Number.isSafeInteger(number) ? number : undefined;
}
