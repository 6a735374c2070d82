import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Caller, callerOn, scratch } from "../../runtime/scratch.ts";

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

const HEAD_LINES = 4000;
const HEAD = Array.from({ length: HEAD_LINES }, (_, index) => `head ${index + 1} of a long beginning\n`).join("");

/** Makes a sparse file: text around two lines of NUL, of a quarter of a gigabyte and of several. */
function writeHuge(path: string): void {
  const fd = openSync(path, "w");
  ftruncateSync(fd, 3 * GIB);
  writeSync(fd, HEAD, 0);
  writeSync(fd, "\nmiddle one\nmiddle two\n", GIB / 4);
  writeSync(fd, "\ntail one\ntail two\n", 3 * GIB - "\ntail one\ntail two\n".length);
  closeSync(fd);
}

/** Returns the line in the middle: after the head and the first gap. */
const MIDDLE = HEAD_LINES + 2;

const CASES = [
  {
    name: "the first lines",
    input: { limit: 2 },
    content: "head 1 of a long beginning\nhead 2 of a long beginning\n",
    next_offset: 3,
  },
  {
    name: "the last lines",
    input: { offset: -2 },
    content: "tail one\ntail two\n",
  },
  {
    name: "lines in the middle",
    input: { offset: MIDDLE, limit: 2, line_numbers: true },
    content: `${MIDDLE}\tmiddle one\n${MIDDLE + 1}\tmiddle two\n`,
    next_offset: MIDDLE + 2,
  },
  {
    name: "bytes in the middle",
    input: { unit: "bytes", offset: GIB / 4 + 1, limit: 10 },
    content: "middle one",
    next_offset: GIB / 4 + 11,
  },
  {
    name: "bytes at the end",
    input: { unit: "bytes", offset: -9 },
    content: "tail two\n",
  },
  {
    name: "the start of a line that is far longer than a page",
    input: { offset: HEAD_LINES + 1, max_bytes: 100 },
    content: "\0".repeat(100),
  },
] as const;

describe("a file of 3 GiB", () => {
  it("gives pages from everywhere and keeps none of it in memory", async () => {
    const root = scratch();
    writeHuge(join(root, "huge.txt"));
    const caller = callerOn(root);
    await caller("read", { path: "huge.txt", limit: 1 });
    const before = process.memoryUsage.rss();
    let peak = before;
    for (const { name, input, ...wanted } of CASES) {
      const { data } = await caller("read", { path: "huge.txt", ...input });
      peak = Math.max(peak, process.memoryUsage.rss());
      const { content, next_offset, total_lines, truncated } = data as Record<string, unknown>;
      expect({ name, content, next_offset, total_lines }).toEqual({ name, ...wanted });
      expect(truncated).toBe(!["last", "end"].some((word) => name.includes(word)));
    }
    expect((peak - before) / MIB).toBeLessThan(64);
  });

  it("continues by cursor without counting again", async () => {
    const root = scratch();
    writeHuge(join(root, "huge.txt"));
    const caller = callerOn(root);
    const first = await caller("read", { path: "huge.txt", offset: MIDDLE, limit: 1 });
    const next = await cursorPage(caller, first.data);
    expect(next["content"]).toBe("middle two\n");
    const gap = await cursorPage(caller, next);
    expect(gap["content"]).toBe("\0".repeat(512));
  });
});

async function cursorPage(caller: Caller, { cursor }: Readonly<Record<string, unknown>>) {
  const { data } = await caller("read", { path: "huge.txt", cursor, max_bytes: 512, limit: 1 });
  return data;
}

it("checksums a large file without holding it in memory", async () => {
  const root = scratch();
  const fd = openSync(join(root, "zeros.bin"), "w");
  ftruncateSync(fd, 64 * MIB);
  closeSync(fd);
  const caller = callerOn(root);
  const read = await caller("read", { path: "zeros.bin", encoding: "base64", unit: "bytes", limit: 1, checksum: true });
  const stat = await caller("stat", { path: "zeros.bin", checksum: true });
  const sha256 = "3b6a07d0d404fab4e23b6d34bc6696a6a312dd92821332385e5af7c01c421351";
  expect([read.data["sha256"], stat.data["sha256"]]).toEqual([sha256, sha256]);
});

it("numbers the last lines of a large file", async () => {
  const root = scratch({ "long.txt": Array.from({ length: 100_000 }, (_, n) => `line number ${n + 1}\n`).join("") });
  const { data } = await callerOn(root)("read", { path: "long.txt", offset: -2, line_numbers: true });
  expect([data["content"], data["total_lines"]]).toEqual([
    "99999\tline number 99999\n100000\tline number 100000\n",
    100_000,
  ]);
});

it("numbers a page by cursor even when the one before did not know where it was", async () => {
  const root = scratch({ "long.txt": Array.from({ length: 100_000 }, (_, n) => `line number ${n + 1}\n`).join("") });
  const caller = callerOn(root);
  const { data } = await caller("read", { path: "long.txt", offset: -3, limit: 1 });
  const next = await caller("read", { path: "long.txt", cursor: data["cursor"], limit: 1, line_numbers: true });
  expect(next.data["content"]).toBe("99999\tline number 99999\n");
});

it("numbers a page of bytes by the line it begins in", async () => {
  const caller = callerOn(scratch({ "a.txt": "one\ntwo\nthree\n" }));
  const { data } = await caller("read", { path: "a.txt", unit: "bytes", offset: 4, line_numbers: true });
  expect(data["content"]).toBe("2\ttwo\n3\tthree\n");
});
