import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { detectEncoding, quickEncoding } from "../../../src/text/encoding/detect.ts";
import { decode, wholeCharacters } from "../../../src/text/encoding/encoding.ts";
import { bytesOf, latin1, utf16be, utf16le, utf8 } from "./encoded.ts";

const utf8Hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");

const UTF8 = { label: "utf-8", bomBytes: 0 };
const UTF16LE = { label: "utf-16le", bomBytes: 0 };
const UTF16BE = { label: "utf-16be", bomBytes: 0 };

const QUICK = [
  { name: "an empty file", bytes: utf8(""), want: UTF8 },
  { name: "ASCII", bytes: utf8("hello\r\n\tworld\n"), want: UTF8 },
  { name: "UTF-8", bytes: utf8("naïve, 日本語, 🎉\n"), want: UTF8 },
  { name: "UTF-8 with a mark", bytes: utf8("\uFEFFhello"), want: { label: "utf-8", bomBytes: 3 } },
  { name: "a UTF-8 mark alone", bytes: utf8("\uFEFF"), want: { label: "utf-8", bomBytes: 3 } },
  { name: "UTF-16 with a mark", bytes: utf16le("\uFEFFhello"), want: { label: "utf-16le", bomBytes: 2 } },
  { name: "big-endian UTF-16 with a mark", bytes: utf16be("\uFEFF日本"), want: { label: "utf-16be", bomBytes: 2 } },
  { name: "a UTF-16 mark alone", bytes: utf16le("\uFEFF"), want: { label: "utf-16le", bomBytes: 2 } },
  { name: "UTF-16 without a mark", bytes: utf16le("hello\r\nworld\r\n"), want: UTF16LE },
  { name: "big-endian UTF-16 without a mark", bytes: utf16be("hello\r\nworld\r\n"), want: UTF16BE },
  { name: "Russian UTF-16 without a mark", bytes: utf16le("Привет, мир! Как дела?\n"), want: UTF16LE },
  { name: "Japanese UTF-16 without a mark", bytes: utf16be("id: 日本語テスト\n"), want: UTF16BE },
  { name: "colours for a terminal", bytes: utf8("\x1b[31mred\x1b[0m\n"), want: UTF8 },
  { name: "a form feed and backspaces", bytes: utf8("_\bx\f_\by\n"), want: UTF8 },
  { name: "a text of DOS with its ^Z", bytes: utf8("REM\r\n\x1a"), want: UTF8 },
  { name: "one control in ten bytes", bytes: utf8("\x01012345678"), want: UTF8 },
  { name: "two controls in ten bytes", bytes: utf8("\x01\x0201234567"), want: null },
  { name: "controls only behind the start", bytes: utf8("x".repeat(4096) + "\x01".repeat(9000)), want: UTF8 },
  { name: "a NUL in ASCII", bytes: utf8("hello\0world"), want: null },
  { name: "NUL-separated names, NULs on one side", bytes: utf8("hello\0world\0"), want: null },
  { name: "NULs on both sides", bytes: utf16le("ab一cd一ef一"), want: null },
  { name: "one NUL, which proves nothing", bytes: utf16le("語句".repeat(40) + "\n"), want: null },
  { name: "letters among numbers", bytes: bytesOf("41000100420002004300030044004500"), want: null },
  { name: "one NUL byte", bytes: Uint8Array.of(0), want: null },
  { name: "one character and a NUL", bytes: utf8("A\0"), want: null },
  { name: "zeroes", bytes: new Uint8Array(512), want: null },
  { name: "UTF-32 with a mark", bytes: bytesOf("fffe00004100000042000000"), want: null },
  { name: "16-bit numbers", bytes: bytesOf("0100020003000400050006000700"), want: null },
  { name: "an odd number of UTF-16 bytes", bytes: bytesOf("fffe410042"), want: null },
  { name: "half a surrogate pair", bytes: bytesOf("fffe41003dd8"), want: null },
  { name: "PNG", bytes: bytesOf("89504e470d0a1a0a0000000d49484452000000010000"), want: null },
  { name: "Latin-1", bytes: latin1("caf\xe9\n"), want: undefined },
  { name: "UTF-8 that ends inside a character", bytes: bytesOf("61e697"), want: undefined },
];

