import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../src/content/documents/delimited.ts";

describe("rows of delimited text", () => {
  it.each([
    [
      "a,b\nc,d\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,b\r\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,\n,b",
      [
        ["a", ""],
        ["", "b"],
      ],
    ],
    ["a,", [["a", ""]]],
    ['"a,b","c\nd"', [["a,b", "c\nd"]]],
    ['"a""b",c', [['a"b', "c"]]],
    ['"never closed,\nb', [["never closed,\nb"]]],
    ['"a"b,c', [["ab", "c"]]],
    ["a\n\nb", [["a"], [""], ["b"]]],
    ["", []],
  ])("splits %j", (text, rows) => {
    expect([...rowsOf(text, ",")]).toEqual(rows);
  });
});
