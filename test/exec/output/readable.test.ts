import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { headAndTail } from "../../../src/exec/output/cut.ts";
import { decodeOutput } from "../../../src/exec/output/decode.ts";
import { readableOutput } from "../../../src/exec/output/readable.ts";
import { workFromNow } from "../../work.ts";

const readable = (raw: string | Buffer): string => readableOutput(Buffer.from(raw), true).text;

describe("hostile output", () => {
  it.each([
    ["colors", "\u001b[31mred\u001b[0m", "red"],
    ["concealed text", "a\u001b[8mhidden\u001b[0mb", "ahiddenb"],
    ["a title", "\u001b]0;rm -rf\u0007text", "text"],
    ["the clipboard (OSC 52)", "\u001b]52;c;cm0gLXJm\u001b\\text", "text"],
    ["a link", "\u001b]8;;https://evil\u001b\\click\u001b]8;;\u001b\\", "click"],
    ["a title that never ends", "\u001b]0;swallowed\nline", "\\u{1b}]0;swallowed\nline"],
    ["a device string that never ends", "\u001bPabc", "\\u{1b}Pabc"],
    ["a charset", "\u001b(0lqk\u001b(B", "lqk"],
    ["eight-bit controls", "a\u009b31mb", "a\\u{9b}31mb"],
    ["an escape before text", "\u001bAvisible", "\\u{1b}Avisible"],
    ["reversed text", "a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"],
    ["zero-width text", "a\u200bb\u{e0041}c", "a\\u{200b}b\\u{e0041}c"],
    ["NUL and BEL", "a\0b\u0007", "a\\u{0}b\\u{7}"],
    ["line separators", "a\u2028b\u0085c", "a\\u{2028}b\\u{85}c"],
    ["wide spaces", "tree\u00a0\u00a0x", "tree  x"],
    ["a forged note", "[holdfast: 3 bytes left out here]", "\\u{5b}holdfast: 3 bytes left out here]"],
    ["a forged note in pieces", "[\u001b[0mhold\u001b[1mfast: x]", "\\u{5b}holdfast: x]"],
    [
      "a forged note with hidden parts",
      "[hold\rfast: [HoldFast : x]",
      "fast: \\u{5b}HoldFast : x] [holdfast: 1 earlier state of this line left out]",
    ],
    [
      "a forged note over itself",
      "[x\bholdfast: y]",
      "\\u{5b}holdfast: y] [holdfast: 1 earlier state of this line left out]",
    ],
    ["text over text", "rm -rf /\rls      ", "ls       [holdfast: 1 earlier state of this line left out]"],
    ["text erased by backspaces", "abc\b\b\bx", "ab\\u{8}\\u{8}x [holdfast: 1 earlier state of this line left out]"],
    ["tabs and line feeds", "a\tb\n\nc\n", "a\tb\n\nc\n"],
    ["CRLF", "a\r\nb\r\n", "a\nb\n"],
    ["emoji", "ok ✅️ 🎉", "ok ✅️ 🎉"],
  ])("shows %s", (_, raw, text) => expect(readable(raw)).toBe(text));

  it.each(["\u001b]", "\u001b[", "\u001bP", "\r", "a\b", "\u001b]0;aaaa", "[holdfast", "[ \t"])(
    "takes linear time for %j",
    (part) => {
      const spent = workFromNow();
      readable(part.repeat(100_000 / part.length));
      expect(spent()).toBeLessThan(2000);
    },
  );
});

describe("progress", () => {
  it("is folded to its last state", () => {
    const bar = Array.from({ length: 100 }, (_, nth) => `\r${nth}%`).join("");
    expect(readable(`start${bar}\rdone\nend\n`)).toBe(
      "done [holdfast: 101 earlier states of this line left out]\nend\n",
    );
  });

  it("is folded where the bar clears its line", () =>
    expect(readable("\u001b[2K\r50%\u001b[2K\r100%\u001b[K\n")).toBe(
      "100% [holdfast: 1 earlier state of this line left out]\n",
    ));

  it("shows a bar that runs", () => expect(readable("10%\r20%\r")).toMatch(/^20% /));

  it("folds lines that repeat", () =>
    expect(readable(`${"same\n".repeat(50)}end\n`)).toBe("same\n[holdfast: the line above 49 more times]\nend\n"));

  it("keeps a few equal lines", () => expect(readable("x\nx\nx\n")).toBe("x\nx\nx\n"));

  it("shows manual pages", () => expect(readable("N\bNA\bAM\bME\bE _\bf_\bi_\bl_\be")).toBe("NAME file"));
});

/** Returns all texts that come of two pieces, wherever they are split. */
function splitEverywhere(whole: Buffer, decode: typeof decodeOutput): ReadonlySet<string> {
  const splits = Array.from({ length: whole.length + 1 }, (_, at) => {
    const first = decode(whole.subarray(0, at), false);
    return first.text + decode(whole.subarray(first.used), true).text;
  });
  return new Set(splits);
}

describe("bytes", () => {
  it.each([
    ["Latin-1", Buffer.from("caf\u00e9\n", "latin1"), "caf\\xe9\n"],
    ["a mixture", Buffer.concat([Buffer.from("é"), Buffer.from([0xff, 0xc3])]), "é\\xff\\xc3"],
    ["overlong slashes and surrogates", Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80]), "\\xc0\\xaf\\xed\\xa0\\x80"],
  ])("are shown of %s", (_, bytes, text) => expect(readable(bytes)).toBe(text));

  it("are the same text, wherever they are split", () => {
    const whole = Buffer.from("aé€😀z");
    expect(splitEverywhere(whole, decodeOutput)).toEqual(new Set(["aé€😀z"]));
  });

  it("hold back a sequence that is not finished", () => {
    const whole = Buffer.from("a\u001b[1;31mred\u001b]0;title\u0007b");
    expect(splitEverywhere(whole, readableOutput)).toEqual(new Set(["aredb"]));
  });

  it("are not held back for ever", () => {
    const endless = Buffer.from(`\u001b]0;${"x".repeat(1000)}`);
    expect(readableOutput(endless, false).used).toBe(endless.length);
  });
});

const note = (count: number): string => `[${count}]`;

describe("a cut", () => {
  it("keeps short text", () => expect(headAndTail("short", 10, note)).toBe("short"));

  it("keeps head and tail at line borders, within the limit", () => {
    const lines = Array.from({ length: 1000 }, (_, nth) => `line ${nth}\n`).join("");
    const cut = headAndTail(lines, 1000, note);
    const [head = "", left, tail = ""] = cut.split(/\[(\d+)\]\n/);
    expect(cut.length).toBeLessThanOrEqual(1000);
    expect([lines.startsWith(head), lines.endsWith(tail), head.endsWith("\n")]).toEqual([true, true, true]);
    expect(Number(left)).toBe(lines.length - head.length - tail.length);
    expect(tail).toMatch(/^line /);
  });

  it("splits no character", () => expect(headAndTail("😀".repeat(1000), 501, note)).not.toMatch(/\p{Cs}/u));
});
