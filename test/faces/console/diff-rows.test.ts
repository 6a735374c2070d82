import { describe, expect, it } from "vitest";
import type { DiffLine, Hunk } from "../../../src/faces/console/contract.ts";
import { markedParts } from "../../../src/faces/console/page/diff/marked-parts.ts";
import { changedLines, lineCounts, splitRows, unifiedRows } from "../../../src/faces/console/page/diff/rows.ts";

/** Makes a hunk of lines that begin with their sign. */
const hunk = (start: number, lines: readonly string[], heading?: string): Hunk => ({
  oldStart: start,
  newStart: start,
  lines: lines.map((line) => ({ sign: line.charAt(0) as DiffLine["sign"], text: line.slice(1) })),
  ...(heading !== undefined && { heading }),
});

const unified = (hunks: readonly Hunk[]): readonly string[] =>
  unifiedRows(hunks).map((row) =>
    row.kind === "cut" ? `@ ${row.text}` : `${row.line.before ?? "."} ${row.line.after ?? "."} ${row.line.text}`,
  );

const split = (hunks: readonly Hunk[]): readonly string[] =>
  splitRows(hunks).map((row) =>
    row.kind === "cut"
      ? `@ ${row.text}`
      : `${row.left?.before ?? "."} ${row.left?.text ?? ""} | ${row.right?.after ?? "."} ${row.right?.text ?? ""}`,
  );

describe("a diff", () => {
  it("has no cut before its first line", () => {
    expect(unified([hunk(1, [" a", "-b", "+c", "+d", " e"])])).toStrictEqual([
      "1 1 a",
      "2 . b",
      ". 2 c",
      ". 3 d",
      "3 4 e",
    ]);
  });

  it("says where a hunk is", () => {
    expect(unified([hunk(7, [" a"], "function f("), hunk(20, [" b"])])).toStrictEqual([
      "@ function f(",
      "7 7 a",
      "@ ",
      "20 20 b",
    ]);
  });

  it("puts what replaces a line beside it", () => {
    expect(split([hunk(1, [" a", "-b", "-c", "+d", " e", "+f", "-g", "+h"])])).toStrictEqual([
      "1 a | 1 a",
      "2 b | 2 d",
      "3 c | . ",
      "4 e | 3 e",
      ".  | 4 f",
      "5 g | 5 h",
    ]);
  });

  it("shrinks to its changed lines without their common indent", () => {
    const small = changedLines([hunk(3, ["     a", "-    b", "+      c", "     d", "+", "+    e"], "f")]);
    expect(unified(small)).toStrictEqual(["@ f", "4 . b", ". 4   c", "@ ", ". 6 ", ". 7 e"]);
  });

  it("counts its lines", () => {
    expect(lineCounts([hunk(1, [" a", "-b", "+c", "+d"])])).toStrictEqual({ added: 2, removed: 1 });
  });
});

describe("marks", () => {
  it.each<[string, DiffLine["marks"], string]>([
    ["abcdef", undefined, "abcdef"],
    ["abcdef", [[1, 3]], "a[bc]def"],
    [
      "abcdef",
      [
        [0, 2],
        [4, 6],
      ],
      "[ab]cd[ef]",
    ],
    ["abcdef", [[4, 99]], "abcd[ef]"],
    [
      "abcdef",
      [
        [0, 4],
        [2, 6],
      ],
      "[abcd][ef]",
    ],
    ["abc", [[9, 12]], "abc"],
    ["a\u202Eb\tc", [[1, 2]], "a[\\u{202e}]b\tc"],
    ["", [[0, 1]], ""],
  ])("of %j at %j", (text, marks, expected) => {
    const parts = markedParts({ sign: " ", text, ...(marks && { marks }) });
    expect(parts.map((part) => (part.isMarked ? `[${part.text}]` : part.text)).join("")).toBe(expected);
  });
});
