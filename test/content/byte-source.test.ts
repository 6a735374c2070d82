import { expect, it } from "vitest";
import { codeOf } from "../../src/testing/picture.ts";
import { bytesOf } from "../../src/content/byte-source.ts";

const sourceOf = (content: string, size = content.length) => ({
  size,
  read: (into: Uint8Array, position: number) => Buffer.from(content).copy(into, 0, position),
});

it("reads all bytes, or the first ones, into memory that belongs to nobody else", async () => {
  const [all, first] = [await bytesOf(sourceOf("a few words")), await bytesOf(sourceOf("a few words"), 5)];
  expect([all.toString(), first.toString()]).toEqual(["a few words", "a few"]);
  expect([all.buffer.byteLength, first.buffer.byteLength]).toEqual([11, 5]);
});

it("notices that a file was truncated", async () => {
  expect(await bytesOf(sourceOf("short", 9)).catch(codeOf)).toBe("stale");
});
