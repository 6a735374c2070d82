import { describe, expect, it } from "vitest";
import type { CellEdit } from "../../../src/content/cells/cell-edit.ts";
import { editWorkbook } from "../../../src/content/cells/workbook-edit.ts";
import type { ZipPart } from "../archives/make-zip.ts";
import { type MadeWorkbook, makeWorkbook, rowsOf } from "./made-workbook.ts";

const edited = (made: MadeWorkbook, ...edits: readonly CellEdit[]) => editWorkbook(makeWorkbook(made), edits);
const at = (cell: string, newText: string): CellEdit => ({ cell, newText });

const table = (more: string): MadeWorkbook => ({
  links: [["table", "../tables/table1.xml"]],
  parts: [
    {
      name: "xl/tables/table1.xml",
      content: `<table displayName="Staff" ref="A1:B3" ${more}><tableColumns/></table>`,
    },
  ],
});

/** Gives the first sheet a name of two lines. */
const withTwoLines = (part: ZipPart): ZipPart => ({
  ...part,
  content: String(part.content).replace('name="Stock"', 'name="Stock&#10;Done"'),
});

const withManySheets = (part: ZipPart): ZipPart => ({
  ...part,
  content: String(part.content).replace(/<sheet name="My notes"[^>]*>/, (sheet) => sheet.repeat(201)),
});

