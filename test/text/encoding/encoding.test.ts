import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encodingNamed, unitWidth, wholeCharacters } from "../../../src/text/encoding/encoding.ts";
import { bytesOf, latin1, utf16be, utf16le, utf8 } from "./encoded.ts";

describe("names of encodings", () => {
  it.each([
    ["utf-8", "utf-8"],
    ["UTF8", "utf-8"],
    [" Utf-8 ", "utf-8"],
    ["latin1", "windows-1252"],
    ["iso-8859-1", "windows-1252"],
    ["ascii", "windows-1252"],
    ["CP1252", "windows-1252"],
    ["iso-8859-9", "windows-1254"],
    ["sjis", "shift_jis"],
    ["Windows-31J", "shift_jis"],
    [" cp932 ", "shift_jis"],
    ["gb2312", "gbk"],
    ["cp936", "gbk"],
    ["cp949", "euc-kr"],
    ["cp950", "big5"],
    ["utf-16", "utf-16le"],
    ["utf16le", "utf-16le"],
    ["UTF16BE", "utf-16be"],
    ["cp866", "ibm866"],
  ])("%j is %s", (asked, label) => {
    expect(encodingNamed(asked)).toBe(label);
  });

  it.each(["", "klingon", "utf-7", "utf-32", "iso-2022-jp", "hz-gb-2312", "constructor", "__proto__"])(
    "%j is refused with examples",
    (asked) => {
      const message = `Cannot use encoding ${JSON.stringify(asked)}: not supported; try utf-8, utf-16le, windows-1252`;
      expect(() => encodingNamed(asked)).toThrow(
        expect.objectContaining({ code: "invalid_input", message: expect.stringContaining(message) }),
      );
    },
  );
});

describe("decoding", () => {
  it.each([
    { name: "the mark of UTF-8", label: "utf-8", hex: "efbbbf61", text: "\uFEFFa" },
    { name: "the mark of UTF-16", label: "utf-16le", hex: "fffe6100", text: "\uFEFFa" },
    { name: "the mark of big-endian UTF-16", label: "utf-16be", hex: "feff0061", text: "\uFEFFa" },
    { name: "what Latin-1 lacks", label: "windows-1252", hex: "8085929394969fff", text: "€…’“”–Ÿÿ" },
    {
      name: "bytes that Windows-1252 does not define",
      label: "windows-1252",
      hex: "818d8f909d",
      text: "\x81\x8d\x8f\x90\x9d",
    },
    {
      name: "half-width, kanji with an ASCII half, backslash",
      label: "shift_jis",
      hex: "b1955c835c945c87405c7e",
      text: "ｱ表ソ能①\\~",
    },
    { name: "one, two and three bytes", label: "euc-jp", hex: "8eb18fb0a1c9bd417e", text: "ｱ丂表A~" },
    { name: "one, two and four bytes", label: "gb18030", hex: "619534b23531a8a630d6d0", text: "a𠮷1é0中" },
    { name: "four bytes in GBK too", label: "gbk", hex: "619534b235d6d0", text: "a𠮷中" },
    {
      name: "controls as they are in Shift_JIS",
      label: "shift_jis",
      hex: "1a1c7f0ab10d1a",
      text: "\x1a\x1c\x7f\nｱ\r\x1a",
    },
    { name: "controls as they are in IBM866", label: "ibm866", hex: "1a1c7f0a8fe01a", text: "\x1a\x1c\x7f\nПр\x1a" },
  ])("keeps $name", ({ label, hex, text }) => {
    expect(decode(bytesOf(hex), label)).toBe(text);
  });

  it.each([
    { name: "a bad byte", label: "utf-8", hex: "61ff" },
    { name: "an overlong form", label: "utf-8", hex: "c0af" },
    { name: "a surrogate in UTF-8", label: "utf-8", hex: "eda080" },
    { name: "half a character", label: "utf-8", hex: "e697" },
    { name: "half a unit", label: "utf-16le", hex: "610062" },
    { name: "half a pair", label: "utf-16be", hex: "d83d0061" },
    { name: "a lead byte alone", label: "shift_jis", hex: "6183" },
    { name: "a byte that GBK lacks", label: "gbk", hex: "61ff" },
    { name: "Korean that the decoder does not know", label: "euc-kr", hex: "8c63b0a1" },
    { name: "a hole in the code page", label: "windows-1255", hex: "d9" },
  ])("refuses $name in $label", ({ label, hex }) => {
    expect(() => decode(bytesOf(hex), label)).toThrow(
      expect.objectContaining({ code: "not_text", details: { encoding: label } }),
    );
  });

  it("gives each byte of Windows-1252 a character of its own", () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    expect(new Set(decode(all, "windows-1252")).size).toBe(256);
  });

  it("looks only at its own part of a larger buffer", () => {
    expect(decode(latin1("abc\x80def").subarray(2, 5), "windows-1252")).toBe("c€d");
  });
});

