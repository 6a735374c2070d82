import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter } from "../../src/base/line-splitter.ts";

const TOO_LONG = Symbol("too long");

function split(most: number, chunks: readonly Buffer[]): readonly (string | symbol)[] {
  const heard: (string | symbol)[] = [];
  const splitter = createLineSplitter(most, {
    line: (text) => void heard.push(text),
    tooLong: () => void heard.push(TOO_LONG),
  });
  for (const chunk of chunks) splitter(chunk);
  return heard;
}

describe("lines", () => {
  it.each([
    { name: "one", chunks: ["abc\n"], lines: ["abc"] },
    { name: "several at once", chunks: ["a\nb\nc\n"], lines: ["a", "b", "c"] },
    { name: "one in pieces", chunks: ["a", "b", "c", "\n"], lines: ["abc"] },
    { name: "empty ones", chunks: ["\n\n", "\n"], lines: ["", "", ""] },
    { name: "what has not ended is not heard", chunks: ["a\nb"], lines: ["a"] },
    { name: "a carriage return stays", chunks: ["a\r\n"], lines: ["a\r"] },
    { name: "just as long as allowed", chunks: ["12345678\n"], lines: ["12345678"] },
    { name: "too long", chunks: ["123456789\n", "a\n"], lines: [TOO_LONG, "a"] },
    { name: "too long in pieces", chunks: ["12345", "6789", "abc", "\n", "a\n"], lines: [TOO_LONG, "a"] },
    { name: "too long without end", chunks: ["123456789", "123456789"], lines: [] },
  ])("$name", ({ chunks, lines }) => {
    expect(
      split(
        8,
        chunks.map((chunk) => Buffer.from(chunk)),
      ),
    ).toEqual(lines);
  });

  it("are the same wherever the bytes are cut, inside a character too", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "漢", "😀", "\r"), maxLength: 40 });
    const cuts = fc.array(fc.nat(200), { maxLength: 10 });
    const property = fc.property(text, cuts, (whole, places) => {
      const bytes = Buffer.from(`${whole}\n`);
      const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length].toSorted(
        (a, b) => a - b,
      );
      const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
      expect(split(1000, chunks)).toEqual(whole.split("\n"));
    });
    fc.assert(property);
  });
});
