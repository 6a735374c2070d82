import { describe, expect, it } from "vitest";
import { binaryDocumentKind, textDocumentKind } from "../../../src/content/documents/document-kind.ts";
import { corpusFile } from "./corpus.ts";
import { zipOf } from "./zip-writer.ts";

const sourceOf = (bytes: Buffer) => ({
  size: bytes.length,
  read: (into: Uint8Array, position: number) => bytes.copy(into, 0, position),
});

describe("kinds of documents", () => {
  it.each([
    ["report.docx", "docx"],
    ["report.odt", "odt"],
    ["report.epub", "epub"],
    ["report.pdf", "pdf"],
    ["report.html", undefined],
    ["stock.xlsx", "xlsx"],
    ["stock.xls", "xls"],
    ["stock.ods", "ods"],
    ["stock.csv", undefined],
    ["talk.pptx", "pptx"],
    ["plot.ipynb", undefined],
  ])("detects %s by its bytes", async (name, kind) => {
    expect(await binaryDocumentKind(sourceOf(corpusFile(name)))).toBe(kind);
  });

  it.each([
    ["nothing", Buffer.alloc(0), undefined],
    ["an archive", zipOf([{ name: "a.txt", content: "a" }]), undefined],
    ["an archive that ends early", zipOf([{ name: "word/document.xml", content: "a" }]).subarray(0, 60), undefined],
    ["a name inside a comment", Buffer.concat([zipOf([{ name: "a", content: "word/document.xml" }])]), undefined],
    [
      "a container without a workbook",
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]),
      "ole",
    ],
    ["a cut container", Buffer.from("d0cf11e0a1b11ae1", "hex"), "ole"],
  ])("judges %s", async (_, bytes, kind) => {
    expect(await binaryDocumentKind(sourceOf(bytes))).toBe(kind);
  });

  it.each([
    ["a/b.IPYNB", "notebook"],
    ["b.tsv", "csv"],
    ["b.html", "html"],
    ["b.txt", undefined],
    ["ipynb", undefined],
  ])("takes %s for %s", (path, kind) => {
    expect(textDocumentKind(path)).toBe(kind);
  });
});
