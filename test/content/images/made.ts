import { crc32, deflateSync } from "node:zlib";

/** One chunk of a PNG. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of one bit per pixel, whose pixels are all black. It takes a fraction of a megabyte whatever its size is. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A GIF with frames of one pixel. */
export function gifOf(frames: number): Buffer {
  const start = Buffer.from("GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  const frame = Buffer.from("!\xf9\x04\0\x0a\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0", "latin1");
  return Buffer.concat([start, ...Array.from({ length: frames }, () => frame), Buffer.from(";")]);
}

/** A Windows bitmap of 24 bits. */
export function bmpOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(54);
  header.write("BM", "latin1");
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return Buffer.concat([header, Buffer.alloc(Math.abs(height) * Math.ceil((width * 3) / 4) * 4)]);
}

/** A TIFF with pages of these sizes and nothing in them, in either byte order. */
export function tiffOf(order: "II" | "MM", sizes: readonly (readonly [width: number, height: number])[]): Buffer {
  const isLittle = order === "II";
  const bytes = Buffer.alloc(8 + sizes.length * 30);
  const u16 = (value: number, at: number): number =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at);
  const u32 = (value: number, at: number): number =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at);
  bytes.write(order, "latin1");
  u16(42, 2);
  u32(8, 4);
  sizes.forEach(([width, height], nth) => {
    const at = 8 + nth * 30;
    u16(2, at);
    [width, height].forEach((value, which) => {
      const entry = at + 2 + which * 12;
      u16(256 + which, entry);
      u16(4, entry + 2);
      u32(1, entry + 4);
      u32(value, entry + 8);
    });
    u32(nth + 1 < sizes.length ? at + 30 : 0, at + 26);
  });
  return bytes;
}
