import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { describeBinary, mediaOf, mimeOf } from "../../src/content/media.ts";

/** The head of a larger file: what follows the magic is not looked at, and ends where reading stopped. */
const head = (start: string, size = 4100): Uint8Array =>
  Buffer.concat([Buffer.from(start, "latin1"), Buffer.alloc(Math.max(0, size - start.length), 0x55)]);

const PNG = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
const IDAT = "\0\x0f\0\0IDAT";
const ACTL = "\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\xf3\x8d\x93\x70";
const OGG = "OggS\0\x02" + "\0".repeat(22);
const ZIP = "PK\x03\x04\x14\0\0\0\x08\0" + "\0".repeat(8) + "\xff\xff\0\0\xff\xff\0\0\x05\0\0\0a.txt";

const KNOWN = [
  { name: "PNG", bytes: head(PNG + IDAT), want: { kind: "image", mime: "image/png" } },
  { name: "animated PNG", bytes: head(PNG + ACTL + IDAT), want: { kind: "image", mime: "image/png" } },
  { name: "JPEG", bytes: head("\xff\xd8\xff\xe0\0\x10JFIF\0"), want: { kind: "image", mime: "image/jpeg" } },
  { name: "GIF", bytes: head("GIF89a\x01\0\x01\0"), want: { kind: "image", mime: "image/gif" } },
  { name: "WebP", bytes: head("RIFF\0\0\x01\0WEBPVP8 "), want: { kind: "image", mime: "image/webp" } },
  { name: "BMP", bytes: head("BM\x3a\0\0\0\0\0"), want: { kind: "other", mime: "image/bmp" } },
  { name: "TIFF", bytes: head("II*\0\x08\0\0\0"), want: { kind: "other", mime: "image/tiff" } },
  {
    name: "TIFF that begins with its pixels",
    bytes: head("II*\0\0\0\x01\0"),
    want: { kind: "other", mime: "image/tiff" },
  },
  { name: "BigTIFF", bytes: head("MM\0+\0\x08\0\0"), want: { kind: "other", mime: "image/tiff" } },
  { name: "AVIF", bytes: head("\0\0\0\x20ftypavif\0\0\0\0"), want: { kind: "other", mime: "image/avif" } },
  { name: "HEIC", bytes: head("\0\0\0\x20ftypheic\0\0\0\0"), want: { kind: "other", mime: "image/heic" } },
  { name: "MP3", bytes: head("\xff\xfb\x90\x64"), want: { kind: "audio", mime: "audio/mpeg" } },
  {
    name: "MP3 behind a long tag",
    bytes: head("ID3\x03\0\0\0\x7f\x7f\x7f"),
    want: { kind: "audio", mime: "audio/mpeg" },
  },
  { name: "WAV", bytes: head("RIFF\0\0\x01\0WAVEfmt "), want: { kind: "audio", mime: "audio/wav" } },
  { name: "Ogg Vorbis", bytes: head(OGG + "\x01vorbis"), want: { kind: "audio", mime: "audio/ogg" } },
  { name: "Ogg Opus", bytes: head(OGG + "OpusHead"), want: { kind: "audio", mime: "audio/ogg" } },
  { name: "FLAC", bytes: head("fLaC\0\0\0\x22"), want: { kind: "audio", mime: "audio/flac" } },
  { name: "AAC", bytes: head("\xff\xf1\x50\x80"), want: { kind: "audio", mime: "audio/aac" } },
  { name: "M4A", bytes: head("\0\0\0\x20ftypM4A \0\0\0\0"), want: { kind: "audio", mime: "audio/mp4" } },
  { name: "MP4", bytes: head("\0\0\0\x20ftypisom\0\0\0\0"), want: { kind: "other", mime: "video/mp4" } },
  { name: "ZIP", bytes: head(ZIP), want: { kind: "other", mime: "application/zip" } },
  { name: "gzip", bytes: gzipSync("hello"), want: { kind: "other", mime: "application/gzip" } },
  { name: "PDF", bytes: head("%PDF-1.7\n"), want: { kind: "other", mime: "application/pdf" } },
  { name: "ELF", bytes: head("\x7fELF\x02\x01\x01"), want: { kind: "other", mime: "application/x-elf" } },
];

