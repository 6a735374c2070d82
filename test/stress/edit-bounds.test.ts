import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { longestBlock } from "../work.ts";
import { callerOn, scratch, type CallResult } from "../runtime/scratch.ts";

const MIB = 1024 ** 2;

/** Promised are 100 ms; the work of the collector counts as well here. */
const BLOCK_MS = 250;

interface Row {
  readonly name: string;
  readonly content: string | Buffer;
  readonly edit: object;
}

const all = { replaceAll: true };
const pattern = { replaceAll: true, regex: true };
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
const prose = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `${"  ".repeat(n % 5)}word ${n} of a line that says little \n`).join("");
const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x20, 0x61, 0x0a]);

function fileWith(content: Row["content"]): string {
  const root = scratch();
  writeFileSync(join(root, "f"), content);
  return root;
}

describe("what would be too much is refused before it is made", () => {
  const places = {
    code: "too_large",
    message: `Cannot edit: more than ${LIMITS.editPlaces} places would change in one call`,
    hint: "Name fewer places with a longer oldText, or do it with a program",
  };
  const size = {
    code: "too_large",
    message: `Cannot edit: the result would have more than ${LIMITS.editBytes} bytes`,
    hint: "Replace fewer places, or by a shorter text; nothing was changed",
  };
  it.each([
    {
      name: "a letter in 4 MiB",
      content: "a".repeat(4 * MIB),
      edit: { oldText: "a", newText: "b", ...all },
      error: places,
    },
    {
      name: "a letter in 4 MiB, by a pattern",
      content: "a".repeat(4 * MIB),
      edit: { oldText: "[ab]", newText: "c", ...pattern },
      error: places,
    },
    {
      name: "a letter in 4 MiB, by two edits",
      content: "ab".repeat(60_000),
      edit: {
        edits: [
          { oldText: "a", newText: "c" },
          { oldText: "b", newText: "d" },
        ],
        ...all,
      },
      error: places,
    },
    {
      name: "16 KB for every letter",
      content: "a".repeat(90_000),
      edit: { oldText: "a", newText: "b".repeat(16_384), ...all },
      error: size,
    },
    {
      name: "a group many times",
      content: "ab\n".repeat(90_000),
      edit: { oldText: "(a)(b)", newText: "$1".repeat(10_000), ...pattern },
      error: size,
    },
    {
      name: "characters of three bytes",
      content: "a".repeat(40_000),
      edit: { oldText: "a", newText: "漢".repeat(1000), ...all },
      error: size,
    },
  ])("$name", async ({ content, edit, error }) => {
    const caller = callerOn(fileWith(content));
    let answer: CallResult | undefined;
    const block = await longestBlock(async () => {
      answer = await caller("edit", { path: "f", ...edit });
    });
    expect(answer?.data).toEqual({ error });
    expect(block).toBeLessThan(BLOCK_MS);
    expect((await caller("stat", { path: "f" })).data["size"]).toBe(content.length);
  });

  it("many places that are not all meant are counted no further", async () => {
    const caller = callerOn(fileWith("a".repeat(MIB)));
    const { code, text } = await caller("edit", { path: "f", oldText: "a", newText: "b" });
    expect([code, text.split("\n")[0]]).toEqual([
      "many_matches",
      `Cannot apply the edit: oldText is in the file more than ${LIMITS.editPlaces} times, not once`,
    ]);
  });

  it("a patch of too many lines, and one of files that are too large together", async () => {
    const root = scratch();
    const sections = Array.from({ length: 5 }, (_, n) => {
      writeFileSync(join(root, `f${n}`), Buffer.alloc(60 * MIB, "a line\n"));
      return `*** Delete File: f${n}\n`;
    });
    const caller = callerOn(root);
    const long = `*** Begin Patch\n*** Add File: g\n${"+\n".repeat(LIMITS.patchLines)}*** End Patch`;
    const large = `*** Begin Patch\n${sections.join("")}*** End Patch`;
    expect((await caller("apply_patch", { input: long })).code).toBe("too_large");
    expect((await caller("apply_patch", { input: large })).text).toMatch(
      /^Cannot apply the patch: its files have more/,
    );
  });
});

describe("others get their turn meanwhile", () => {
  const missing = { oldText: "word 77 of a line that says littel\nword 78", newText: "b" };
  const ROWS: readonly Row[] = [
    {
      name: "90,000 places",
      content: "ab\n".repeat(90_000),
      edit: { oldText: "a", newText: "x\ny\n".repeat(50), ...all },
    },
    {
      name: "90,000 places by a pattern",
      content: "ab\r\n".repeat(90_000),
      edit: { oldText: "(a)(b)\n", newText: "$2$1\n\n", ...pattern },
    },
    {
      name: "90,000 places in an old encoding",
      content: Buffer.concat(Array.from({ length: 90_000 }, () => japanese)),
      edit: { oldText: "a", newText: "b", ...all },
    },
    {
      name: "two places far apart",
      content: prose(300_000),
      edit: {
        edits: [
          { oldText: "word 5 of", newText: "A" },
          { oldText: "word 299995 of", newText: "B" },
        ],
      },
    },
    { name: "nothing found in UTF-8", content: prose(200_000), edit: missing },
    { name: "nothing found in UTF-16", content: utf16(prose(200_000)), edit: missing },
    { name: "nothing found in ideographs", content: utf16("漢字かな交じり文 です。\n".repeat(300_000)), edit: missing },
    { name: "nothing found in one line", content: utf16("漢字かな交じり文 です。".repeat(MIB)), edit: missing },
    { name: "nothing found in windows-1252", content: Buffer.from("caf\u00e9\n".repeat(MIB), "latin1"), edit: missing },
    { name: "nothing found in empty lines", content: "\n".repeat(8 * MIB), edit: missing },
  ];

  it.each(ROWS)("$name", async ({ content, edit }) => {
    const caller = callerOn(fileWith(content));
    const act = async () =>
      expect(["ok", "no_match", "too_large"]).toContain((await caller("edit", { path: "f", ...edit })).code);
    expect(await longestBlock(act)).toBeLessThan(BLOCK_MS);
  });

  it("a pattern that backtracks without end is refused, in slices", async () => {
    const caller = callerOn(fileWith(`${"a".repeat(40)}b`));
    const act = async () =>
      expect((await caller("edit", { path: "f", oldText: "(a+)+$", newText: "", ...pattern })).text).toContain(
        "the regular expression takes too long",
      );
    expect(await longestBlock(act)).toBeLessThan(BLOCK_MS);
  });

  it.each(ROWS)("$name: cancelled on the way", async ({ content, edit }) => {
    const caller = callerOn(fileWith(content));
    let looks = 0;
    // Early looks are those before anything is read; to finish takes many more.
    const signal = {
      get aborted() {
        return ++looks > 20;
      },
    };
    expect((await caller("edit", { path: "f", ...edit }, { signal })).code).toBe("cancelled");
  });

  it("a patch, cancelled on the way", async () => {
    const caller = callerOn(fileWith(prose(100_000)));
    const input = "*** Begin Patch\n*** Update File: f\n@@\n-word 77 of nothing\n+b\n*** End Patch";
    let looks = 0;
    const signal = {
      get aborted() {
        return ++looks > 20;
      },
    };
    expect((await caller("apply_patch", { input }, { signal })).code).toBe("cancelled");
  });
});
