import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { jsonBytesOf, readUtf8, asJsonString, withOriginal } from "../../../src/text/encoding/utf8.ts";

const sent = (value: unknown): Buffer => Buffer.from(jsonBytesOf(value), "latin1");

describe("what goes out", () => {
  it.each([
    { name: "ASCII", value: 'a "quoted" \\ line\n\0' },
    { name: "Latin-1, which a string holds in one byte a character", value: "caf\u00e9 \u00ff" },
    { name: "a placeholder", value: "A=\u2039secret:AWS_KEY#1\u203a" },
    { name: "beyond the basic plane", value: "\u{1f600} \ufeff\uffff" },
    { name: "half of a character", value: "a\ud800b \u00e9" },
    { name: "half of a character in data", value: { path: ["\udc00\u20ac"] } },
    { name: "nothing", value: "" },
    { name: "no text", value: { size: 3, is: null } },
    { name: "a long text", value: "\u20ac".repeat(LIMITS.transcodedUnits + 1) },
    { name: "a long text with half of a character", value: `\ud800${"\u20ac".repeat(LIMITS.transcodedUnits)}` },
  ])("is the JSON of $name in UTF-8", ({ value }) => {
    expect(sent(value).equals(Buffer.from(JSON.stringify(value)))).toBe(true);
  });

  it("is JSON in UTF-8 whatever it is made of", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" })), (value) => {
        expect(sent(value).toString()).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe("what comes in", () => {
  const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const strictly = (bytes: Uint8Array): string | null => {
    try {
      return STRICT.decode(bytes);
    } catch {
      return null;
    }
  };

  it.each([
    { name: "ASCII", bytes: Buffer.from("a\0\x7f") },
    { name: "a byte-order mark", bytes: Buffer.from("\ufeffa") },
    { name: "four bytes a character", bytes: Buffer.from("\u{1f600}") },
    { name: "placeholders in ASCII", bytes: Buffer.from("A=\u2039secret:A#1\u203a\nB=\u2039secret:B#12\u203a\n") },
    { name: "placeholders, and more that is not ASCII", bytes: Buffer.from("\u00e9\u2039secret:A#1\u203a\u20ac") },
    { name: "nearly a placeholder", bytes: Buffer.from("\u2039secret:a#1\u203a \u00b9secret:A#1\u203a") },
    { name: "more placeholders than are joined", bytes: Buffer.from("\u2039secret:A#1\u203a ".repeat(100)) },
    { name: "a cut character", bytes: Buffer.from("\u20ac").subarray(0, 2) },
    { name: "half of a pair", bytes: Buffer.from([0xed, 0xa0, 0x80]) },
    { name: "more bytes than needed", bytes: Buffer.from([0xc0, 0x80]) },
    { name: "nothing", bytes: Buffer.alloc(0) },
    { name: "a long text", bytes: Buffer.alloc(LIMITS.transcodedUnits + 3, "\u20ac") },
  ])("is read as $name", ({ bytes }) => {
    expect(readUtf8(bytes)?.text ?? null).toBe(strictly(bytes));
  });

  it("is read as strictly as by TextDecoder, whatever it is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 0xff }), (bytes) => {
        expect(readUtf8(Buffer.from(bytes))?.text ?? null).toBe(strictly(bytes));
      }),
    );
  });
});

describe("what was read from bytes", () => {
  const utf8 = Buffer.from("caf\u00e9 \u2039secret:A#1\u203a and \u2039secret:B_2#3\u203a");

  it("goes out as these bytes, and says which placeholders are in it", () => {
    const { text, original } = readUtf8(utf8) ?? { text: "" };
    const said = withOriginal({ text }, original);
    expect(Buffer.from(asJsonString(said), "latin1").toString()).toBe(JSON.stringify(utf8.toString()));
    expect(original?.placeholders).toEqual(["\u2039secret:A#1\u203a", "\u2039secret:B_2#3\u203a"]);
  });

  it("is not what a copy says that was changed", () => {
    const { text, original } = readUtf8(utf8) ?? { text: "" };
    const copy = { ...withOriginal({ text }, original), text: "another \u20ac" };
    expect(Buffer.from(asJsonString(copy), "latin1").toString()).toBe(JSON.stringify(copy.text));
    expect(() => Object.assign(withOriginal({ text }, original), { text: "another" })).toThrow(TypeError);
  });
});
