import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { DocumentKind } from "../../../src/content/documents/document.ts";
import { corpusFile, pageOf } from "./corpus.ts";
import { type WrittenPart, zipOf } from "./zip-writer.ts";

const BOMB = deflateRawSync(Buffer.alloc(300 * 1024 ** 2, " "), { level: 1 });
const bomb = (name: string, claimedBytes: number) => zipOf([{ name, content: "", packed: BOMB, claimedBytes }]);
const odt = (content: string, more: Partial<WrittenPart> = {}) => zipOf([{ name: "content.xml", content, ...more }]);
const text = (inner: string): string => `<d><body><text>${inner}</text></body></d>`;

const cutOff = (name: string): Buffer => corpusFile(name).subarray(0, corpusFile(name).length / 2);

describe("hostile documents", () => {
  it.each<[string, DocumentKind, () => Buffer, string, RegExp]>([
    ["a bomb", "odt", () => bomb("content.xml", 300 * 1024 ** 2), "too_large", /unpacks to more than/],
    ["a bomb that lies", "docx", () => bomb("word/document.xml", 10), "too_large", /unpacks/],
    ["a workbook that is a bomb", "xlsx", () => bomb("xl/workbook.xml", 1), "too_large", /unpacks/],
    ["deep XML", "odt", () => odt("<a>".repeat(5000)), "not_text", /nested too deeply/],
    [
      "an entity",
      "odt",
      () => odt(`<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]>${text("<p>&e;</p>")}`),
      "not_text",
      /broken/,
    ],
    [
      "entities that grow",
      "odt",
      () => odt(`<!DOCTYPE d [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${text("<p>&b;</p>")}`),
      "not_text",
      /broken/,
    ],
    ["an encrypted part", "odt", () => odt(text("<p>a</p>"), { flags: 1 }), "denied", /encrypted/],
    ["no text", "odt", () => odt("<d/>"), "not_text", /no text/],
    [
      "too many parts",
      "odt",
      () => zipOf(Array.from({ length: 20_001 }, (_, nth) => ({ name: `${nth}`, content: "", isStored: true }))),
      "too_large",
      /20000 parts/,
    ],
    [
      "no contents of a book",
      "epub",
      () => zipOf([{ name: "mimetype", content: "application/epub+zip" }]),
      "not_text",
      /does not name/,
    ],
    ["an encrypted PDF", "pdf", () => corpusFile("encrypted.pdf"), "denied", /encrypted/],
    ["a PDF of nothing", "pdf", () => Buffer.from("%PDF-1.4\n"), "not_text", /no valid PDF/],
    ["half a DOCX", "docx", () => cutOff("report.docx"), "not_text", /it may be cut off/],
    ["half a workbook", "xlsx", () => cutOff("stock.xlsx"), "not_text", /it may be cut off/],
    ["half a presentation", "pptx", () => cutOff("talk.pptx"), "not_text", /it may be cut off/],
    ["half a book", "epub", () => cutOff("report.epub"), "not_text", /it may be cut off/],
    ["half an old workbook", "xls", () => cutOff("stock.xls"), "not_text", /no valid XLS/],
    ["a workbook without parts", "ods", () => zipOf([{ name: "a", content: "" }]), "not_text", /no valid ODS/],
    ["a notebook that is none", "notebook", () => Buffer.from('{"cells": 3}'), "not_text", /no notebook/],
    [
      "a notebook of the wrong types",
      "notebook",
      () => Buffer.from('{"nbformat":4,"cells":[3]}'),
      "not_text",
      /no notebook/,
    ],
    ["deep JSON", "notebook", () => Buffer.from("[".repeat(200_000)), "not_text", /no notebook/],
    ["deep HTML", "html", () => Buffer.from("<b>".repeat(100_000)), "not_text", /nested too deeply/],
    ["bytes for HTML", "html", () => Buffer.from([0, 1, 2, 0, 255, 0]), "not_text", /not text/],
  ])("refuses %s", async (_, kind, make, code, message) => {
    const failure = pageOf(make(), kind);
    await expect(failure).rejects.toMatchObject({ name: "Fault", code, message: expect.stringMatching(message) });
  });

  it("loads nothing that a document names", async () => {
    const html =
      '<img src="file:///etc/passwd" alt="x"><iframe src="http://localhost/"></iframe><script>1</script><p>a</p>';
    const { parts } = await pageOf(Buffer.from(html), "html");
    expect(parts.map((part) => part.text)).toEqual(["![x](file:///etc/passwd)", "", "a"]);
  });

  it("bounds spaces that a document repeats", async () => {
    const { parts } = await pageOf(odt(text('<p>a<s c="900000000"/>b</p>')), "odt");
    expect(parts.map((part) => part.text.length)).toEqual([162]);
  });
});
