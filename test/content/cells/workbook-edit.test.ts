import { describe, expect, it } from "vitest";
import type { CellEdit } from "../../../src/content/cells/cell-edit.ts";
import { editWorkbook } from "../../../src/content/cells/workbook-edit.ts";
import { openPackage } from "../../../src/content/cells/zip-package.ts";
import { corpusFile } from "../documents/corpus.ts";
import { type MadeWorkbook, makeWorkbook, partOf, peerValues, rowsOf } from "./made-workbook.ts";

const edited = (made: MadeWorkbook, ...edits: readonly CellEdit[]) => editWorkbook(makeWorkbook(made), edits);
const at = (cell: string, newText: string): CellEdit => ({ cell, newText });

/** Returns the names of the parts that differ, or are only in one of two workbooks. */
async function differences(one: Uint8Array, other: Uint8Array): Promise<readonly string[]> {
  const [before, after] = [await openPackage(one), await openPackage(other)];
  const names = [...new Set([...before.names, ...after.names])];
  const bytesIn = async (zip: typeof before, name: string) => (zip.has(name) ? zip.text(name).catch(() => name) : "");
  const same = await Promise.all(
    names.map(async (name) => (await bytesIn(before, name)) === (await bytesIn(after, name))),
  );
  return names.filter((_, nth) => !same[nth]);
}

describe("values", () => {
  it.each<[string, CellEdit, string, string, string]>([
    ["a number", at("B1", "12.50"), "1", "12.5", '<c r="B1"><v>12.5</v></c>'],
    ["a negative number", at("B1", "-.5"), "1", "-0.5", '<c r="B1"><v>-0.5</v></c>'],
    [
      "a text, and keeps the style",
      at("A1", "a<b> & c"),
      "Rope",
      "a<b> & c",
      '<c r="A1" s="4" t="inlineStr"><is><t>a&lt;b&gt; &amp; c</t></is></c>',
    ],
    ["spaces", at("A1", " x\r\ny "), "Rope", " x\ny ", '<is><t xml:space="preserve"> x\ny </t></is>'],
    ["a boolean", at("B1", "true"), "1", "TRUE", '<c r="B1" t="b"><v>1</v></c>'],
    ["leading noughts as text", at("B1", "007"), "1", "007", "<is><t>007</t></is>"],
    [
      "more digits than a number holds as text",
      at("B1", "1234567890123456"),
      "1",
      "1234567890123456",
      "<is><t>1234567890123456</t></is>",
    ],
    ["an apostrophe as the sign of a text", at("B1", "'=1"), "1", "=1", "<is><t>=1</t></is>"],
    ["nothing", at("A1", ""), "Rope", "", '<c r="A1" s="4"/>'],
    [
      "a date in a cell of dates",
      at("B2", "2026-11-18"),
      "2026-03-01",
      "2026-11-18",
      '<c r="B2" s="1"><v>46344</v></c>',
    ],
    ["a date with a time", at("B2", "2026-11-18T12:00"), "2026-03-01", "2026-11-18T12:00", "<v>46344.5</v>"],
    ["a date elsewhere as text", at("B1", "2026-11-18"), "1", "2026-11-18", "<is><t>2026-11-18</t></is>"],
    ["a formula", at("B1", "=SUM(A1:A2)"), "1", "=SUM(A1:A2)", '<c r="B1"><f>SUM(A1:A2)</f></c>'],
    [
      "a formula over a formula",
      at("B3", '=B1&"<"'),
      '=B1&"x"',
      '=B1&"<"',
      '<c r="B3"><f>B1&amp;&quot;&lt;&quot;</f></c>',
    ],
    [
      "a newer function with its prefix",
      at("B1", "=xlookup(1,A1:A2,A1:A2)"),
      "1",
      "=xlookup(1,A1:A2,A1:A2)",
      "<f>_xlfn.XLOOKUP(1,A1:A2,A1:A2)</f>",
    ],
    ["what looks like an escape", at("A1", "_x0041_"), "Rope", "_x0041_", "<t>_x005F_x0041_</t>"],
    ["an inline text", at("A2", "c"), "b", "c", "<is><t>c</t></is>"],
    ["a text of several runs", at("A3", "c"), "two runs", "c", "<is><t>c</t></is>"],
  ])("writes %s", async (_, edit, before, after, xml) => {
    const { bytes, cells } = await edited({}, edit);
    expect(cells).toEqual([{ name: `Stock!${edit.cell}`, before, after }]);
    expect(await rowsOf(bytes)).toContain(xml);
  });

  it.each([
    ["numbers into a cell of texts as text", { s: "2" }, "12", '<c r="B1" s="2" t="inlineStr"><is><t>12</t></is></c>'],
    ["dates by the format of the file", { s: "3" }, "2026-11-18", '<c r="B1" s="3"><v>46344</v></c>'],
  ])("writes %s", async (_, { s }, text, xml) => {
    const { bytes } = await edited({ rows: `<row r="1"><c r="B1" s="${s}"/></row>` }, at("B1", text));
    expect(await rowsOf(bytes)).toContain(xml);
  });

  it("counts dates from 1904 where the workbook does", async () => {
    const { bytes, cells } = await edited({ workbook: '<workbookPr date1904="1"/>' }, at("B2", "2026-11-18"));
    expect([cells[0]?.before, await rowsOf(bytes)]).toEqual(["2030-03-02", expect.stringContaining("<v>44882</v>")]);
  });
});

