import { describe, expect, it } from "vitest";
import { type Budget, bytesFrom, linesFrom, type Page } from "../../../src/workspace/read/page.ts";
import { sourceOfBytes } from "../../../src/workspace/read/scan.ts";

const budget = (lines: number, bytes: number, lineBytes = bytes): Budget => ({ lines, bytes, lineBytes });
const shown = ({ bytes, ...rest }: Page, encoding: BufferEncoding = "utf8") => ({
  text: bytes.toString(encoding),
  ...rest,
});

describe("whole lines", () => {
  it.each([
    {
      name: "all of it",
      text: "a\nb\n",
      most: budget(9, 99),
      page: { text: "a\nb\n", start: 0, end: 4, lineFeeds: 2, endsInLine: false },
    },
    {
      name: "as many as asked",
      text: "a\nb\nc\n",
      most: budget(2, 99),
      page: { text: "a\nb\n", start: 0, end: 4, lineFeeds: 2, endsInLine: false },
    },
    {
      name: "from a place on",
      text: "a\nb\nc\n",
      start: 2,
      most: budget(1, 99),
      page: { text: "b\n", start: 2, end: 4, lineFeeds: 1, endsInLine: false },
    },
    {
      name: "as many as fit",
      text: "aaa\nbbb\nccc\n",
      most: budget(9, 10),
      page: { text: "aaa\nbbb\n", start: 0, end: 8, lineFeeds: 2, endsInLine: false },
    },
    {
      name: "a last line without a feed",
      text: "a\nb",
      most: budget(9, 99),
      page: { text: "a\nb", start: 0, end: 3, lineFeeds: 1, endsInLine: true },
    },
    {
      name: "nothing at the end",
      text: "a\n",
      start: 2,
      most: budget(9, 99),
      page: { text: "", start: 2, end: 2, lineFeeds: 0, endsInLine: false },
    },
    {
      name: "one line that is too long is cut",
      text: "abcdefghij\nk\n",
      most: budget(9, 4),
      page: { text: "abcd", start: 0, end: 4, lineFeeds: 0, endsInLine: true },
    },
    {
      name: "a line that is too long ends the page before it",
      text: "a\nbcdefghij\nk\n",
      most: budget(9, 99, 4),
      page: { text: "a\n", start: 0, end: 2, lineFeeds: 1, endsInLine: false },
    },
    {
      name: "a line just as long as allowed stays whole",
      text: "abc\nd\n",
      most: budget(9, 4),
      page: { text: "abc\n", start: 0, end: 4, lineFeeds: 1, endsInLine: false },
    },
    {
      name: "a cut keeps characters whole",
      text: "\u6f22\u5b57\u6f22\u5b57",
      most: budget(9, 7),
      page: { text: "\u6f22\u5b57", start: 0, end: 6, lineFeeds: 0, endsInLine: true },
    },
  ])("$name", async ({ text, start = 0, most, page }) => {
    expect(shown(await linesFrom(sourceOfBytes(Buffer.from(text)), start, "utf-8", most))).toEqual(page);
  });

  it("reads no more of a long file than the page needs", async () => {
    const asked: number[] = [];
    const source = {
      size: 10_000_000,
      read: async () => 0,
      part: async (position: number, length: number) => {
        asked.push(length);
        return Buffer.alloc(Math.min(length, 10_000_000 - position), "line\n");
      },
    };
    const page = await linesFrom(source, 0, "utf-8", budget(2, 50_000));
    expect([page.lineFeeds, asked.reduce((sum, length) => sum + length)]).toEqual([2, 50_000]);
  });
});

describe("bytes", () => {
  it.each([
    { name: "as they are", label: undefined, from: 1, most: 3, text: "bcd", start: 1 },
    { name: "to the end", label: undefined, from: 8, most: 99, text: "ij", start: 8 },
    { name: "past the end", label: undefined, from: 10, most: 9, text: "", start: 10 },
    { name: "as text", label: "utf-8", from: 4, most: 3, text: "efg", start: 4 },
    { name: "as text at the end", label: "utf-8", from: 9, most: 3, text: "j", start: 9 },
  ])("$name", async ({ label, from, most, text, start }) => {
    const page = await bytesFrom(sourceOfBytes(Buffer.from("abcdefghij")), from, label, most);
    expect(shown(page)).toEqual({ text, start, end: start + text.length, lineFeeds: 0, endsInLine: true });
  });

  it.each([
    { name: "UTF-8 from inside a character", label: "utf-8", from: 4, most: 5, start: 3, end: 6 },
    { name: "UTF-8 that would end inside one", label: "utf-8", from: 0, most: 5, start: 0, end: 3 },
    { name: "UTF-8 less than a character", label: "utf-8", from: 0, most: 1, start: 0, end: 3 },
  ])("$name", async ({ label, from, most, start, end }) => {
    const page = await bytesFrom(sourceOfBytes(Buffer.from("\u6f22\u5b57\u6f22\u5b57")), from, label, most);
    expect([page.start, page.end]).toEqual([start, end]);
  });

  it.each([
    { from: 0, most: 4, start: 0, end: 4 },
    { from: 2, most: 4, start: 2, end: 6 },
    { from: 4, most: 4, start: 4, end: 8 },
    { from: 5, most: 4, start: 4, end: 8 },
    { from: 6, most: 3, start: 6, end: 8 },
    { from: 8, most: 2, start: 8, end: 12 },
    { from: 10, most: 8, start: 8, end: 14 },
  ])("UTF-16 from $from, at most $most: units and pairs stay whole", async ({ from, most, start, end }) => {
    const source = sourceOfBytes(Buffer.from("abcd\u{1f600}e", "utf16le"));
    const page = await bytesFrom(source, from, "utf-16le", most);
    expect([page.start, page.end]).toEqual([start, end]);
  });
});
