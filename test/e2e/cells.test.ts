import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeWorkbook, peerValues } from "../content/cells/made-workbook.ts";
import type { ZipPart } from "../content/archives/make-zip.ts";
import { corpusFile } from "../content/documents/corpus.ts";
import { scratch } from "../runtime/scratch.ts";
import { served } from "./served-corpus.ts";

const withSheetsSwapped = (part: ZipPart): ZipPart =>
  part.name === "xl/workbook.xml"
    ? { ...part, content: String(part.content).replace(/(<sheet [^>]*>)(<sheet [^>]*>)/, "$2$1") }
    : part;

const STALE = /Note: the results of 1 formula may have changed/;

describe("edit of cells", () => {
  it("previews, writes, and is undone to the same bytes", async () => {
    const { root, call, end } = await served(["stock.xlsx"]);
    const file = (): Buffer => readFileSync(join(root, "stock.xlsx"));
    const edits = [
      { cell: "B2", newText: "20" },
      { sheet: "Notes", cell: "A1", newText: "=Stock!B2" },
    ];
    const preview = await call("edit", { path: "stock.xlsx", edits, dry_run: true });
    expect(preview.data["diff"]).toBe(
      "--- a/stock.xlsx\n+++ b/stock.xlsx\n@@ -1,2 +1,2 @@\n-Stock!B2: 12\n-Notes!A1: Count again in May\n" +
        "+Stock!B2: 20\n+Notes!A1: =Stock!B2\n",
    );
    expect(preview.text).toMatch(/^Nothing was changed; this is a dry run:\nWould edit stock.xlsx: 2 cells\n/);
    expect(file().equals(corpusFile("stock.xlsx"))).toBe(true);

    const edited = await call("edit", { path: "stock.xlsx", edits });
    expect(edited).toMatchObject({
      isError: false,
      data: { replacements: 2, tier: "exact" },
      text: expect.stringMatching(STALE),
    });
    expect((await peerValues(file()))[1]?.[1]).toBe(20);
    expect((await call("read", { path: "stock.xlsx", range: "A2:B4" })).text).toContain("2\tRope & line\t20");
    expect((await call("history", {})).text).toContain("stock.xlsx");

    await call("undo", {});
    expect(file().equals(corpusFile("stock.xlsx"))).toBe(true);
    await end();
  });

  it("replaces the source of a notebook's cell, and clears its outputs", async () => {
    const { root, call, end } = await served(["plot.ipynb"]);
    const { text } = await call("edit", { path: "plot.ipynb", edits: [{ cell: 2, newText: "print(2)" }] });
    expect(text).toMatch(/-print\(1 \+ 1\)\n-plot\(\)\n\+print\(2\)\nNote: cleared the outputs of cell 2/);
    expect(readFileSync(join(root, "plot.ipynb"), "utf8")).toBe(
      corpusFile("plot.ipynb")
        .toString()
        .replace(
          /"execution_count": 2[^]*?\n {2}\] \}/,
          '"execution_count": null, "metadata": {}, "source": "print(2)", "outputs": [] }',
        ),
    );
    expect((await call("read", { path: "plot.ipynb", pages: "2" })).text).toContain("```python\nprint(2)\n```");
    await end();
  });

  it("merges with changes of other cells, and refuses those of the same", async () => {
    const { root, call, end } = await served(["stock.xlsx"]);
    const { data } = await call("read", { path: "stock.xlsx" });
    const edit = (cell: string, newText: string, if_match?: unknown) =>
      call("edit", { path: "stock.xlsx", edits: [{ cell, newText }], if_match });
    await edit("B2", "20");
    const merged = await edit("B3", "30", data["version"]);
    expect(merged.text).toContain("in other cells; the result has both changes");
    const values = await peerValues(readFileSync(join(root, "stock.xlsx")));
    expect([values[1]?.[1], values[2]?.[1]]).toEqual([20, 30]);
    for (const [version, state] of [
      [data["version"], "it has changed since it was read, in Stock!B2"],
      ["unknown", "it has changed since it was read\n"],
    ] as const)
      expect(await edit("B2", "40", version)).toMatchObject({
        isError: true,
        text: expect.stringContaining(state),
      });
    await end();
  });

  it("merges where the sheets have got another order", async () => {
    const { root, call, end } = await served([]);
    writeFileSync(join(root, "a.xlsx"), makeWorkbook());
    const { data } = await call("read", { path: "a.xlsx" });
    writeFileSync(join(root, "a.xlsx"), makeWorkbook({ packed: withSheetsSwapped }));
    const edits = [
      { sheet: "Stock", cell: "B1", newText: "5" },
      { sheet: "My notes", cell: "A1", newText: "6" },
    ];
    const merged = await call("edit", { path: "a.xlsx", edits, if_match: data["version"] });
    expect(merged.text).toContain("in other cells; the result has both changes");
    await end();
  });

  it.each<[string, string, object, RegExp]>([
    ["an ODS file", "stock.ods", { cell: "B2", newText: "1" }, /ODS/],
    ["an XLS file", "stock.xls", { cell: "B2", newText: "1" }, /XLS/],
    ["a CSV file", "stock.csv", { cell: "B2", newText: "1" }, /the file is text/],
    ["a page", "report.html", { cell: "B2", newText: "1" }, /has none/],
    ["a PDF", "report.pdf", { cell: "1", newText: "1" }, /PDF has none/],
    ["a sheet that is not there", "stock.xlsx", { sheet: "X", cell: "B2", newText: "1" }, /only "Stock", "Notes"/],
  ])("refuses %s", async (_, path, edit, message) => {
    const { root, call, end } = await served([path]);
    const answer = await call("edit", { path, edits: [edit] });
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(message) });
    expect(readFileSync(join(root, path)).equals(corpusFile(path))).toBe(true);
    await end();
  });

  it("refuses files that are encrypted, signed, or have macros", async () => {
    const { root, call, end } = await served([]);
    writeFileSync(
      join(root, "locked.xlsx"),
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(2000)]),
    );
    writeFileSync(join(root, "macros.xlsm"), makeWorkbook({ parts: [{ name: "xl/vbaProject.bin" }] }));
    writeFileSync(join(root, "signed.xlsx"), makeWorkbook({ parts: [{ name: "_xmlsignatures/origin.sigs" }] }));
    for (const [path, reason] of [
      ["locked.xlsx", "encrypted"],
      ["macros.xlsm", "macros"],
      ["signed.xlsx", "signed"],
    ] as const)
      expect(await call("edit", { path, edits: [{ cell: "A1", newText: "x" }] })).toMatchObject({
        isError: true,
        text: expect.stringContaining(reason),
      });
    await end();
  });

  it("writes secrets into notebooks by their placeholders, and never into workbooks", async () => {
    const { root, call, end } = await served(["stock.xlsx", "plot.ipynb"], { ".env": "API_TOKEN=t0ps3cr3t-value\n" });
    const { text } = await call("read", { path: ".env" });
    const [placeholder = ""] = /‹secret:[^›]*›/.exec(text) ?? [];
    const refused = await call("edit", { path: "stock.xlsx", edits: [{ cell: "A1", newText: placeholder }] });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("placeholder") });
    const written = await call("edit", { path: "plot.ipynb", edits: [{ cell: "1", newText: `key ${placeholder}` }] });
    expect(written.text).not.toContain("t0ps3cr3t");
    expect(readFileSync(join(root, "plot.ipynb"), "utf8")).toContain('"key t0ps3cr3t-value"');
    await end();
  });

  it("hides a secret that a cell had, where all files are searched for them", async () => {
    const config = join(scratch({ "config.jsonc": '{ "secrets": "strict" }' }), "config.jsonc");
    const { root, call, end } = await served([], {}, ["--config", config]);
    const secret = ["ghp", "Zk39fKq0LmP2xVt7Rw4YbN8cHd5Js1Ge6UoA"].join("_");
    const sheet = `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${secret}</t></is></c></row></sheetData></worksheet>`;
    writeFileSync(join(root, "made.xlsx"), makeWorkbook({ sheet }));
    const { text, data } = await call("edit", {
      path: "made.xlsx",
      edits: [{ cell: "A1", newText: "x" }],
      dry_run: true,
    });
    expect(text).toContain("A1: ‹secret:GITHUB_TOKEN#1›");
    expect(JSON.stringify([text, data])).not.toContain(secret);
    await end();
  });

  it("ends the worker for a workbook that takes too much memory, and goes on", async () => {
    const { root, call, end } = await served(["plot.ipynb"]);
    const row = "<row><c><f>A1</f><v>1</v></c></row>";
    const sheet = `<worksheet><sheetData>${row.repeat(1_000_000)}</sheetData></worksheet>`;
    writeFileSync(join(root, "huge.xlsx"), makeWorkbook({ sheet: sheet.replaceAll("<row>", "<row><c/><c/>") }));
    const started = performance.now();
    const answer = await call("edit", { path: "huge.xlsx", edits: [{ cell: "A1", newText: "x" }] });
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/too much memory|longer than/) });
    expect(performance.now() - started).toBeLessThan(60_000);
    expect((await call("edit", { path: "plot.ipynb", edits: [{ cell: "1", newText: "x" }] })).isError).toBe(false);
    await end();
  }, 120_000);
});
