import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encode, firstUnencodable } from "../../../src/text/encoding/encode.ts";
import { decode } from "../../../src/text/encoding/encoding.ts";
import { workFromNow } from "../../work.ts";
import { bytesOf } from "./encoded.ts";

const SINGLE = [
  "ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10",
  "iso-8859-13 iso-8859-14 iso-8859-15 koi8-r koi8-u macintosh x-mac-cyrillic windows-874 windows-1250 windows-1251",
  "windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258",
].flatMap((labels) => labels.split(" "));
const WIDE = ["shift_jis", "euc-jp", "gb18030", "gbk", "big5", "euc-kr"];
const UNICODE = ["utf-8", "utf-16le", "utf-16be"];
const LABELS = [...UNICODE, ...SINGLE, ...WIDE];

const hexOf = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString("hex");

/** Encoded by another program. */
const KNOWN = [
  { label: "utf-8", text: "\uFEFFä🎉\n", hex: "efbbbfc3a4f09f8e890a" },
  { label: "utf-16le", text: "\uFEFFä🎉\n", hex: "fffee4003cd889df0a00" },
  { label: "utf-16be", text: "\uFEFFä🎉\n", hex: "feff00e4d83cdf89000a" },
  { label: "windows-1252", text: "“5 €” – naïve…", hex: "93352080942096206e61ef766585" },
  { label: "windows-1252", text: "\x81\x8d\x8f\x90\x9d\xa0ÿ", hex: "818d8f909da0ff" },
  { label: "windows-1250", text: "ścieżkę", hex: "9c636965bf6bea" },
  { label: "windows-1251", text: "Файл №5", hex: "d4e0e9eb20b935" },
  { label: "windows-1253", text: "Δεν ή", hex: "c4e5ed20de" },
  { label: "windows-1255", text: "לא", hex: "ece0" },
  { label: "windows-1256", text: "قراءة", hex: "ded1c7c1c9" },
  { label: "windows-874", text: "ไทย", hex: "e4b7c2" },
  { label: "iso-8859-2", text: "ścieżkę", hex: "b6636965bf6bea" },
  { label: "iso-8859-15", text: "5 € œuf", hex: "3520a420bd7566" },
  { label: "koi8-r", text: "Файл", hex: "e6c1cacc" },
  { label: "koi8-u", text: "їжак", hex: "a7d6c1cb" },
  { label: "ibm866", text: "Файл╬\x1a", hex: "94a0a9abce1a" },
  { label: "macintosh", text: "café Ω", hex: "6361668e20bd" },
  { label: "shift_jis", text: "表ソ能①ｱ\\~\x1a", hex: "955c835c945c8740b15c7e1a" },
  { label: "euc-jp", text: "設定ﾃｽﾄ丂\\~", hex: "c0dfc4ea8ec38ebd8ec48fb0a15c7e" },
  { label: "gb18030", text: "a𠮷é中㐀", hex: "619534b235a8a6d6d08139ee39" },
  { label: "gbk", text: "中文", hex: "d6d0cec4" },
  { label: "big5", text: "無法", hex: "b54caa6b" },
  { label: "euc-kr", text: "설정 파일", hex: "bcb3c1a420c6c4c0cf" },
];

/** Characters that an encoding has more than once: the form that other programs write. */
const TWICE = [
  { label: "shift_jis", text: "∪￢∵Ⅰ纊", hex: "81be81ca81e68754fa5c" },
  { label: "euc-jp", text: "～∪纊", hex: "a1c1a2c0f9a1" },
  { label: "big5", text: "═十卅╭", hex: "f9f9a451a4caa27e" },
  { label: "gb18030", text: "\u3000€", hex: "a1a1a2e3" },
  { label: "gbk", text: "€", hex: "80" },
];

describe("encoding", () => {
  it.each([...KNOWN, ...TWICE])("$text in $label", ({ label, text, hex }) => {
    expect(hexOf(encode(text, label))).toBe(hex);
    expect(firstUnencodable(text, label)).toBe(null);
  });

  it.each(LABELS)("nothing in %s", (label) => {
    expect(encode("", label)).toEqual(Buffer.alloc(0));
  });

  it.each([...SINGLE, ...WIDE, "utf-8"])("ASCII in %s, as it is", (label) => {
    const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)).join("");
    expect(hexOf(encode(ascii, label))).toBe(Buffer.from(ascii).toString("hex"));
  });
});