describe("the quick look", () => {
  it.each(QUICK)("$name", ({ bytes, want }) => {
    expect(quickEncoding(bytes, true)).toEqual(want);
  });

  it.each(QUICK.filter(({ want }) => want !== undefined))("$name, for the long look too", async ({ bytes, want }) => {
    expect(await detectEncoding(bytes, true)).toEqual(want);
  });

  it.each([
    { name: "one of two bytes", bytes: bytesOf("61c3"), want: UTF8 },
    { name: "two of three bytes", bytes: bytesOf("61e697"), want: UTF8 },
    { name: "three of four bytes", bytes: bytesOf("61f09f8e"), want: UTF8 },
    { name: "nothing but a lead byte", bytes: bytesOf("f0"), want: UTF8 },
    { name: "a byte that leads nothing", bytes: bytesOf("61ff"), want: undefined },
    { name: "a bad byte before the end", bytes: bytesOf("61ff61c3"), want: undefined },
    { name: "half a unit", bytes: bytesOf("fffe410042"), want: { label: "utf-16le", bomBytes: 2 } },
    { name: "half a pair", bytes: bytesOf("feff0041d83d"), want: { label: "utf-16be", bomBytes: 2 } },
    { name: "half a unit without a mark", bytes: utf16le("hello world").subarray(0, 21), want: UTF16LE },
  ])("a sample cut after $name", ({ bytes, want }) => {
    expect(quickEncoding(bytes, false)).toEqual(want);
  });

  it("takes 64 KiB cut anywhere inside a character for UTF-8", () => {
    const text = utf8("x" + "日本語🎉é".repeat(5000));
    const cuts = Array.from({ length: 16 }, (_, index) => 65_536 + index);
    expect(cuts.map((cut) => quickEncoding(text.subarray(0, cut), false))).toEqual(cuts.map(() => UTF8));
  });
});

/** Encoded by another program. */
const LEGACY = [
  {
    label: "shift_jis",
    text: "設定ファイルを読み込めませんでした。もう一度お試しください。\n",
    hex: "90dd92e8837483408343838b82f093c782dd8d9e82df82dc82b982f182c582b582bd814282e082a488ea937882a88e8e82b582ad82be82b382a281420a",
  },
  {
    label: "euc-jp",
    text: "設定ファイルを読み込めませんでした。もう一度お試しください。\n",
    hex: "c0dfc4eaa5d5a5a1a5a4a5eba4f2c6c9a4dfb9fea4e1a4dea4bba4f3a4c7a4b7a4bfa1a3a4e2a4a6b0ecc5d9a4aabbeea4b7a4afa4c0a4b5a4a4a1a30a",
  },
  {
    label: "gb18030",
    text: "无法读取配置文件，请检查路径是否正确，然后再试一次。\n",
    hex: "cedeb7a8b6c1c8a1c5e4d6c3cec4bcfea3acc7ebbcecb2e9c2b7beb6cac7b7f1d5fdc8b7a3acc8bbbaf3d4d9cad4d2bbb4cea1a30a",
  },
  {
    label: "big5",
    text: "無法讀取設定檔案，請檢查路徑是否正確，然後再試一次。\n",
    hex: "b54caa6bc5aaa8fab35da977c0c9aed7a141bdd0c0cbac64b8f4ae7cac4fa75fa5bfbd54a141b54dabe1a641b8d5a440a6b8a1430a",
  },
  {
    label: "euc-kr",
    text: "설정 파일을 읽을 수 없습니다. 경로를 확인하고 다시 시도하십시오.\n",
    hex: "bcb3c1a420c6c4c0cfc0bb20c0d0c0bb20bcf620bef8bdc0b4cfb4d92e20b0e6b7ceb8a620c8aec0cec7cfb0ed20b4d9bdc320bdc3b5b5c7cfbdcabdc3bfc02e0a",
  },
  {
    label: "windows-1251",
    text: "Не удалось прочитать файл настроек, проверьте путь.\n",
    hex: "cde520f3e4e0ebeef1fc20eff0eef7e8f2e0f2fc20f4e0e9eb20ede0f1f2f0eee5ea2c20eff0eee2e5f0fcf2e520eff3f2fc2e0a",
  },
  {
    label: "koi8-r",
    text: "Не удалось прочитать файл настроек, проверьте путь.\n",
    hex: "eec520d5c4c1cccfd3d820d0d2cfdec9d4c1d4d820c6c1cacc20cec1d3d4d2cfc5cb2c20d0d2cfd7c5d2d8d4c520d0d5d4d82e0a",
  },
  {
    label: "iso-8859-5",
    text: "Не удалось прочитать файл настроек, проверьте путь.\n",
    hex: "bdd520e3d4d0dbdee1ec20dfe0dee7d8e2d0e2ec20e4d0d9db20ddd0e1e2e0ded5da2c20dfe0ded2d5e0ece2d520dfe3e2ec2e0a",
  },
  {
    label: "iso-8859-7",
    text: "Δεν ήταν δυνατή η ανάγνωση του αρχείου.\n",
    hex: "c4e5ed20def4e1ed20e4f5ede1f4de20e720e1eddce3edf9f3e720f4eff520e1f1f7e5dfeff52e0a",
  },
  {
    label: "windows-1255",
    text: "לא ניתן לקרוא את קובץ ההגדרות, בדוק את הנתיב.\n",
    hex: "ece020f0e9faef20ecf7f8e5e020e0fa20f7e5e1f520e4e4e2e3f8e5fa2c20e1e3e5f720e0fa20e4f0fae9e12e0a",
  },
  {
    label: "windows-1256",
    text: "تعذر قراءة ملف الإعدادات، تحقق من المسار\n",
    hex: "cadad0d120ded1c7c1c920e3e1dd20c7e1c5dacfc7cfc7caa120cacddede20e3e420c7e1e3d3c7d10a",
  },
  {
    label: "windows-1250",
    text: "Sprawdź ścieżkę: nie można odczytać ustawień, proszę.\n",
    hex: "5370726177649f209c636965bf6bea3a206e6965206d6fbf6e61206f64637a797461e62075737461776965f12c2070726f737aea2e0a",
  },
  {
    label: "iso-8859-2",
    text: "Sprawdź ścieżkę: nie można odczytać ustawień, proszę.\n",
    hex: "537072617764bc20b6636965bf6bea3a206e6965206d6fbf6e61206f64637a797461e62075737461776965f12c2070726f737aea2e0a",
  },
  {
    label: "windows-1254",
    text: "Ayar dosyası okunamadı, lütfen yolu denetleyip işlemi yeniden başlatın, teşekkürler.\n",
    hex: "4179617220646f73796173fd206f6b756e616d6164fd2c206cfc7466656e20796f6c752064656e65746c657969702069fe6c656d692079656e6964656e206261fe6c6174fd6e2c207465fe656b6bfc726c65722e0a",
  },
  {
    label: "windows-1252",
    text: "“Größe” – 10 µm für 5 €, naïve façade…\n",
    hex: "934772f6df6594209620313020b56d2066fc72203520802c206e61ef7665206661e7616465850a",
  },
];

