import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { pageOf } from "./corpus.ts";
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

async function described(text: string) {
  const { head = "", notes } = await pageOf(Buffer.from(text), "csv");
  return [head.split("\t").length - 1, notes];
}

describe("columns of delimited text", () => {
  it("are described in a few words, however long their names are", async () => {
    expect(await described(`${"x".repeat(65)},"a\nb"\n1,2\n`)).toEqual([2, ["2 columns: A (integer), a b (integer)"]]);
    expect(await described("name\n")).toEqual([1, ["1 column: name (empty)"]]);
  });

  it.each(["utf16le", "utf16be"])("are taken from the start of a large file in %s", async (encoding) => {
    const bytes = Buffer.from(`\uFEFFid,name\n${"1,a\n".repeat(1_100_000)}`, "utf16le");
    const start = (encoding === "utf16le" ? bytes : bytes.swap16()).subarray(0, LIMITS.tableSampleBytes);
    const { total, notes } = await pageOf(start, "csv", { to: 2 });
    expect([total, notes[0]]).toEqual([1_048_574, "2 columns: id (integer), name (text)"]);
  });

  it("are named up to a limit", async () => {
    const [columns, notes] = await described(`${"x,".repeat(9999)}x\n`);
    expect([columns, String(notes).length, String(notes)]).toEqual([
      256,
      expect.toSatisfy((length) => length < 5000),
      expect.stringMatching(/^10000 columns: x \(empty\), .*, and 9744 more$/),
    ]);
  });
});
