import { inflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { DocumentKind } from "../../../src/content/documents/document.ts";
import { corpusFile, pageOf, textsOf } from "./corpus.ts";
import { pdfFrom } from "./make-pdf.ts";
import { zipOf } from "./zip-writer.ts";

const MARKDOWN = [
  "# Annual report",
  "",
  "Sales grew by **12\u00a0%** in the year, see [details](https://example.org/x).",
  "",
  "## Figures",
  "",
  "-   North",
  "    -   Oslo",
  "-   South",
  "",
  "| Region | Sales |",
  "| --- | --- |",
  "| North | 120 |",
  "| South | 80 |",
  "",
  "The code is sk_live_value | done.",
  "",
  "Second page: café € <b>",
];

const OF_ODT = MARKDOWN.map((line) =>
  line.replaceAll("**", "").replace(/^( *)-   /, (_, indent: string) => `${indent.slice(2)}- `),
);

describe("text documents", () => {
  it.each<[string, DocumentKind, readonly string[]]>([
    ["report.docx", "docx", MARKDOWN],
    ["report.html", "html", MARKDOWN],
    ["report.odt", "odt", OF_ODT],
  ])("reads %s as Markdown", async (name, kind, lines) => {
    const page = await pageOf(corpusFile(name), kind);
    expect({ ...page, parts: textsOf(page) }).toEqual({
      unit: "line",
      total: lines.length,
      head: undefined,
      notes: [],
      parts: lines,
    });
  });

  it("reads the chapters of a book", async () => {
    const [text = ""] = textsOf(await pageOf(corpusFile("report.epub"), "epub"));
    expect(text.split("\n")).toEqual(
      expect.arrayContaining(["Annual report", "| South | 80 |", "Second page: café € <b>"]),
    );
  });
});

const PAGES = [
  "Annual report\nSales grew by 12 % in the year, see details.\nFigures\n• North\n• Oslo\n• South\nRegion Sales\nNorth 120\nSouth 80\nThe code is sk_live_value | done.",
  "Second page: café € <b>",
];

describe("DOCX", () => {
  it("shows footnotes, comments, headers and what was inserted, and nothing that was deleted", async () => {
    const text = textsOf(await pageOf(corpusFile("review.docx"), "docx")).join("\n");
    for (const shown of ["FOOTNOTETEXT", "COMMENTTEXT", "Header: HEADERTEXT", "INSERTEDTEXT"])
      expect(text).toContain(shown);
    expect(text).not.toContain("DELETEDTEXT");
  });
});

describe("PDF", () => {
  it("reads text by page", async () => {
    expect(await pageOf(corpusFile("report.pdf"), "pdf")).toEqual({
      unit: "page",
      total: 2,
      head: undefined,
      notes: [],
      parts: PAGES.map((text, index) => ({ number: index + 1, text })),
    });
  });

  it.each([
    [{ from: 2 }, [2]],
    [{ from: -1 }, [2]],
    [{ to: 1 }, [1]],
    [{ from: 3 }, []],
    [{ chars: 1 }, [1]],
  ])("selects pages by %o", async (request, numbers) => {
    const { parts } = await pageOf(corpusFile("report.pdf"), "pdf", request);
    expect(parts.map(({ number }) => number)).toEqual(numbers);
  });

  it("shows a page without text as an image", async () => {
    const { parts } = await pageOf(corpusFile("scan.pdf"), "pdf");
    const [{ images = [] } = {}] = parts;
    expect(parts[0]?.text).toBe("(no text on this page: shown as an image)");
    const { size, first, last } = pixelsOf(Buffer.from(images[0]?.data ?? []));
    expect({ size, first, last, mime: images[0]?.mime }).toEqual({
      size: [400, 200],
      first: [255, 0, 0],
      last: [0, 0, 255],
      mime: "image/png",
    });
  });

  it("shows what is filled into a form, and says where it does not", async () => {
    const [text, image] = [
      await pageOf(corpusFile("form.pdf"), "pdf"),
      await pageOf(corpusFile("form.pdf"), "pdf", { asImages: true }),
    ];
    expect([textsOf(text), text.notes.length, image.notes.length]).toEqual([["Form page"], 1, 0]);
    const { data, info } = await sharp(image.parts[0]?.images?.[0]?.data)
      .extract({ left: 130, top: 415, width: 390, height: 50 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const dark = data.filter((value, at) => at % info.channels === 0 && value < 100).length;
    expect(dark).toBeGreaterThan(500);
  });

  it("makes an image of a page that is flatter than a pixel", async () => {
    const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 14400 1]>>";
    const flat = pdfFrom(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", page]);
    const { parts } = await pageOf(flat, "pdf");
    expect(pixelsOf(Buffer.from(parts[0]?.images?.[0]?.data ?? [])).size).toEqual([1600, 1]);
  });

  it("shows any page as an image on request", async () => {
    const { parts } = await pageOf(corpusFile("report.pdf"), "pdf", { asImages: true, to: 1 });
    expect(parts.map(({ text, images }) => [text, images?.length])).toEqual([["", 1]]);
  });
});

/** Decodes a PNG of ours: the size, and the colours of the first and the last pixel. */
function pixelsOf(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const data = png.indexOf("IDAT");
  const rows = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
  const stride = width * 3 + 1;
  const column = (x: number): number => {
    let value = 0;
    for (let y = 0; y < height; y++) value = (value + (rows[y * stride + 1 + x] ?? 0)) & 255;
    return value;
  };
  return {
    size: [width, height],
    first: [...rows.subarray(1, 4)],
    last: [column(stride - 4), column(stride - 3), column(stride - 2)],
  };
}

const STOCK = ["1\tItem\tCount\tSince", "2\tRope & line\t12\t2026-03-01", "3\tAnchor\t3.5"];
const WITH_FORMULA = [...STOCK, "4\tSum\t15.5 {=SUM(B2:B3)}\ttrue"];

describe("workbooks", () => {
  it.each<[string, DocumentKind, readonly string[]]>([
    ["stock.xlsx", "xlsx", WITH_FORMULA],
    ["stock.ods", "ods", WITH_FORMULA],
    ["stock.xls", "xls", [...STOCK, "4\tSum\t15.5\ttrue"]],
  ])("reads %s by row", async (name, kind, rows) => {
    const page = await pageOf(corpusFile(name), kind);
    expect({ ...page, parts: textsOf(page) }).toEqual({
      unit: "row",
      total: 4,
      head: "\tA\tB\tC",
      notes: ['Sheet "Stock" of "Stock", "Notes"'],
      parts: rows,
    });
  });

  it.each([
    [{ sheet: "Notes" }, "\tA", ["1\tCount again in May"]],
    [{ sheet: "2" }, "\tA", ["1\tCount again in May"]],
    [{ range: "B2:B3" }, "\tB", ["2\t12", "3\t3.5"]],
    [{ range: "a4" }, "\tA", ["4\tSum"]],
    [{ range: "C:C", from: 2, to: 2 }, "\tC", ["2\t2026-03-01"]],
    [{ range: "3:3" }, "\tA\tB\tC", ["3\tAnchor\t3.5"]],
    [{ range: "B3:A2" }, "\tA\tB", ["2\tRope & line\t12", "3\tAnchor\t3.5"]],
  ])("selects cells by %o", async (request, head, rows) => {
    const page = await pageOf(corpusFile("stock.xlsx"), "xlsx", request);
    expect([page.head, textsOf(page)]).toEqual([head, rows]);
  });

  it.each([{ sheet: "None" }, { range: "A1:" + "B".repeat(9) }, { range: "here" }])("refuses %o", async (request) => {
    await expect(pageOf(corpusFile("stock.xlsx"), "xlsx", request)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("shows so many columns of a wide sheet, and says which sheets are hidden", async () => {
    const { head, notes, parts } = await pageOf(corpusFile("wide.xlsx"), "xlsx");
    expect([head?.split("\t").length, parts[0]?.text]).toEqual([257, "1\tfirst\t08:15:00\t2024-05-01T13:30:00"]);
    expect(notes).toEqual([
      'Sheet "Wide" of "Wide", "Drafts" (hidden)',
      "Columns A to IV; range shows others, up to KN",
    ]);
    const far = await pageOf(corpusFile("wide.xlsx"), "xlsx", { range: "KM1:KN1" });
    expect([far.head, textsOf(far)]).toEqual(["\tKM\tKN", ["1\t\tlast"]]);
  });

  it("searches all sheets", async () => {
    const page = await pageOf(corpusFile("stock.xlsx"), "xlsx", { isSearch: true });
    expect(page.parts.map(({ title, text }) => [title, text])).toEqual([
      ...WITH_FORMULA.map((row) => ['sheet "Stock"', row]),
      ['sheet "Notes"', "1\tCount again in May"],
    ]);
  });
});

describe("slides, cells and delimited text", () => {
  it("names what slides draw, and those that are hidden", async () => {
    const ids = '<r><Relationship Id="a" Target="slides/a.xml" Type="x/slide"/></r>';
    const chart = '<p:graphicFrame><a:graphicData uri="http://schemas.example/chart"/></p:graphicFrame>';
    const pptx = zipOf([
      { name: "ppt/presentation.xml", content: '<p><p:sldId id="1" r:id="a"/></p>' },
      { name: "ppt/_rels/presentation.xml.rels", content: ids },
      { name: "ppt/slides/a.xml", content: `<p:sld show="0">${chart}<p:pic/></p:sld>` },
    ]);
    expect((await pageOf(pptx, "pptx")).parts).toEqual([{ number: 1, title: "(hidden)", text: "[chart]\n\n[image]" }]);
  });

  it("reads slides in their order, with notes", async () => {
    const { unit, parts } = await pageOf(corpusFile("order.pptx"), "pptx");
    expect([unit, parts]).toEqual([
      "slide",
      [
        { number: 1, title: "First", text: "One\n  Two\n\nNotes: Say hello" },
        { number: 2, title: "Last & least", text: "[image: A rope]" },
      ],
    ]);
  });

  it("reads the tables of slides", async () => {
    expect(textsOf(await pageOf(corpusFile("talk.pptx"), "pptx"))).toEqual([
      "Why ropes break\n\nWear\n  Sun\nLoad",
      "Numbers\n\n| Load | Life |\n| 10 | 9 years |",
    ]);
  });

  it("reads the cells of a notebook with their outputs", async () => {
    const { unit, total, parts } = await pageOf(corpusFile("plot.ipynb"), "notebook");
    expect([unit, total, parts.map(({ number, title, text }) => ({ number, title, text }))]).toEqual([
      "cell",
      3,
      [
        { number: 1, title: "markdown", text: "# Ropes\nLoad and life" },
        {
          number: 2,
          title: "code",
          text: "```python\nprint(1 + 1)\nplot()\n```\n\nOutput:\n2\n\nOutput:\n<Figure>\n[image/png]\n\nError: NameError: plot",
        },
        { number: 3, title: "raw", text: "" },
      ],
    ]);
    expect(parts[1]?.images?.map(({ mime, data }) => [mime, data.length])).toEqual([["image/png", 70]]);
  });

  it("reads delimited text as a table, with the types of its columns", async () => {
    expect(await pageOf(corpusFile("stock.csv"), "csv")).toEqual({
      unit: "row",
      total: 4,
      head: "\tA\tB\tC\tD",
      notes: ["4 columns: name (text), count (integer), since (date), price (number)"],
      parts: [
        { number: 1, text: "1\tname\tcount\tsince\tprice" },
        { number: 2, text: "2\tRope; thick\t12\t2026-03-01\t1.5" },
        { number: 3, text: "3\tAnchor large\t3\t2026-04-01\t20" },
        { number: 4, text: '4\tsay "hi"' },
      ],
    });
  });
});