describe("places", () => {
  it.each<[string, MadeWorkbook, CellEdit, string]>([
    [
      "before the first cell",
      { rows: '<row r="1" spans="2:2"><c r="B1"><v>1</v></c></row>' },
      at("A1", "5"),
      '<row r="1"><c r="A1"><v>5</v></c><c r="B1"><v>1</v></c></row>',
    ],
    [
      "after the last cell",
      { rows: '<row r="1"><c r="A1"><v>1</v></c></row>' },
      at("C1", "5"),
      '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>5</v></c></row>',
    ],
    [
      "into an empty row",
      { rows: '<row r="1" ht="3"/>' },
      at("B1", "5"),
      '<row r="1" ht="3"><c r="B1"><v>5</v></c></row>',
    ],
    [
      "into a new row before others",
      { rows: '<row r="3"/>' },
      at("A2", "5"),
      '<row r="2"><c r="A2"><v>5</v></c></row><row r="3"/>',
    ],
    [
      "into a new row after others",
      { rows: '<row r="3"/>' },
      at("A4", "5"),
      '<row r="3"/><row r="4"><c r="A4"><v>5</v></c></row>',
    ],
    [
      "with the style of its row",
      { rows: '<row r="1" s="4" customFormat="1"/>' },
      at("B1", "5"),
      '<c r="B1" s="4"><v>5</v></c>',
    ],
    [
      "with the style of its column",
      { rows: "", columns: '<cols><col min="2" max="3" style="1"/></cols>' },
      at("C9", "2026-11-18"),
      '<c r="C9" s="1"><v>46344</v></c>',
    ],
    [
      "among cells that do not say where they are",
      { rows: "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>" },
      at("B1", "5"),
      "<row><c><v>1</v></c><c><v>5</v></c></row><row><c><v>3</v></c></row>",
    ],
    [
      "with single quotes and spaces in tags",
      { rows: "<row r = '1' ><c r='A1' s='4' ><v >1</v ></c ></row >" },
      at("A1", "5"),
      "<row r = '1' ><c r='A1' s='4' ><v>5</v></c></row >",
    ],
  ])("inserts a cell %s", async (_, made, edit, rows) => {
    expect(await rowsOf((await edited(made, edit)).bytes)).toContain(rows);
  });

  it("keeps the order of cells that are inserted and replaced side by side", async () => {
    const edits = ["C1", "A1", "B1", "A2", "E5", "D5", "B2"].map((cell, nth) => at(cell, String(nth)));
    const { bytes } = await edited({ rows: '<row r="1"><c r="B1"><v>9</v></c></row><row r="5"/>' }, ...edits);
    expect(await rowsOf(bytes)).toBe(
      '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="C1"><v>0</v></c></row>' +
        '<row r="2"><c r="A2"><v>3</v></c><c r="B2"><v>6</v></c></row><row r="5"><c r="D5"><v>5</v></c><c r="E5"><v>4</v></c></row>',
    );
  });

  it("keeps the prefix of a sheet, and fills an empty one", async () => {
    const sheet = '<x:worksheet xmlns:x="m"><x:dimension ref="A1"/><x:sheetData/></x:worksheet>';
    const { bytes } = await edited({ sheet }, at("B2", "x"));
    expect(await partOf(bytes, "xl/worksheets/sheet1.xml")).toBe(
      '<x:worksheet xmlns:x="m"><x:dimension ref="A1:B2"/><x:sheetData><x:row r="2"><x:c r="B2" t="inlineStr">' +
        "<x:is><x:t>x</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>",
    );
  });

  it.each([
    ["its name", "My notes"],
    ["its number", "2"],
  ])("finds a sheet by %s", async (_, sheet) => {
    const { cells } = await edited({}, { sheet, cell: "$a$1", newText: "3" });
    expect(cells).toEqual([{ name: "My notes!A1", before: "=Stock!B1+1", after: "3" }]);
  });
});

