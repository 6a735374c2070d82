import { expect, it } from "vitest";
import { type DoneRow, edited } from "./row.ts";

const LOOK_ALIKES: readonly DoneRow[] = [
  { name: "curly double quotes", text: "x = “hi”;\n", old: 'x = "hi";', new: "x = 1;", want: "x = 1;\n" },
  {
    name: "quotes the edit does not touch",
    text: "say “hi” now",
    old: 'say "hi" now',
    new: 'say "hi" then',
    want: "say “hi” then",
  },
  { name: "quotes around the change", text: "“hi”", old: '"hi"', new: '"bye"', want: "“bye”" },
  { name: "curly apostrophe", text: "don’t stop", old: "don't stop", new: "don't go", want: "don’t go" },
  { name: "straight for curly", text: "don't stop", old: "don’t stop", new: "do stop", want: "do stop" },
  { name: "full-width forms", text: "ｉｆ（ａ）｛ b", old: "if(a){ b", new: "if(a){ c", want: "ｉｆ（ａ）｛ c" },
  { name: "straight for full width", text: "f(x), y", old: "f（x）， y", new: "g(x)", want: "g(x)" },
  { name: "an ellipsis", text: "wait… now", old: "wait... now", new: "wait... then", want: "wait... then" },
  { name: "dots for an ellipsis", text: "wait... now", old: "wait… now", new: "go", want: "go" },
  { name: "a zero-width space", text: "long\u200Bword x", old: "longword x", new: "y", want: "y" },
  { name: "a word joiner that is not there", text: "a b", old: "a\u2060 b", new: "c", want: "c" },
  { name: "em dash", text: "a — b", old: "a - b", new: "a - c", want: "a — c" },
  { name: "minus sign", text: "x = −1", old: "x = -1", new: "x = -2", want: "x = −2" },
  { name: "non-breaking hyphen", text: "e\u2011mail", old: "e-mail", new: "mail", want: "mail" },
  { name: "no-break space", text: "a\u00A0b c", old: "a b", new: "a d", want: "a\u00A0d c" },
  { name: "narrow no-break space", text: "9\u202FAM", old: "9 AM", new: "9 PM", want: "9\u202FPM" },
  { name: "ideographic space", text: "日\u3000本", old: "日 本", new: "日 中", want: "日\u3000中" },
  {
    name: "NFC finds NFD",
    text: "un cafe\u0301 noir",
    old: "caf\u00E9 noir",
    new: "th\u00E9 noir",
    want: "un the\u0301 noir",
  },
  { name: "NFD finds NFC", text: "un caf\u00E9 noir", old: "cafe\u0301 noir", new: "lait", want: "un lait" },
  {
    name: "accents the edit does not touch",
    text: "cafe\u0301 a",
    old: "caf\u00E9 a",
    new: "caf\u00E9 b",
    want: "cafe\u0301 b",
  },
  {
    name: "Hangul in parts",
    text: "\u1112\u1161\u11AB글 x",
    old: "한글 x",
    new: "한글 y",
    want: "\u1112\u1161\u11AB글 y",
  },
  { name: "the Angstrom sign", text: "5 \u212B", old: "5 \u00C5", new: "6 \u00C5", want: "6 \u212B" },
  { name: "trailing no-break space", text: "a\u00A0\nb", old: "a\nb", new: "a\nc", want: "a\u00A0\nc" },
  {
    name: "lines the edit keeps",
    text: "“a”\n“b”\n“c”\n",
    old: '"a"\n"b"\n"c"\n',
    new: '"a"\n"x"\n"c"\n',
    want: "“a”\n“x”\n“c”\n",
  },
  { name: "the rest of the file", text: "’’’\nit’s\n“”—\n", old: "it's", new: "is", want: "’’’\nis\n“”—\n" },
  {
    name: "indentation as well",
    text: "  say “a”\n  b\n",
    old: 'say "a"\nb\n',
    new: 'say "a"\nc\n',
    want: "  say “a”\n  c\n",
  },
  { name: "CRLF as well", text: "“a”\r\nb\r\n", old: '"a"\nb', new: '"a"\nc', want: "“a”\r\nc\r\n" },
  { name: "an emoji with its selector", text: "’❤\uFE0F’", old: "'❤\uFE0F'", new: "'x'", want: "’x’" },
];

it.each(LOOK_ALIKES)("look-alikes: $name", (row) => {
  expect(edited(row)).toEqual({ text: row.want, tier: "look_alikes" });
});
