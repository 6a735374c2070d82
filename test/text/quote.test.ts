import { expect, it } from "vitest";
import { quoted, visible } from "../../src/text/quote.ts";

it.each([
  "a.txt",
  ".gitignore",
  "with space inside.txt",
  "it's (1) [2] {3} $HOME *?.md",
  "größe.txt",
  "日本語.txt",
  "Привет.txt",
  "שלום.txt",
  "cafe\u0301.txt",
  "🎉.png",
  "❤\uFE0F.png",
  "<script>.html",
  "dir/file",
  "\uFFFD.txt",
])("%j is shown as it is", (name) => {
  expect(quoted(name)).toBe(name);
});

it.each([
  { name: "the empty name", given: "", want: '""' },
  { name: "a newline that forges a line", given: "a.txt\nfile b.txt", want: '"a.txt\\nfile b.txt"' },
  { name: "a carriage return that overwrites", given: "evil\rgood", want: '"evil\\rgood"' },
  { name: "a tab that forges a column", given: "a\t12", want: '"a\\t12"' },
  { name: "a terminal escape", given: "\x1b[2Jgone", want: '"\\u{1b}[2Jgone"' },
  { name: "an eight-bit terminal escape", given: "\x9b2J", want: '"\\u{9b}2J"' },
  { name: "NUL and DEL", given: "a\0b\x7f", want: '"a\\u{0}b\\u{7f}"' },
  { name: "a next-line control", given: "a\x85b", want: '"a\\u{85}b"' },
  { name: "a line separator", given: "a\u2028b", want: '"a\\u{2028}b"' },
  { name: "a paragraph separator", given: "a\u2029b", want: '"a\\u{2029}b"' },
  { name: "a right-to-left override", given: "photo\u202Egpj.exe", want: '"photo\\u{202e}gpj.exe"' },
  { name: "a bidi isolate", given: "a\u2066b\u2069", want: '"a\\u{2066}b\\u{2069}"' },
  { name: "a right-to-left mark", given: "a\u200Fb", want: '"a\\u{200f}b"' },
  { name: "a zero-width space", given: "pass\u200Bwd", want: '"pass\\u{200b}wd"' },
  { name: "a zero-width joiner", given: "a\u200Db", want: '"a\\u{200d}b"' },
  { name: "a byte-order mark", given: "\uFEFFa", want: '"\\u{feff}a"' },
  { name: "a soft hyphen", given: "a\u00ADb", want: '"a\\u{ad}b"' },
  { name: "a grapheme joiner", given: "a\u034Fb", want: '"a\\u{34f}b"' },
  { name: "a word joiner", given: "a\u2060b", want: '"a\\u{2060}b"' },
  { name: "Hangul fillers", given: "\u115F\u1160\u3164\uFFA0", want: '"\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}"' },
  { name: "a blank Braille pattern", given: "\u2800", want: '"\\u{2800}"' },
  { name: "a no-break space", given: "a\u00A0b", want: '"a\\u{a0}b"' },
  { name: "the narrow space of a screenshot", given: "at 9.41\u202FAM.png", want: '"at 9.41\\u{202f}AM.png"' },
  { name: "an ideographic space", given: "a\u3000b", want: '"a\\u{3000}b"' },
  { name: "hidden tag characters", given: "a\u{E0041}b", want: '"a\\u{e0041}b"' },
  { name: "hidden variation selectors", given: "a\u{E0101}\uFE00", want: '"a\\u{e0101}\\u{fe00}"' },
  { name: "a variation selector on a letter", given: "a\uFE0F", want: '"a\\u{fe0f}"' },
  { name: "a second variation selector", given: "❤\uFE0F\uFE0F", want: '"❤\uFE0F\\u{fe0f}"' },
  { name: "a lone high surrogate", given: "a\uD83D", want: '"a\\u{d83d}"' },
  { name: "a lone low surrogate", given: "\uDC89a", want: '"\\u{dc89}a"' },
  { name: "a private character", given: "\uF8FF", want: '"\\u{f8ff}"' },
  { name: "a trailing space", given: "a.txt ", want: '"a.txt "' },
  { name: "a leading space", given: " a.txt", want: '" a.txt"' },
  { name: "a space alone", given: " ", want: '" "' },
  { name: "a leading quote", given: '"a', want: '"\\"a"' },
  { name: "a name that looks quoted", given: '"a.txt"', want: '"\\"a.txt\\""' },
  { name: "a backslash", given: "a\\nb", want: '"a\\\\nb"' },
])("$name is quoted", ({ given, want }) => {
  expect(quoted(given)).toBe(want);
});

it("never gives two names the same form", () => {
  const names = ["a\nb", "a\\nb", '"a\\nb"', "a\\\nb", "a\\u{a}b", "a\u000Ab\u200B", "ab", '"ab"', " ab", "ab "];
  expect(new Set(names.map(quoted)).size).toBe(names.length);
});

it.each([
  { given: 'Cannot read "a\\b"\nTry ls', want: 'Cannot read "a\\b"\nTry ls' },
  { given: "a\rb\x1b[2J", want: "a\\rb\\u{1b}[2J" },
  { given: "gpj\u202E.exe\u200B", want: "gpj\\u{202e}.exe\\u{200b}" },
])("a message of several lines hides nothing: $want", ({ given, want }) => {
  expect(visible(given)).toBe(want);
});