describe("formulas", () => {
  it("removes results that may be wrong, and only those", async () => {
    const rows =
      '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="C1" t="str"><f>A1&amp;""</f><v>1</v></c><c r="D1"><f>B1*2</f><v>4</v></c></row>' +
      '<row r="2"><c r="A2"><f>SUM(C:C)</f><v>1</v></c><c r="B2"><f>Rate*2</f><v>3</v></c><c r="C2"><f>$D$1:$D$1</f><v>4</v></c></row>';
    const { bytes, notes } = await edited(
      { rows, second: sheetOf('<c r="A1"><f>stock!A2+1</f><v>2</v></c><c r="B1"><f>B9</f><v>0</v></c>') },
      at("A1", "9"),
    );
    expect(await rowsOf(bytes)).toBe(
      '<row r="1"><c r="A1"><v>9</v></c><c r="B1"><v>2</v></c><c r="C1"><f>A1&amp;""</f></c><c r="D1"><f>B1*2</f><v>4</v></c></row>' +
        '<row r="2"><c r="A2"><f>SUM(C:C)</f></c><c r="B2"><f>Rate*2</f></c><c r="C2"><f>$D$1:$D$1</f><v>4</v></c></row>',
    );
    expect(await partOf(bytes, "xl/worksheets/sheet2.xml")).toBe(
      sheetOf('<c r="A1"><f>stock!A2+1</f></c><c r="B1"><f>B9</f><v>0</v></c>'),
    );
    expect(notes).toEqual([
      "the results of 4 formulas may have changed: they are calculated when a spreadsheet program opens the file",
    ]);
  });

  it("says nothing about results that were missing before", async () => {
    const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>A1</f><v></v></c><c r="C1"><f>A1</f><v/></c></row>';
    const { notes } = await edited({ rows, second: sheetOf("") }, at("A1", "9"));
    expect(notes).toEqual([]);
  });

  it("removes all results of a formula that fills several cells", async () => {
    const rows =
      '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="array" ref="B1:C1">A1:A2*2</f><v>2</v></c><c r="C1"><v>3</v></c></row>';
    const { bytes } = await edited({ rows }, at("A1", "9"));
    expect(await rowsOf(bytes)).toContain('<c r="B1"><f t="array" ref="B1:C1">A1:A2*2</f></c><c r="C1"></c>');
  });

  it("gives cells formulas of their own where they share that of a cell which is edited", async () => {
    const rows =
      '<row r="1"><c r="A1"><f t="shared" ref="A1:A3" si="0">B1*$C$1+$D1+E$1+F:F</f><v>1</v></c></row>' +
      '<row r="2"><c r="A2"><f t="shared" si="0"/><v>2</v></c></row><row r="3"><c r="A3"><f t="shared" si="0"/><v>3</v></c></row>';
    const first = await edited({ rows }, at("A1", "7"));
    expect(await rowsOf(first.bytes)).toBe(
      '<row r="1"><c r="A1"><v>7</v></c></row><row r="2"><c r="A2"><f>B2*$C$1+$D2+E$1+F:F</f><v>2</v></c></row>' +
        '<row r="3"><c r="A3"><f>B3*$C$1+$D3+E$1+F:F</f><v>3</v></c></row>',
    );
    const second = await edited({ rows }, at("A2", "7"));
    expect(second.cells[0]?.before).toBe("=B2*$C$1+$D2+E$1+F:F");
    expect(await rowsOf(second.bytes)).toBe(rows.replace('<f t="shared" si="0"/><v>2</v>', "<v>7</v>"));
  });

  it.each<[string, MadeWorkbook, string]>([
    ["changes the setting", {}, '<calcPr calcId="191029" fullCalcOnLoad="1"/>'],
    ["replaces it", { calculation: '<calcPr fullCalcOnLoad="0"/>' }, '<calcPr fullCalcOnLoad="1"/>'],
    ["adds it", { calculation: "<definedNames/><oleSize/>" }, '<definedNames/><calcPr fullCalcOnLoad="1"/><oleSize/>'],
  ])("asks for a calculation when the file is opened: %s", async (_, made, xml) => {
    const { bytes } = await edited(made, at("B1", "2"));
    expect(await partOf(bytes, "xl/workbook.xml")).toContain(xml);
  });

  it("removes the order of calculation when a formula goes, and keeps it otherwise", async () => {
    const gone = (await edited({}, at("B3", "2"))).bytes;
    const zip = await openPackage(gone);
    expect(zip.has("xl/calcChain.xml")).toBe(false);
    expect(await zip.text("[Content_Types].xml")).not.toContain("calcChain");
    expect(await zip.text("xl/_rels/workbook.xml.rels")).not.toContain("calcChain");
    expect(await zip.text("xl/_rels/workbook.xml.rels")).toContain("sharedStrings.xml");
    expect((await openPackage((await edited({}, at("B3", "=2"))).bytes)).has("xl/calcChain.xml")).toBe(true);
  });
});