describe("what cannot be said", () => {
  it.each([
    { label: "windows-1252", text: "a\nb\r\n日", character: "日", line: 3 },
    { label: "windows-1252", text: "\x80", character: "\x80", line: 1 },
    { label: "windows-1252", text: "e\u0301", character: "\u0301", line: 1 },
    { label: "koi8-r", text: "Grün", character: "ü", line: 1 },
    { label: "iso-8859-2", text: "5 €", character: "€", line: 1 },
    { label: "shift_jis", text: "表\n🎉\n🎉", character: "🎉", line: 2 },
    { label: "shift_jis", text: "\xa5", character: "\xa5", line: 1 },
    { label: "euc-jp", text: "\xa2", character: "\xa2", line: 1 },
    { label: "gbk", text: "中𠮷", character: "𠮷", line: 1 },
    { label: "gb18030", text: "\x80", character: "\x80", line: 1 },
    { label: "gb18030", text: "\uDC89", character: "\uDC89", line: 1 },
    { label: "big5", text: "无", character: "无", line: 1 },
    { label: "euc-kr", text: "갂", character: "갂", line: 1 },
    { label: "utf-8", text: "a\n🎉\uD83D", character: "\uD83D", line: 2 },
    { label: "utf-16le", text: "\uDC89\uD83D", character: "\uDC89", line: 1 },
    { label: "utf-16be", text: "\n\n\uD83Da", character: "\uD83D", line: 3 },
  ])("$label has no $character", ({ label, text, character, line }) => {
    expect(encode(text, label)).toBe(null);
    expect(firstUnencodable(text, label)).toEqual({ character, line });
  });
});

const decoded = (bytes: Uint8Array, label: string): string | null => {
  try {
    return decode(bytes, label);
  } catch {
    return null;
  }
};

const allBytes = Array.from({ length: 0x100 }, (_, byte) => byte);

/** Every sequence of one or two bytes that means something, and some longer ones. */
function sequencesOf(label: string): readonly Uint8Array[] {
  const ones = allBytes.map((byte) => Uint8Array.of(byte));
  const twos = WIDE.includes(label)
    ? allBytes.flatMap((lead) => TRAILS.map((trail) => Uint8Array.of(lead | 0x80, trail)))
    : [];
  const longer = ["8fb0a1", "8fedf3", "81308534", "8431a439", "90308130", "e3329a35", "9534b235"].map(bytesOf);
  return [...ones, ...twos, ...longer].filter((bytes) => decoded(bytes, label) !== null);
}

const TRAILS = [0x40, 0x5c, 0x7e, 0x80, 0xa1, 0xb5, 0xd0, 0xe0, 0xfc, 0xfe];

describe("there and back", () => {
  it.each(SINGLE)("every byte of %s that means something", (label) => {
    const meaningful = allBytes.filter((byte) => decoded(Uint8Array.of(byte), label) !== null);
    const text = decode(Uint8Array.from(meaningful), label);
    expect(Array.from(encode(text, label) ?? [])).toEqual(meaningful);
  });

  it.each(WIDE)("every text of %s: the same bytes, or others that mean exactly the same", (label) => {
    const sequences = sequencesOf(label);
    expect(sequences.length).toBeGreaterThan(500);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...sequences), { maxLength: 20 }), (parts) => {
        const bytes = Buffer.concat(parts);
        const text = decode(bytes, label);
        const back = encode(text, label);
        const expected = Buffer.concat(parts.map((part) => encode(decode(part, label), label) ?? UNWRITABLE));
        expect(back === null).toBe(expected.includes(UNWRITABLE));
        expect(back === null ? null : decode(back, label)).toBe(back === null ? null : text);
        expect(hexOf(back)).toBe(back === null ? null : hexOf(expected));
      }),
      { numRuns: 300 },
    );
  });

  it.each(LABELS)("any text in %s: exact, or refused with its first character", (label) => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 8 }), fc.array(fc.nat(0xffff)), (text, units) => {
        for (const given of [text, String.fromCharCode(...units)]) {
          const bytes = encode(given, label);
          expect(bytes && decode(bytes, label)).toBe(bytes && given);
          expect(firstUnencodable(given, label) === null).toBe(bytes !== null);
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each(UNICODE)("any bytes that %s accepts", (label) => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.uint8Array(), (text, noise) => {
        for (const bytes of [encode(text, label) ?? new Uint8Array(0), noise]) {
          const read = decoded(bytes, label);
          expect(read === null ? null : hexOf(encode(read, label))).toBe(read === null ? null : hexOf(bytes));
        }
      }),
    );
  });

  it("knows every character of Unicode that GB18030 decodes, but the sign for damage", () => {
    const codes = Array.from({ length: 0x110000 }, (_, code) => code);
    const known = codes.filter((code) => code > 0x9f && (code < 0xd800 || code > 0xdfff));
    const missing = known.filter((code) => firstUnencodable(String.fromCodePoint(code), "gb18030") !== null);
    expect(missing.filter((code) => code < 0xe000 || code > 0xf8ff)).toEqual([0xfffd]);
  });
});

/** Stands for a sequence that `decode` reads and `encode` will not write. */
const UNWRITABLE = Buffer.from([0xff, 0xff, 0xff]);

describe("time", () => {
  it.each(["windows-1252", "gb18030"])("of 1 MB in %s is short", (label) => {
    const text = "a line of the usual length\n".repeat(40_000);
    const spent = workFromNow();
    expect(encode(text, label)?.length).toBe(text.length);
    expect(spent()).toBeLessThan(2000);
  });
});