describe("whole characters", () => {
  it.each([
    { label: "utf-8", hex: "", want: 0 },
    { label: "utf-8", hex: "6162", want: 2 },
    { label: "utf-8", hex: "61e697a5", want: 4 },
    { label: "utf-8", hex: "61e697", want: 1 },
    { label: "utf-8", hex: "f09f8e89", want: 4 },
    { label: "utf-8", hex: "f09f8e", want: 0 },
    { label: "utf-8", hex: "61808080", want: 4 },
    { label: "utf-8", hex: "61ff", want: 2 },
    { label: "utf-16le", hex: "610062", want: 2 },
    { label: "utf-16le", hex: "61003dd8", want: 2 },
    { label: "utf-16le", hex: "3dd889", want: 0 },
    { label: "utf-16le", hex: "3dd889dc", want: 4 },
    { label: "utf-16be", hex: "0061d83d", want: 2 },
    { label: "utf-16be", hex: "d83ddc89", want: 4 },
    { label: "shift_jis", hex: "835c", want: 2 },
    { label: "shift_jis", hex: "835c83", want: 2 },
    { label: "shift_jis", hex: "b1b1b1", want: 3 },
    { label: "shift_jis", hex: "8383830a8383", want: 6 },
    { label: "euc-jp", hex: "8fb0a18fb0", want: 3 },
    { label: "euc-jp", hex: "8eb18e", want: 2 },
    { label: "gb18030", hex: "9534b235", want: 4 },
    { label: "gb18030", hex: "619534b2", want: 1 },
    { label: "gbk", hex: "d6d09534", want: 2 },
    { label: "big5", hex: "a55ca5", want: 2 },
    { label: "euc-kr", hex: "b0a1b0", want: 2 },
    { label: "windows-1252", hex: "61e9", want: 2 },
    { label: "koi8-r", hex: "eec5", want: 2 },
  ])("of $hex in $label: $want bytes", ({ label, hex, want }) => {
    expect(wholeCharacters(bytesOf(hex), label)).toBe(want);
  });

  it.each([
    { label: "utf-8", encode: utf8 },
    { label: "utf-16le", encode: utf16le },
    { label: "utf-16be", encode: utf16be },
  ])("pages of $label joined give the text and the bytes back", ({ label, encode }) => {
    const anyText = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(anyText, fc.boolean(), fc.integer({ min: 4, max: 20 }), (body, marked, size) => {
        const text = (marked ? "\uFEFF" : "") + body;
        const bytes = encode(text);
        const pages = pagesOf(bytes, label, size);
        expect(pages.join("")).toBe(text);
        expect(Buffer.compare(encode(pages.join("")), bytes)).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["utf-16le", 2],
    ["utf-16be", 2],
    ["utf-8", 1],
    ["shift_jis", 1],
  ])("%s has units of %d", (label, width) => {
    expect(unitWidth(label)).toBe(width);
  });
});

function pagesOf(bytes: Uint8Array, label: string, size: number): string[] {
  const pages: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const page = bytes.subarray(at, at + size);
    const length = wholeCharacters(page, label);
    expect(length).toBeGreaterThan(0);
    pages.push(decode(page.subarray(0, length), label));
    at += length;
  }
  return pages;
}