const sheetOf = (cells: string): string => `<worksheet><sheetData><row r="1">${cells}</row></sheetData></worksheet>`;

describe("files of other programs", () => {
  it.each<
    [
      string,
      readonly CellEdit[],
      readonly string[],
      number,
      readonly (readonly [row: number, column: number, value: unknown])[],
    ]
  >([
    [
      "stock.xlsx",
      [at("B2", "20"), at("D9", "new")],
      ["xl/workbook.xml", "xl/worksheets/sheet1.xml"],
      0,
      [
        [1, 1, 20],
        [8, 3, "new"],
        [3, 1, "=SUM(B2:B3)"],
      ],
    ],
    [
      "ledger.xlsx",
      [at("B3", "90"), at("C3", "2026-06-07"), at("D3", "0012")],
      ["xl/worksheets/sheet1.xml"],
      0,
      [
        [2, 1, 90],
        [2, 2, "2026-06-07"],
        [2, 3, "0012"],
        [4, 1, "=SUM(B2:B4)"],
      ],
    ],
    [
      "ledger.xlsx",
      [{ sheet: "Bob's list", cell: "A1", newText: "=1+1" }],
      ["xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"],
      1,
      [
        [0, 0, "=1+1"],
        [0, 2, "Name"],
        [1, 0, true],
      ],
    ],
    [
      "plan.xlsx",
      [at("B2", "9"), at("C3", "done")],
      ["xl/workbook.xml", "xl/worksheets/sheet1.xml"],
      0,
      [
        [1, 1, 9],
        [2, 2, "done"],
        [5, 1, "=SUM(B2:B5)"],
      ],
    ],
  ])("changes only the sheet in %s (%#)", async (file, edits, changed, sheet, values) => {
    const before = corpusFile(file);
    const { bytes } = await editWorkbook(new Uint8Array(before), edits);
    const differing = await differences(before, bytes);
    expect(differing.filter((name) => name !== "xl/workbook.xml")).toEqual(
      changed.filter((name) => name !== "xl/workbook.xml"),
    );
    const peer = await peerValues(bytes, sheet);
    expect(values.map(([row, column]) => peer[row]?.[column])).toEqual(values.map(([, , value]) => value));
  });
});
