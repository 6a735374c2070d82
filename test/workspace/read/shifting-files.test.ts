import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isoOf } from "../../../src/base/time.ts";
import { bytesFrom } from "../../../src/workspace/read/page.ts";
import { findLineFromEnd, type ByteSource } from "../../../src/workspace/read/scan.ts";
import { callerOn, scratch } from "../../runtime/scratch.ts";

/** Makes a file that was `size` bytes long when it was opened, and is shorter by now. */
const cutTo = (bytes: Buffer, size: number): ByteSource => ({
  size,
  read: async (into, position) => bytes.copy(into, 0, position),
  part: async (position, length) => bytes.subarray(position, position + length),
});

it("the tail of a file that was truncated meanwhile is stale", async () => {
  const scan = { source: cutTo(Buffer.alloc(0), 1e9), feed: "byte" as const, checkpoint: () => {}, progress: () => {} };
  await expect(findLineFromEnd(scan, 3)).rejects.toMatchObject({ code: "stale" });
});

it("a page of bytes ends when the file was truncated inside a character", async () => {
  const page = await bytesFrom(cutTo(Buffer.from("€").subarray(0, 1), 1e9), 0, "utf-8", 50_000);
  expect(page).toMatchObject({ start: 0, end: 0 });
});

const file = (lines: number, text: string) => Array.from({ length: lines }, (_, n) => `${text} ${n + 1}\n`).join("");

it("a cursor into a file that was rewritten in place does not mislead later line numbers", async () => {
  const root = scratch({ "a.txt": file(100_000, "first") });
  const caller = callerOn(root, { loopDetection: false });
  const { data } = await caller("read", { path: "a.txt", limit: 100 });
  writeFileSync(join(root, "a.txt"), file(100_000, "another and longer"));
  await caller("read", { path: "a.txt", cursor: data["cursor"], limit: 100 });
  const after = await caller("read", { path: "a.txt", offset: 201, limit: 1 });
  expect(after.data["content"]).toBe("another and longer 201\n");
});

it("a cursor into a replaced file is stale", async () => {
  const root = scratch({ "a.txt": "one\ntwo\n" });
  const caller = callerOn(root);
  const { data } = await caller("read", { path: "a.txt", limit: 1 });
  rmSync(join(root, "a.txt"));
  writeFileSync(join(root, "a.txt"), "another file\n");
  expect((await caller("read", { path: "a.txt", cursor: data["cursor"] })).data).toMatchObject({
    error: { code: "stale" },
  });
});

it.each([
  { ms: 0, iso: "1970-01-01T00:00:00.000Z" },
  { ms: 9e18, iso: "+275760-09-13T00:00:00.000Z" },
  { ms: -9e18, iso: "-271821-04-20T00:00:00.000Z" },
])("the time $ms has a name", ({ ms, iso }) => expect(isoOf(ms)).toBe(iso));