describe("media by magic", () => {
  it.each(KNOWN)("$name", async ({ bytes, want }) => {
    expect(await mediaOf(bytes)).toEqual(want);
  });

  it.each(KNOWN)("$name, cut anywhere, is itself, less or nothing, but never a failure", async ({ bytes, want }) => {
    const cuts = Array.from({ length: 64 }, (_, length) => bytes.subarray(0, length));
    const kinds = await Promise.all(cuts.map(async (cut) => (await mediaOf(cut))?.kind ?? "none"));
    expect(kinds.filter((kind) => kind !== want.kind && kind !== "none" && kind !== "other")).toEqual([]);
  });

  it.each([
    { name: "nothing", bytes: new Uint8Array() },
    { name: "text", bytes: Buffer.from("hello world\n") },
    { name: "XML in Latin-1", bytes: head('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>') },
    { name: "a calendar", bytes: head("BEGIN:VCALENDAR\r\n") },
    { name: "rich text", bytes: head("{\\rtf1\\ansi") },
    { name: "a PNG that stops after its signature", bytes: Buffer.from(PNG.slice(0, 8), "latin1") },
    { name: "unknown bytes", bytes: Uint8Array.of(0xde, 0xad, 0xbe, 0xef, 0, 1, 2, 3) },
  ])("$name is not media", async ({ bytes }) => {
    expect(await mediaOf(bytes)).toBe(null);
  });
});

describe("media type by name", () => {
  it.each([
    ["app.ts", "text/x-typescript"],
    ["App.TSX", "text/x-typescript"],
    ["a.mts", "text/x-typescript"],
    ["main.rs", "text/x-rust"],
    ["main.go", "text/x-go"],
    ["main.py", "text/x-python"],
    ["Main.kt", "text/x-kotlin"],
    ["App.vue", "text/x-vue"],
    ["index.cjs", "text/javascript"],
    ["run.sh", "text/x-shellscript"],
    ["yarn.lock", "text/plain"],
    [".env", "text/plain"],
    ["build/Dockerfile", "text/x-dockerfile"],
    ["Makefile", "text/x-makefile"],
    ["a.jsx", "text/jsx"],
    ["Cargo.toml", "application/toml"],
    ["a.json", "application/json"],
    ["README.md", "text/markdown"],
    ["photo.JPG", "image/jpeg"],
    ["archive.tar.gz", "application/gzip"],
    ["icon.svg", "image/svg+xml"],
    ["v1.2/png", undefined],
    ["png", undefined],
    ["a.unknownthing", undefined],
    ["a.constructor", undefined],
    ["a.", undefined],
    ["", undefined],
  ])("%j is %s", async (name, want) => {
    expect(await mimeOf(name)).toBe(want);
  });
});

describe("binary in words", () => {
  it.each([
    { bytes: head("\x7fELF\x02\x01\x01"), size: 14_500, want: "ELF executable, 14 KiB" },
    { bytes: head("MZ\x90\0"), size: 3 * 1024 * 1024, want: "Windows executable, 3 MiB" },
    { bytes: head("SQLite format 3\0"), size: 4096, want: "SQLite database, 4 KiB" },
    { bytes: head("%PDF-1.7\n"), size: 1024, want: "PDF document, 1 KiB" },
    { bytes: head(ZIP), size: 1023, want: "application/zip, 1023 bytes" },
    { bytes: Uint8Array.of(0xde, 0xad, 0, 1), size: 4, want: "binary data, 4 bytes" },
    { bytes: new Uint8Array(), size: 0, want: "binary data, 0 bytes" },
  ])("$want", async ({ bytes, size, want }) => {
    expect(await describeBinary(bytes, size)).toBe(want);
  });
});
