import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createLineIndexes } from "../../../src/workspace/read/line-index.ts";
import {
  chunksOf,
  findLine,
  findLineFromEnd,
  type Scan,
  sourceOfBytes,
  withLastPart,
} from "../../../src/workspace/read/scan.ts";
import { callerOn, scratch } from "../../runtime/scratch.ts";

const scanOf = (bytes: Buffer, feed: Scan["feed"] = "byte"): Scan => ({
  source: sourceOfBytes(bytes),
  feed,
  checkpoint: () => {},
  progress: () => {},
});

const freshIndex = () => createLineIndexes()({ identity: "1:1", size: 0, times: "" } as never).by("byte");

describe("finding a line from the start", () => {
  it.each([
    { text: "", line: 1, found: { line: 1, byte: 0 } },
    { text: "a\nb\n", line: 1, found: { line: 1, byte: 0 } },
    { text: "a\nb\n", line: 2, found: { line: 2, byte: 2 } },
    { text: "a\nb\n", line: 3, found: { line: 3, byte: 4 } },
    { text: "a\nb\n", line: 9, found: { line: 3, byte: 4 } },
    { text: "a\nb", line: 9, found: { line: 2, byte: 2 } },
  ])("line $line of $text", async ({ text, line, found }) => {
    expect(await findLine(scanOf(Buffer.from(text)), freshIndex(), line)).toEqual(found);
  });

  it("finds the same position whatever is cached", async () => {
    const text = Array.from({ length: 300_000 }, (_, n) => `${n}\n`).join("");
    const bytes = Buffer.from(text);
    expect(bytes.length).toBeGreaterThan(LIMITS.scanBytes);
    const starts = [0];
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
    const wanted = fc.array(fc.integer({ min: 1, max: starts.length }), { minLength: 1, maxLength: 8 });
    const property = fc.asyncProperty(wanted, async (lines) => {
      const index = freshIndex();
      for (const line of lines)
        expect(await findLine(scanOf(bytes), index, line)).toEqual({ line, byte: starts[line - 1] });
    });
    await fc.assert(property, { numRuns: 15 });
  });
});

it.each([
  { text: "", lines: 1, byte: 0 },
  { text: "a", lines: 1, byte: 0 },
  { text: "a\n", lines: 1, byte: 0 },
  { text: "a\nb", lines: 1, byte: 2 },
  { text: "a\nb\n", lines: 1, byte: 2 },
  { text: "a\nb\n", lines: 2, byte: 0 },
  { text: "a\nb\n", lines: 9, byte: 0 },
  { text: "\n", lines: 1, byte: 0 },
  { text: "\n\n", lines: 1, byte: 1 },
  { text: `${"x".repeat(LIMITS.sniffBytes)}\nb\n`, lines: 1, byte: LIMITS.sniffBytes + 1 },
  { text: `a\n${"x".repeat(LIMITS.sniffBytes)}`, lines: 1, byte: 2 },
  { text: `a\n${"x".repeat(LIMITS.sniffBytes - 1)}\n`, lines: 1, byte: 2 },
  { text: `a\n${"x".repeat(3 * LIMITS.sniffBytes)}\n`, lines: 2, byte: 0 },
])("the last $lines lines start at $byte", async ({ text, lines, byte }) => {
  expect(await findLineFromEnd(scanOf(Buffer.from(text)), lines)).toBe(byte);
});

it("gives every byte once, in order, and reports its progress", async () => {
  const bytes = Buffer.alloc(2 * LIMITS.scanBytes + 5, "abc");
  const progress: number[] = [];
  const parts: Buffer[] = [];
  const scan = { ...scanOf(bytes), progress: (done: number) => void progress.push(done) };
  for await (const { chunk, start } of chunksOf(scan, 3)) {
    expect(start).toBe(3 + parts.reduce((sum, part) => sum + part.length, 0));
    parts.push(Buffer.from(chunk));
  }
  expect(Buffer.concat(parts).equals(bytes.subarray(3))).toBe(true);
  expect(progress.at(-1)).toBe(bytes.length);
});

it("reads a file that shrinks meanwhile without hanging", async () => {
  const root = scratch({ "a.txt": "x\n".repeat(LIMITS.scanBytes) });
  const caller = callerOn(root);
  const answer = await caller(
    "read",
    { path: "a.txt", offset: 900_000, limit: 1 },
    {
      progress: () => writeFileSync(join(root, "a.txt"), ""),
    },
  );
  expect(typeof answer.data["content"]).toBe("string");
});

it.each([
  { next: { position: 2, length: 4 }, gives: "cdef", reads: 1 },
  { next: { position: 0, length: 3 }, gives: "abc", reads: 2 },
  { next: { position: 6, length: 99 }, gives: "ghi", reads: 1 },
  { next: { position: 9, length: 1 }, gives: "", reads: 1 },
])("reads $next.length bytes from $next.position on only if they are not cached", async ({ next, gives, reads }) => {
  const asked: number[] = [];
  const bytes = sourceOfBytes(Buffer.from("abcdefghi"));
  const source = withLastPart({
    ...bytes,
    part: (position, length) => {
      asked.push(position);
      return bytes.part(position, length);
    },
  });
  await source.part(1, 8);
  expect((await source.part(next.position, next.length)).toString()).toBe(gives);
  expect(asked.length).toBe(reads);
});
