import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ByteSource } from "../../../src/content/byte-source.ts";
import { describePlayable, playableFactsOf } from "../../../src/content/media/header.ts";

/** Serves bytes, followed by as many zeros as the file is longer. */
const sourceOf = (bytes: Uint8Array, size = bytes.length): ByteSource => ({
  size,
  read(into, position) {
    const count = Math.max(0, Math.min(into.length, size - position));
    into.fill(0, 0, count);
    into.set(bytes.subarray(position, position + count));
    return count;
  },
});

const u16 = (value: number): Buffer => Buffer.from([value & 255, value >>> 8]);
const u32 = (value: number): Buffer =>
  Buffer.from([value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24]);
const be32 = (value: number): Buffer =>
  Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const join = (...parts: readonly (Uint8Array | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? latin1(part) : part)));

const wavFormat = (rate: number, channels: number): Buffer =>
  join("fmt ", u32(16), u16(1), u16(channels), u32(rate), u32(rate * channels * 2), u16(channels * 2), u16(16));
const box = (type: string, ...body: readonly (Uint8Array | string)[]): Buffer => {
  const content = join(...body);
  return join(be32(8 + content.length), type, content);
};
const movieHeader = (scale: number, duration: number): Buffer =>
  box("mvhd", Buffer.alloc(12), be32(scale), be32(duration), Buffer.alloc(80));
const trackHeader = (width: number, height: number): Buffer =>
  box("tkhd", Buffer.alloc(76), be32(width * 65_536), be32(height * 65_536));
const element = (id: string, ...body: readonly (Uint8Array | string)[]): Buffer => {
  const content = join(...body);
  return join(Buffer.from(id, "hex"), Buffer.from([0x40 | (content.length >>> 8), content.length & 255]), content);
};
const float = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};
const page = (position: bigint, body: string | Uint8Array): Buffer => {
  const where = Buffer.alloc(8);
  where.writeBigInt64LE(position);
  return join("OggS\0\0", where, Buffer.alloc(13), body);
};

const WAV = join("RIFF", u32(0), "WAVE", wavFormat(44_100, 2), "data", u32(176_400 * 3));
const FLAC = join("fLaC\0\0\0\x22", Buffer.alloc(10), Buffer.from([0x0a, 0xc4, 0x42, 0xf0]), be32(441_000));
const MP3 = join("ID3\x03\0\0\0\0\0\x05", "12345", Buffer.from([0xff, 0xfb, 0x90, 0x64]));
const VARIABLE_MP3 = join(Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(32), "Xing", be32(1), be32(3828));
const VORBIS = join(
  page(0n, join("\x01vorbis", u32(0), Buffer.from([2]), u32(48_000))),
  Buffer.alloc(200),
  page(96_000n, ""),
);
const OPUS = join(page(0n, join("OpusHead\x01\x01", u16(312), u32(44_100))), Buffer.alloc(200), page(48_312n, ""));
const MP4 = join(
  box("ftyp", "isom\0\0\0\0"),
  box("mdat", Buffer.alloc(50)),
  box("moov", movieHeader(1000, 95_500), box("trak", trackHeader(1280, 720)), box("trak", trackHeader(0, 0))),
);
const WEBM = join(
  element("1a45dfa3", element("4282", "webm")),
  Buffer.from("1853806701ffffffffffffff", "hex"),
  element("1549a966", element("2ad7b1", Buffer.from([0x0f, 0x42, 0x40])), element("4489", float(12_500))),
  element(
    "1654ae6b",
    element("ae", element("e0", element("b0", Buffer.from([2, 128])), element("ba", Buffer.from([1, 224])))),
  ),
);

/** The start of what FFmpeg wrote. */
const AVI = Buffer.from(
  "524946466a2b0000415649204c495354381200006864726c6176696838000000400d0300000a000000000000100900000a000000" +
    "0000000001000000000010002000000010000000",
  "hex",
);
/** The start of what SoX wrote. */
const AIFF = Buffer.from(
  "464f524d0000bbd041494646434f4d540000001a0001e723784f0000001050726f63657373656420627920536f58434f4d4d000000" +
    "12000100002ee00020400bfa0000000000000053534e440000bb88",
  "hex",
);

const KNOWN = [
  { name: "WAV", mime: "audio/wav", bytes: WAV, size: 700_000, says: "3 s, 44100 Hz, 2 channels" },
  {
    name: "WAV that is cut off",
    mime: "audio/wav",
    bytes: WAV,
    size: WAV.length + 88_200,
    says: "500 ms, 44100 Hz, 2 channels",
  },
  { name: "FLAC", mime: "audio/flac", bytes: FLAC, says: "10 s, 44100 Hz, 2 channels" },
  {
    name: "MP3 of one bit rate",
    mime: "audio/mpeg",
    bytes: MP3,
    size: 15 + 16_000 * 200,
    says: "3 min 20 s, 44100 Hz, 2 channels",
  },
  {
    name: "MP3 that counts its frames",
    mime: "audio/mpeg",
    bytes: VARIABLE_MP3,
    size: 5000,
    says: "1 min 40 s, 44100 Hz, 2 channels",
  },
  { name: "Ogg Vorbis", mime: "audio/ogg", bytes: VORBIS, says: "2 s, 48000 Hz, 2 channels" },
  { name: "Ogg Opus", mime: "audio/ogg", bytes: OPUS, says: "1 s, 44100 Hz, mono" },
  { name: "MP4", mime: "video/mp4", bytes: MP4, says: "1 min 36 s, 1280x720 pixels" },
  { name: "M4A", mime: "audio/mp4", bytes: MP4, says: "1 min 36 s, 1280x720 pixels" },
  { name: "WebM", mime: "video/webm", bytes: WEBM, says: "12.5 s, 640x480 pixels" },
  { name: "AVI", mime: "video/vnd.avi", bytes: AVI, says: "2 s, 32x16 pixels" },
  { name: "AIFF", mime: "audio/aiff", bytes: AIFF, says: "1.5 s, 8000 Hz, mono" },
  { name: "an unknown format", mime: "video/x-flv", bytes: latin1("FLV\x01"), says: "" },
];

describe("audio and video", () => {
  it.each(KNOWN)("$name: $says", async ({ mime, bytes, size, says }) => {
    expect(describePlayable(await playableFactsOf(mime, sourceOf(bytes, size)))).toBe(says);
  });

  it.each(KNOWN)("cut anywhere, tells less and never fails: $name", async ({ mime, bytes }) => {
    const cuts = Array.from({ length: bytes.length }, (_, length) => sourceOf(bytes.subarray(0, length)));
    const texts = await Promise.all(cuts.map(async (cut) => describePlayable(await playableFactsOf(mime, cut))));
    expect(texts.filter((text) => /NaN|undefined|Infinity|-/.test(text))).toEqual([]);
  });

  it.each(KNOWN)("damaged anywhere, tells something and never fails: $name", async ({ mime, bytes }) => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), value: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const damaged = Buffer.from(bytes);
        for (const { at, value } of changes) damaged[at] = value;
        expect(describePlayable(await playableFactsOf(mime, sourceOf(damaged)))).not.toMatch(
          /NaN|undefined|Infinity|-/,
        );
      }),
      { numRuns: 200 },
    );
  });
});
