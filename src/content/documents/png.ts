import { crc32, deflateSync } from "node:zlib";

/** Pixels of four bytes: red, green, blue and one that is not used. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Writes a PNG of three bytes per pixel. Each row is stored as its difference to the row above, which packs well. */
export function pngOf({ width, height, data }: Pixels): Uint8Array {
  const stride = width * 3;
  const rows = Buffer.alloc((stride + 1) * height);
  const at = (x: number, y: number): number => (y < 0 ? 0 : (data[(y * width + Math.floor(x / 3)) * 4 + (x % 3)] ?? 0));
  for (let y = 0; y < height; y++) {
    rows[y * (stride + 1)] = UP;
    for (let x = 0; x < stride; x++) rows[y * (stride + 1) + 1 + x] = at(x, y) - at(x, y - 1);
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, RGB, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const chunks = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const UP = 2;
const RGB = 2;

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(content.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