describe("refusals", () => {
  const merge = { rest: '<mergeCells count="1"><mergeCell ref="A1:B2"/></mergeCells>' };
  const array = {
    rows: '<row r="1"><c r="A1"><f t="array" ref="A1:A2">B1:B2</f><v>1</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>',
  };
  const pivot: MadeWorkbook = {
    links: [["pivotTable", "../pivotTables/p.xml"]],
    parts: [
      { name: "xl/pivotTables/p.xml", content: '<pivotTableDefinition><location ref="A1:B2"/></pivotTableDefinition>' },
    ],
  };
  it.each<[string, MadeWorkbook, CellEdit, string, RegExp]>([
    ["a merged cell", merge, at("B2", "1"), "invalid_input", /Stock!B2: it is merged into A1:B2/],
    ["a part of an array", array, at("A2", "1"), "invalid_input", /one formula fills A1:A2/],
    ["the first cell of an array", array, at("A1", "1"), "invalid_input", /one formula fills A1:A2/],
    ["a heading of a table", table(""), at("B1", "1"), "invalid_input", /the headings of the table "Staff"/],
    [
      "a total of a table",
      table('totalsRowCount="1"'),
      at("B3", "1"),
      "invalid_input",
      /the totals of the table "Staff"/,
    ],
    ["a cell of a pivot table", pivot, at("B2", "1"), "invalid_input", /a pivot table/],
    ["a cell that no sheet has", {}, at("XFE1", "1"), "invalid_input", /"XFE1" is no cell/],
    ["a row that no sheet has", {}, at("A1048577", "1"), "invalid_input", /is no cell/],
    ["a range", {}, at("A1:B2", "1"), "invalid_input", /is no cell/],
    [
      "a sheet that is not there",
      {},
      { sheet: "stock", cell: "A1", newText: "" },
      "invalid_input",
      /no "stock", only "Stock", "My notes"/,
    ],
    ["a value that is there", {}, at("B1", "1"), "no_change", /have these values already/],
    ["a text that is too long", {}, at("A1", "x".repeat(32_768)), "invalid_input", /at most 32767/],
    ["control characters", {}, at("A1", "a\u0001"), "cannot_encode", /cannot hold/],
    ["half a character", {}, at("A1", "a\ud800"), "cannot_encode", /cannot hold/],
    ["a formula that is none", {}, at("A1", "=SUM(A1"), "invalid_input", /parentheses/],
    ["macros", { parts: [{ name: "xl/vbaProject.bin" }] }, at("A1", "1"), "denied", /has macros/],
    ["old macros", { parts: [{ name: "xl/macrosheets/sheet1.xml" }] }, at("A1", "1"), "denied", /has macros/],
    ["a signature", { parts: [{ name: "_xmlsignatures/sig1.xml" }] }, at("A1", "1"), "denied", /is signed/],
    ["an encrypted part", { packed: (part) => ({ ...part, flags: 0x801 }) }, at("A1", "1"), "denied", /encrypted/],
    [
      "two parts of one name",
      { parts: [{ name: "xl/workbook.xml", content: "<a/>" }] },
      at("A1", "1"),
      "not_text",
      /./,
    ],
    [
      "rows that are not in order",
      { rows: '<row r="2"/><row r="1"/>' },
      at("A1", "1"),
      "not_text",
      /rows are not in order/,
    ],
    [
      "a cell that is there twice",
      { rows: '<row r="1"><c r="A1"/><c r="A1"/></row>' },
      at("A1", "1"),
      "not_text",
      /cells are not in order/,
    ],
    [
      "entities",
      { sheet: '<!DOCTYPE w [<!ENTITY a "b">]><worksheet><sheetData/></worksheet>' },
      at("A1", "1"),
      "not_text",
      /DOCTYPE/,
    ],
    [
      "an unknown entity",
      { rows: '<row r="1"><c r="A1" t="str"><v>&a;</v></c></row>' },
      at("A1", "1"),
      "not_text",
      /entity/,
    ],
    ["XML that is cut off", { sheet: "<worksheet><sheetData><row>" }, at("A1", "1"), "not_text", /cut off/],
    [
      "tags that do not match",
      { sheet: "<worksheet><sheetData></row></worksheet>" },
      at("A1", "1"),
      "not_text",
      /broken/,
    ],
    ["deep XML", { sheet: "<a>".repeat(5000) }, at("A1", "1"), "not_text", /nested too deeply/],
    [
      "another encoding",
      { sheet: '<?xml version="1.0" encoding="UTF-16"?><a/>' },
      at("A1", "1"),
      "not_text",
      /not XML in UTF-8/,
    ],
    ["no sheet", { sheet: "<chartsheet/>" }, at("A1", "1"), "not_text", /no place for cells/],
  ])("refuses %s", async (_, made, edit, code, message) => {
    await expect(edited(made, edit)).rejects.toMatchObject({
      name: "Fault",
      code,
      message: expect.stringMatching(message),
    });
  });

  it("names a sheet so that it cannot forge a line", async () => {
    const [cell] = (await edited({ packed: withTwoLines }, at("A1", "1"))).cells;
    expect(cell?.name).toBe('"Stock\\nDone"!A1');
  });

  it("lists only the first of many sheets", async () => {
    const fault = edited({ packed: withManySheets }, { sheet: "None", cell: "A1", newText: "1" });
    await expect(fault).rejects.toMatchObject({ message: expect.stringMatching(/, and 102 more$/) });
  });

  it("ends a comment where an XML parser does", async () => {
    const rows = '<!--><row r="1"><c r="A1"><v>1</v></c></row>--><row r="1"><c r="A1"><v>2</v></c></row>';
    expect((await edited({ rows }, at("A1", "3"))).cells[0]?.before).toBe("2");
  });

  it("refuses one cell twice", async () => {
    await expect(edited({}, at("A1", "1"), at("a1", "2"))).rejects.toMatchObject({ code: "overlap" });
  });

  it("edits the first cell of a merge, and a formula that fills one cell", async () => {
    expect((await edited(merge, at("A1", "x"))).cells).toHaveLength(1);
    const rows = '<row r="1"><c r="A1" cm="1"><f t="array" ref="A1">B1</f><v>1</v></c></row>';
    expect(await rowsOf((await edited({ rows }, at("A1", "5"))).bytes)).toBe('<row r="1"><c r="A1"><v>5</v></c></row>');
  });
});
