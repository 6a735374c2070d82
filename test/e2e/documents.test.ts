import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { imageFactsOf } from "../../src/content/images/header.ts";
import { corpusFile } from "../content/documents/corpus.ts";
import { blackPng } from "../content/images/made.ts";
import { nestedFormsPdf } from "../content/documents/make-pdf.ts";
import { scratch } from "../runtime/scratch.ts";
import { run } from "./bin.ts";
import { served } from "./served-corpus.ts";
import { zipOf } from "../content/documents/zip-writer.ts";

/** A book of one chapter. */
const epubOf = (chapter: string): Buffer =>
  zipOf([
    { name: "mimetype", content: "application/epub+zip", isStored: true },
    { name: "META-INF/container.xml", content: '<c><rootfile full-path="b.opf"/></c>' },
    { name: "b.opf", content: '<p><item id="a" href="a.html"/><itemref idref="a"/></p>' },
    { name: "a.html", content: chapter },
  ]);

describe("read of documents", () => {
  it("pages by unit, and says how to go on", async () => {
    const { call, end } = await served([
      "report.pdf",
      "stock.xlsx",
      "plot.ipynb",
      "scan.pdf",
      "stock.csv",
      "report.html",
    ]);
    const rows: readonly (readonly [object, RegExp])[] = [
      [{ path: "report.pdf", limit: 1 }, /^--- Page 1 of 2 ---\nAnnual report[^]*\[Cut: 1 more page; offset=2\]$/],
      [{ path: "report.pdf", offset: 2 }, /^--- Page 2 of 2 ---\nSecond page: café € <b>$/],
      [{ path: "report.pdf", pages: "2-" }, /^--- Page 2 of 2 ---/],
      [{ path: "report.pdf", pages: "9" }, /^\[Nothing there: the document has 2 pages\]$/],
      [{ path: "report.pdf", pages: "1", as: "image" }, /^--- Page 1 of 2 ---\n\n<image\/png>\n\[Cut: 1 more page/],
      [{ path: "scan.pdf" }, /shown as an image\)\n<image\/png>$/],
      [{ path: "stock.xlsx", sheet: "Notes" }, /^\tA\n1\tCount again in May\n\[Sheet "Notes" of "Stock", "Notes"\]$/],
      [{ path: "stock.xlsx", range: "B2:B2" }, /^\tB\n2\t12\n/],
      [
        { path: "plot.ipynb", pages: "1" },
        /^--- Cell 1 of 3: markdown ---\n# Ropes\nLoad and life\n\[Cut: 2 more cells; offset=2\]$/,
      ],
      [{ path: "plot.ipynb", as: "source", limit: 1 }, /^\{\n/],
      [{ path: "stock.csv", limit: 1 }, /^name;count;since;price\n/],
      [
        { path: "stock.csv", as: "table", limit: 1 },
        /^\tA\tB\tC\tD\n1\tname\tcount\tsince\tprice\n\[4 columns: name \(text\)/,
      ],
      [{ path: "report.html", limit: 1 }, /^<html>/],
      [{ path: "report.html", as: "markdown", limit: 1 }, /^# Annual report\n\[Cut: 17 more lines; offset=2\]$/],
      [{ path: "report.pdf", sheet: "x" }, /it has no sheets/],
    ];
    for (const [input, text] of rows) expect((await call("read", input)).text).toMatch(text);
    await end();
  });

  it("goes on inside a unit that is longer than a page, and loses nothing", async () => {
    const cells = [{ cell_type: "markdown", source: `${"a line of text\n".repeat(20)}${"x".repeat(500)}` }];
    const { call, end } = await served([], { "long.ipynb": JSON.stringify({ nbformat: 4, cells }) });
    let [cursor, joined] = [undefined as unknown, ""];
    do {
      const { data } = await call("read", {
        path: "long.ipynb",
        max_bytes: 100,
        ...(cursor !== undefined && { cursor }),
      });
      joined += String(data["content"]).replace(/^--- .* ---\n/, "");
      cursor = data["cursor"];
    } while (cursor !== undefined);
    await end();
    expect(joined).toBe(cells[0]?.source);
  });

  it("counts the titles of units: many small ones fill a page as well", async () => {
    const cells = Array.from({ length: 2000 }, () => ({ cell_type: "markdown", source: "x" }));
    const { call, end } = await served([], { "many.ipynb": JSON.stringify({ nbformat: 4, cells }) });
    const { text, data } = await call("read", { path: "many.ipynb", max_bytes: 1000 });
    await end();
    expect([text.length < 1200, data["next_offset"]]).toEqual([true, 29]);
  });

  it("makes the images of a notebook fit, however they are written", async () => {
    const wide = blackPng(2400, 12).toString("base64");
    const outputs = [wide, [wide.slice(0, 40), wide.slice(40)], "bm8gaW1hZ2U="].map((png) => ({
      output_type: "display_data",
      data: { "image/png": png },
    }));
    const cells = [{ cell_type: "code", source: "plot()", outputs: outputs.concat(Array(20).fill(outputs[0])) }];
    const { call, end } = await served([], { "plot.ipynb": JSON.stringify({ nbformat: 4, cells }) });
    const { text, images } = await call("read", { path: "plot.ipynb" });
    await end();
    expect(images.map((data) => imageFactsOf(Buffer.from(data, "base64"))?.width)).toEqual(Array(9).fill(2000));
    expect(text).toContain("[image/png is not shown: it is damaged]\n[13 more images: an answer shows 10]");
  });

  it("refuses what it cannot read, and goes on serving", async () => {
    const { root, call, end } = await served(["encrypted.pdf", "report.pdf"], { "x.heic": "" });
    const bytes: Record<string, Buffer> = {
      "half.docx": corpusFile("report.docx").subarray(0, 3000),
      "old.doc": Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1000)]),
      "archive.zip": zipOf([{ name: "a", content: "a" }]),
      "photo.heic": Buffer.concat([Buffer.from("0000001866747970", "hex"), Buffer.from("heic"), Buffer.alloc(2000)]),
      "memory.epub": epubOf("<i>a</i>".repeat(4_000_000)),
    };
    for (const [name, content] of Object.entries(bytes)) writeFileSync(join(root, name), content);
    const rows: readonly (readonly [string, RegExp])[] = [
      ["encrypted.pdf", /it is encrypted\nAsk the user for a copy without a password/],
      ["half.docx", /Cannot read it as text/],
      ["old.doc", /encrypted, or an Office file of before 2007/],
      ["archive.zip", /application\/zip/],
      ["photo.heic", /image\/heic[^]*convert it to JPEG or PNG/],
      ["memory.epub", /too much memory|longer than 20 s/],
    ];
    for (const [path, text] of rows) expect((await call("read", { path })).text).toMatch(text);
    expect((await call("read", { path: "report.pdf", offset: 2 })).isError).toBe(false);
    await end();
  });

  it("bounds the memory of a PDF, and reads the next one", async () => {
    const { root, call, end } = await served(["report.pdf"]);
    writeFileSync(join(root, "forms.pdf"), nestedFormsPdf());
    expect((await call("read", { path: "forms.pdf" })).text).toMatch(/it takes too much memory/);
    expect((await call("read", { path: "report.pdf", offset: 2 })).text).toMatch(/^--- Page 2 of 2 ---/);
    await end();
  });

  it("hides known secrets in the text of documents", async () => {
    const { call, end } = await served(["report.docx", "report.pdf"], { ".env": "API_TOKEN=sk_live_value\n" });
    expect((await call("read", { path: ".env" })).text).not.toContain("sk_live_value");
    for (const path of ["report.docx", "report.pdf"]) {
      const { text } = await call("read", { path });
      expect(text).toMatch(/The code is ‹secret:API_TOKEN#\d+› \| done/);
      expect(text).not.toContain("sk_live_value");
    }
    await end();
  });

  it.each([
    ["read", { path: "book.epub" }, /NEEDLE ‹secret:GITHUB_TOKEN#1›/],
    ["grep", { pattern: "NEEDLE", path: "book.epub" }, /NEEDLE \*{40}/],
    ["grep", { pattern: "NEEDLE", documents: true }, /NEEDLE \*{40}/],
    ["grep", { pattern: "ghp_", documents: true }, /^\[No matches\]/],
  ])(
    "hides secrets that only a document holds, where all files are searched for them: %s %o",
    async (tool, input, is) => {
      const config = join(scratch({ "config.jsonc": '{ "secrets": "strict" }' }), "config.jsonc");
      const { root, call, end } = await served([], {}, ["--config", config]);
      const secret = ["ghp", "Zk39fKq0LmP2xVt7Rw4YbN8cHd5Js1Ge6UoA"].join("_");
      writeFileSync(join(root, "book.epub"), epubOf(`<p>NEEDLE ${secret}</p>`));
      const { text } = await call(tool, input);
      expect(text).toMatch(is);
      expect(text).not.toContain(secret);
      await end();
    },
  );

  it("works in a command of its own", async () => {
    const root = scratch({});
    writeFileSync(join(root, "report.docx"), corpusFile("report.docx"));
    const { out, code } = await run(["read", "report.docx"], { cwd: root });
    expect([code, out]).toEqual([0, expect.stringContaining("| North | 120 |")]);
  });
});

describe("grep in documents", () => {
  const ALL = ["report.docx", "report.pdf", "stock.xlsx", "encrypted.pdf"];
  /** Only texts of documents that did not change just now are cached. */
  const LONG_AGO = new Date(2020, 1, 1);

  it("searches a document that is named, and says where in it", async () => {
    const { call, end } = await served(ALL);
    const rows: readonly (readonly [object, string])[] = [
      [{ pattern: "caf.", path: "report.pdf" }, "report.pdf\n11:14 [page 2] Second page: café € <b>"],
      [{ pattern: "North \\|", path: "report.docx" }, "report.docx\n13:3 | North | 120 |"],
      [{ pattern: "Anchor", path: "stock.xlsx" }, 'stock.xlsx\n3:3 [sheet "Stock"] 3\tAnchor\t3.5'],
      [{ pattern: "May", path: "stock.xlsx", context: 1 }, 'stock.xlsx\n5:18 [sheet "Notes"] 1\tCount again in May'],
      [{ pattern: "nowhere", path: "report.pdf" }, "[No matches]"],
    ];
    for (const [input, text] of rows) expect((await call("grep", input)).text).toBe(text);
    await end();
  });

  it("searches all of them on request, and counts them else", async () => {
    const { call, end } = await served(ALL, { "a.txt": "North\n" });
    expect((await call("grep", { pattern: "North" })).text).toBe(
      "a.txt\n1:1 North\n[Not searched: 4 documents such as PDF; name one as path]",
    );
    for (const round of ["first", "cached"]) {
      const { data, text } = await call("grep", { pattern: "North", documents: true, mode: "files" });
      const found = (data["files"] as readonly { path: string }[]).map(({ path }) => path).toSorted();
      expect([round, found]).toEqual([round, ["a.txt", "report.docx", "report.pdf"]]);
      expect(text).toContain("[Not searched: encrypted.pdf: it is encrypted]");
    }
    await end();
  });

  it("finds the same in cached texts, but neither what is hidden nor what is gone", async () => {
    const { root, call, end } = await served(ALL, { "old/.env": "API_TOKEN=sk_live_value\n", "text.pdf": "North\n" });
    const pathOf = (name: string): string => join(root, name);
    const age = (name: string): void => utimesSync(pathOf(name), LONG_AGO, LONG_AGO);
    for (const name of ALL) age(name);
    const filesWith = async (pattern: string, more: object = {}) => {
      const { data } = await call("grep", { pattern, documents: true, mode: "files", ...more });
      return (data["files"] as readonly { path: string }[]).map(({ path }) => path).toSorted();
    };
    const both = ["report.docx", "report.pdf"];
    for (const round of ["first", "cached"]) {
      expect([round, await filesWith("North")]).toEqual([round, [...both, "text.pdf"]]);
      expect([round, await filesWith("Nor[a-z]+\\b", { glob: "*.docx" })]).toEqual([round, ["report.docx"]]);
      expect([round, await filesWith("North.*\\n.*South", { multiline: true })]).toEqual([round, both]);
      expect([round, await filesWith("sk_live")]).toEqual([round, both]);
    }
    await call("read", { path: "old/.env" });
    expect(await filesWith("sk_live")).toEqual([]);
    writeFileSync(pathOf("report.docx"), corpusFile("stock.xlsx"));
    rmSync(pathOf("report.pdf"));
    age("report.docx");
    expect(await filesWith("North")).toEqual(["text.pdf"]);
    expect(await filesWith("Anchor")).toEqual(["report.docx", "stock.xlsx"]);
    await end();
  });

  it("says that it did not search all documents where there are too many", async () => {
    const { root, call, end } = await served([]);
    for (let nth = 0; nth <= 5000; nth++) writeFileSync(join(root, `${nth}.pdf`), "");
    const { text } = await call("grep", { pattern: "North", documents: true });
    expect(text).toMatch(/not all documents were searched; search a narrower path or pass a glob/);
    await end();
  });

  it("counts what it could not search beyond those that it lists", async () => {
    const { root, call, end } = await served([]);
    for (let nth = 10; nth < 25; nth++) writeFileSync(join(root, `${nth}.pdf`), "%PDF-1.4\n\xff");
    const { text } = await call("grep", { pattern: "x", documents: true });
    await end();
    expect(text.split("\n").slice(-2)).toEqual([
      expect.stringMatching(/19\.pdf: it is no valid PDF/),
      "[Not searched: 5 more]",
    ]);
  });

  it("neither finds nor shows a known secret", async () => {
    const { call, end } = await served(["report.docx"], { ".env": "API_TOKEN=sk_live_value\n" });
    await call("read", { path: ".env" });
    expect((await call("grep", { pattern: "sk_live", path: "report.docx" })).text).toBe("[No matches]");
    expect((await call("grep", { pattern: "code is", path: "report.docx" })).text).toBe(
      "report.docx\n16:5 The code is ************* | done.",
    );
    await end();
  });
});