describe("legacy text", () => {
  it.each(LEGACY)("is recognised as $label", async ({ label, hex }) => {
    expect(await detectEncoding(bytesOf(hex), true)).toEqual({ label, bomBytes: 0 });
  });

  it.each(LEGACY)("decodes from $label", ({ label, text, hex }) => {
    expect(decode(bytesOf(hex), label)).toBe(text);
  });

  it.each(LEGACY)("in $label can be cut anywhere", ({ label, text, hex }) => {
    const bytes = bytesOf(hex);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const length = wholeCharacters(bytes.subarray(0, cut), label);
      expect(cut - length).toBeLessThan(2);
      expect(decode(bytes.subarray(0, length), label) + decode(bytes.subarray(length), label)).toBe(text);
    }
  });

  it.each(LEGACY)("in $label is recognised when it is cut and among English lines", async ({ label, hex }) => {
    const english = utf8("if (the.file === undefined) return the.next(); // and so on\n".repeat(3));
    const bytes = Buffer.concat([english, bytesOf(hex), english, bytesOf(hex).subarray(0, -2)]);
    expect(await detectEncoding(bytes, false)).toEqual({ label, bomBytes: 0 });
  });

  it.each([
    "caf\xe9 na\xefve\n",
    "Gr\xf6\xdfe: 10 \xb5m\n",
    "\xe9\n",
    "\xc4\xd6\xdc\xe4\xf6\xfc\xdf\n",
    "M\xe4\xe4r\xe4\xe4 y\xf6h\xf6n\n",
    "\xa9 2024 Acme\n",
    "25 \xb0C \xb1 1\n",
    "\xabBonjour\xbb, \xe7a va?\n",
    "El ni\xf1o comi\xf3 en Espa\xf1a\n",
    "S\xe3o Paulo, n\xe3o \xe9?\n",
    "bl\xe5b\xe6rsyltet\xf8y\n",
    "\x93Hi\x94 \x96 it\x92s \x805\n",
    "r\xe9sum\xe9\r\n\x1a",
    "tipo \xe8\n",
  ])("%j is western, however short", async (text) => {
    expect(await detectEncoding(latin1(text), true)).toEqual({ label: "windows-1252", bomBytes: 0 });
  });

  it.each([
    { name: "Chinese UTF-8 with a bad byte", hex: utf8Hex("无法读取配置文件，请检查路径是否正确\n") + "ff" },
    { name: "Greek UTF-8 with half a character", hex: "ce" + utf8Hex("Δεν ήταν δυνατή η ανάγνωση του αρχείου.\n") },
    { name: "Shift_JIS with a bad byte", hex: `${LEGACY[0]?.hex}fd0a` },
  ])("that is damaged stays readable byte for byte: $name", async ({ hex }) => {
    expect(await detectEncoding(bytesOf(hex), true)).toEqual({ label: "windows-1252", bomBytes: 0 });
  });
});

describe("binary without a NUL", () => {
  it.each([
    { name: "PDF", bytes: latin1("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n") },
    { name: "gzip", bytes: latin1("\x1f\x8b\x08\x08abcdefgh\xe9\xe8ijklmnopqrstuvwxyz0123456789") },
    { name: "Zstandard", bytes: latin1("(\xb5/\xfd$abcdefghijklmnopqrstuvwxyz") },
    { name: "bzip2", bytes: latin1("BZh91AY&SY\xe9\xe8abcdefghijklmnop") },
    { name: "few controls among few letters", bytes: latin1("caf\xe9 \x01 abcdef") },
    { name: "controls among high bytes", bytes: bytesOf("e9b101d7029af0037fc81e9ff3c41d86") },
  ])("$name", async ({ bytes }) => {
    expect(await detectEncoding(bytes, true)).toBe(null);
  });
});
