import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countLineFeeds,
  lineEnd,
  type LineFeed,
  lineFeedOf,
  lineStart,
  numberedLines,
} from "../../src/text/line-feeds.ts";

const bytesOf = (text: string, feed: LineFeed): Buffer => {
  if (feed === "byte") return Buffer.from(text);
  const little = Buffer.from(text, "utf16le");
  return feed === "utf-16be" ? little.swap16() : little;
};

const FEEDS: readonly LineFeed[] = ["byte", "utf-16le", "utf-16be"];

it.each([
  ["utf-8", "byte"],
  ["windows-1252", "byte"],
  ["shift_jis", "byte"],
  ["utf-16le", "utf-16le"],
  ["utf-16be", "utf-16be"],
])("a line feed in %s is of kind %s", (label, feed) => {
  expect(lineFeedOf(label)).toBe(feed);
});

describe.each(FEEDS)("%s", (feed) => {
  const width = feed === "byte" ? 1 : 2;

  it.each([
    { text: "", from: 0, end: -1 },
    { text: "ab", from: 0, end: -1 },
    { text: "ab\n", from: 0, end: 3 },
    { text: "ab\ncd\n", from: 0, end: 3 },
    { text: "ab\ncd\n", from: 3, end: 6 },
    { text: "ab\ncd\n", from: 6, end: -1 },
    { text: "\n\n", from: 0, end: 1 },
    { text: "\n\n", from: 1, end: 2 },
    { text: "a\r\nb", from: 0, end: 3 },
  ])("the line at $from of $text ends at $end", ({ text, from, end }) => {
    expect(lineEnd(bytesOf(text, feed), from * width, feed)).toBe(end < 0 ? -1 : end * width);
  });

  it.each([
    { text: "", before: 0, start: -1 },
    { text: "ab", before: 2, start: -1 },
    { text: "ab\ncd", before: 5, start: 3 },
    { text: "ab\ncd\n", before: 6, start: 6 },
    { text: "ab\ncd\n", before: 5, start: 3 },
    { text: "ab\ncd\n", before: 2, start: -1 },
    { text: "\n", before: 1, start: 1 },
    { text: "\n", before: 0, start: -1 },
  ])("the last line before $before of $text starts at $start", ({ text, before, start }) => {
    expect(lineStart(bytesOf(text, feed), before * width, feed)).toBe(start < 0 ? -1 : start * width);
  });

  it("counts as many line feeds as the text has", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "\n", "\r", "\u0a0a", "\u0a00", "\u000a\u0a00", "é"),
      maxLength: 60,
    });
    const property = fc.property(text, (each) => {
      expect(countLineFeeds(bytesOf(each, feed), feed)).toBe(each.split("\n").length - 1);
    });
    fc.assert(property);
  });
});

it.each([
  { feed: "utf-16le" as const, bytes: [0x0a, 0x0a, 0x00, 0x0a], why: "U+0A0A and U+0A00" },
  { feed: "utf-16be" as const, bytes: [0x0a, 0x0a, 0x0a, 0x00], why: "U+0A0A and U+0A00" },
  { feed: "utf-16le" as const, bytes: [0x61, 0x0a, 0x00, 0x61], why: "a line feed across two units" },
  { feed: "utf-16be" as const, bytes: [0x61, 0x00, 0x0a, 0x61], why: "a line feed across two units" },
])("$feed: no line feed in $why", ({ feed, bytes }) => {
  expect(countLineFeeds(Buffer.from(bytes), feed)).toBe(0);
});

it.each([
  { text: "", first: 1, shown: "" },
  { text: "a", first: 1, shown: "1\ta" },
  { text: "a\n", first: 9, shown: "9\ta\n" },
  { text: "a\nb", first: 9, shown: "9\ta\n10\tb" },
  { text: "\n\n", first: 1, shown: "1\t\n2\t\n" },
  { text: "a\r\nb\r\n", first: 1, shown: "1\ta\r\n2\tb\r\n" },
])("numbers $text from $first", ({ text, first, shown }) => {
  expect(numberedLines(text, first)).toBe(shown);
});
