import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { limitResultSize } from "../../src/runtime/pipeline/result-size.ts";
import { pageBytesFor } from "../../src/runtime/sessions/session-facts.ts";
import type { Block } from "../../src/tools/tool.ts";
import { callerOn, scratch } from "./scratch.ts";

const text = (length: number): Block => ({ kind: "text", text: "x".repeat(length) });
const image = (length: number): Block => ({ kind: "image", mime: "image/png", data: "x".repeat(length) });

describe("the last guard on an answer", () => {
  it.each([
    { name: "nothing", blocks: [] },
    { name: "just enough", blocks: [text(LIMITS.answerChars)] },
    { name: "just enough in parts", blocks: [text(LIMITS.answerChars - 5), image(5)] },
  ])("lets pass: $name", ({ blocks }) => {
    const result = { blocks, data: {} };
    expect(limitResultSize(result)).toBe(result);
  });

  it.each([
    { name: "one too many", blocks: [text(LIMITS.answerChars + 1)] },
    { name: "one too many in parts", blocks: [text(LIMITS.answerChars - 5), image(6)] },
  ])("refuses: $name", ({ blocks }) => {
    expect(() => limitResultSize({ blocks, data: {} })).toThrow(
      `Cannot send the answer: ${LIMITS.answerChars + 1} characters are more than ${LIMITS.answerChars}`,
    );
  });
});

const KIB = 1024;

it.each([
  { window: undefined, page: 50 * KIB },
  { window: 1, page: 50 * KIB },
  { window: 8_000, page: 50 * KIB },
  { window: 64_000, page: 51_200 },
  { window: 64_001, page: 51_200 },
  { window: 64_010, page: 51_208 },
  { window: 200_000, page: 160_000 },
  { window: 655_360, page: 512 * KIB },
  { window: 1_000_000, page: 512 * KIB },
  { window: Number.MAX_SAFE_INTEGER, page: 512 * KIB },
])("a window of $window tokens gives pages of $page bytes", ({ window, page }) => {
  expect(pageBytesFor(window)).toBe(page);
});

const WINDOW = { contextWindow: 8000 };

describe("the budget of a page", () => {
  const line = `${"x".repeat(99)}\n`;
  const tree = { "big.txt": line.repeat(90_000), "a.txt": line.repeat(10_000), "short.txt": "x\n".repeat(10_000) };

  it.each([
    { name: "by default 50 KiB", options: {}, input: { path: "a.txt" }, length: 51_200 },
    { name: "by default 2,000 lines", options: {}, input: { path: "short.txt" }, length: 4_000 },
    { name: "by the window", options: { contextWindow: 200_000 }, input: { path: "a.txt" }, length: 160_000 },
    { name: "by the window alone, in lines too", options: WINDOW, input: { path: "short.txt" }, length: 20_000 },
    {
      name: "by the window, 512 KiB at most",
      options: { contextWindow: 1e9 },
      input: { path: "a.txt" },
      length: 524_200,
    },
    { name: "by limit within a window", options: WINDOW, input: { path: "short.txt", limit: 3 }, length: 6 },
    { name: "by max_bytes", options: {}, input: { path: "a.txt", max_bytes: 1050 }, length: 1000 },
    { name: "by limit", options: {}, input: { path: "a.txt", limit: 3000 }, length: 300_000 },
    { name: "by limit, 512 KiB at most", options: {}, input: { path: "a.txt", limit: 9000 }, length: 524_200 },
    { name: "by both", options: {}, input: { path: "a.txt", limit: 9000, max_bytes: 800_000 }, length: 800_000 },
    {
      name: "in bytes, 8 MiB at most",
      options: {},
      input: { path: "big.txt", unit: "bytes", limit: 1e12 },
      length: 8 * 1024 * KIB,
    },
    { name: "shared by two", options: {}, input: { paths: ["a.txt", "a.txt"] }, length: 25_600 },
  ])("$name", async ({ options, input, length }) => {
    const { data } = await callerOn(scratch(tree), options)("read", input);
    const [first] = (data["files"] ?? [data]) as { content: string }[];
    expect(first?.content.length).toBe(length);
  });
});
