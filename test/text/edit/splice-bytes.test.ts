import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { decode } from "../../../src/text/encoding/encoding.ts";
import { planEdits } from "../../../src/text/edit/edit.ts";
import { applySplices } from "../../../src/text/edit/splice.ts";
import { spliceBytes } from "../../../src/text/edit/splice-bytes.ts";
import { faultOf } from "../fault-of.ts";
import { runAtOnce } from "../run-at-once.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const bytesOf = (given: string): Uint8Array => Buffer.from(given.replaceAll(" ", ""), "hex");

function edited(bytes: Uint8Array, label: string, oldText: string, newText: string): string {
  const text = decode(bytes, label);
  const { splices } = runAtOnce(planEdits(text, [{ oldText, newText }]));
  return hex(runAtOnce(spliceBytes(bytes, label, text, splices)));
}

const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");

const ROWS = [
  { name: "UTF-8", label: "utf-8", bytes: Buffer.from("ä 🎉 b"), old: "b", new: "ö", want: hex(Buffer.from("ä 🎉 ö")) },
  { name: "a marked file", label: "utf-8", bytes: Buffer.from("\uFEFFa"), old: "a", new: "b", want: "efbbbf62" },
  {
    name: "UTF-16",
    label: "utf-16le",
    bytes: utf16("\uFEFFä🎉b"),
    old: "b",
    new: "🎈",
    want: hex(utf16("\uFEFFä🎉🎈")),
  },
  {
    name: "big-endian UTF-16",
    label: "utf-16be",
    bytes: utf16("a日b").swap16(),
    old: "b",
    new: "本",
    want: "006165e5672c",
  },
  {
    name: "UTF-16 with CRLF",
    label: "utf-16le",
    bytes: utf16("a\r\nb"),
    old: "a\nb",
    new: "a\nc",
    want: hex(utf16("a\r\nc")),
  },
  {
    name: "Latin-1 outside",
    label: "windows-1252",
    bytes: bytesOf("e9 20 61 20 e9"),
    old: "a",
    new: "b",
    want: "e9206220e9",
  },
  { name: "Latin-1 inside", label: "windows-1252", bytes: bytesOf("61 e9"), old: "é", new: "€–ß", want: "618096df" },
  { name: "an unassigned byte", label: "windows-1252", bytes: bytesOf("81 61"), old: "a", new: "b", want: "8162" },
  { name: "Cyrillic", label: "koi8-r", bytes: bytesOf("d0 c1 20 61"), old: "a", new: "Я", want: "d0c120f1" },
  {
    name: "Shift_JIS",
    label: "shift_jis",
    bytes: bytesOf("93 fa 61 96 7b"),
    old: "a",
    new: "語",
    want: "93fa8cea967b",
  },
  {
    name: "a character written in two ways",
    label: "shift_jis",
    bytes: bytesOf("87 90 61 ee fc"),
    old: "a",
    new: "b",
    want: "879062eefc",
  },
  {
    name: "the same, inside the match",
    label: "shift_jis",
    bytes: bytesOf("87 90 61 62"),
    old: "≒ab",
    new: "≒ac",
    want: "87906163",
  },
] as const;

it.each(ROWS)("edits only its own bytes: $name", ({ label, bytes, old, new: newText, want }) => {
  expect(edited(bytes, label, old, newText)).toBe(want);
});

const REFUSED = [
  {
    name: "an emoji in Latin-1",
    label: "windows-1252",
    bytes: bytesOf("61 0a 62"),
    old: "b",
    new: "x\n🎉",
    says: 'Cannot write "🎉" (U+1F389) in line 3: windows-1252 does not have it',
  },
  {
    name: "a euro in ISO-8859-2",
    label: "iso-8859-2",
    bytes: bytesOf("61"),
    old: "a",
    new: "€",
    says: '"€" (U+20AC) in line 1',
  },
  { name: "Cyrillic it has not", label: "koi8-r", bytes: bytesOf("61"), old: "a", new: "é", says: "(U+00E9)" },
  {
    name: "an emoji in Shift_JIS",
    label: "shift_jis",
    bytes: bytesOf("93 fa 61"),
    old: "a",
    new: "b🎉",
    says: "(U+1F389) in line 1",
  },
  { name: "half a pair in UTF-8", label: "utf-8", bytes: bytesOf("61"), old: "a", new: "\uD83D", says: "(U+D83D)" },
  { name: "half a pair in UTF-16", label: "utf-16le", bytes: utf16("a"), old: "a", new: "x\uDC00", says: "(U+DC00)" },
] as const;

it.each(REFUSED)("refuses $name", ({ label, bytes, old, new: newText, says }) => {
  const fault = faultOf(() => edited(bytes, label, old, newText));
  expect(fault.message).toContain(says);
  expect(fault.code).toBe("cannot_encode");
});

it("refuses a text that belongs to other bytes", () => {
  const splices = [{ start: 0, end: 1, text: "b", tier: "exact" }] as const;
  expect(faultOf(() => runAtOnce(spliceBytes(bytesOf("61 c3 a4"), "windows-1252", "aä", splices))).code).toBe("io");
});

const ALPHABETS = [
  { label: "utf-8", alphabet: ["a", "\n", "ä", "日", "🎉"] },
  { label: "utf-16le", alphabet: ["a", "\n", "ä", "日", "🎉"] },
  { label: "utf-16be", alphabet: ["a", "\n", "ä", "日", "🎉"] },
  { label: "windows-1252", alphabet: ["a", "\n", "ä", "€", "\x81"] },
  { label: "shift_jis", alphabet: ["a", "\n", "日", "ｱ", "表"] },
];

it.each(ALPHABETS)("decodes to the edited text in $label", ({ label, alphabet }) => {
  const characters = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 30 });
  const empty = new Uint8Array();
  const bytesFor = (text: string): Uint8Array =>
    runAtOnce(spliceBytes(empty, label, "", [{ start: 0, end: 0, text, tier: "exact" }]));
  fc.assert(
    fc.property(characters, characters, characters, characters, characters, (a, b, c, x, y) => {
      const text = a + b + c + b;
      const splices = [
        { start: a.length, end: a.length + b.length, text: x, tier: "exact" },
        { start: text.length - b.length, end: text.length, text: y, tier: "exact" },
      ] as const;
      const bytes = runAtOnce(spliceBytes(bytesFor(text), label, text, splices));
      expect(decode(bytes, label)).toBe(applySplices(text, splices));
    }),
  );
});

it("finds offsets in a long text of two-byte characters", () => {
  const text = "日a本\n".repeat(50_000);
  const bytes = Buffer.concat(Array.from({ length: 50_000 }, () => bytesOf("93fa 61 967b 0a")));
  const at = 4 * 31_234 + 1;
  const splices = [{ start: at, end: at + 1, text: "語", tier: "exact" }] as const;
  const want = Buffer.concat([bytes.subarray(0, 6 * 31_234 + 2), bytesOf("8cea"), bytes.subarray(6 * 31_234 + 3)]);
  expect(hex(runAtOnce(spliceBytes(bytes, "shift_jis", text, splices)))).toBe(hex(want));
});
