import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { jsonBytesOf, textOfUtf8 } from "../../src/text/utf8.ts";

const sent = (value: unknown): Buffer => Buffer.from(jsonBytesOf(value), "latin1");

describe("what goes out", () => {
  it.each([
    { name: "ASCII", value: 'a "quoted" \\ line\n\0' },
    { name: "Latin-1, which a string holds in one byte a character", value: "caf\u00e9 \u00ff" },
    { name: "a handle", value: "A=\u2039secret:AWS_KEY#1\u203a" },
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
    { name: "a cut character", bytes: Buffer.from("\u20ac").subarray(0, 2) },
    { name: "half of a pair", bytes: Buffer.from([0xed, 0xa0, 0x80]) },
    { name: "more bytes than needed", bytes: Buffer.from([0xc0, 0x80]) },
    { name: "nothing", bytes: Buffer.alloc(0) },
    { name: "a long text", bytes: Buffer.alloc(LIMITS.transcodedUnits + 3, "\u20ac") },
  ])("is read as $name", ({ bytes }) => {
    expect(textOfUtf8(bytes)).toBe(strictly(bytes));
  });

  it("is read as strictly as by TextDecoder, whatever it is", () => {
    fc.assert(
      fc.property(fc.uint8Array({ max: 0xff }), (bytes) => {
        expect(textOfUtf8(Buffer.from(bytes))).toBe(strictly(bytes));
      }),
    );
  });
});
