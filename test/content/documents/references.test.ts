import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DocumentKind } from "../../../src/content/documents/document.ts";
import { binaryDocumentKind } from "../../../src/content/documents/document-kind.ts";
import { corpusFile, pageOf, textsOf } from "./corpus.ts";
import { zipOf } from "./zip-writer.ts";

const CANARY = "the canary sings";
const canaryFile = join(mkdtempSync(join(tmpdir(), "canary-")), "canary.txt");
let requests = 0;
const server = createServer((_, response) => {
  requests++;
  response.end(CANARY);
});

beforeAll(async () => {
  writeFileSync(canaryFile, CANARY);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
});
afterAll(() => server.close());

const TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';
const RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";

const relationships = (...all: readonly (readonly [type: string, target: string, mode?: string])[]): string =>
  `<Relationships xmlns="${RELATIONSHIPS}">${all
    .map(
      ([type, target, mode = "Internal"], nth) =>
        `<Relationship Id="r${nth}" Type="${OFFICE}/${type}" Target="${target}" TargetMode="${mode}"/>`,
    )
    .join("")}</Relationships>`;

const docxWith = (target: string): Buffer =>
  zipOf([
    { name: "[Content_Types].xml", content: TYPES },
    { name: "_rels/.rels", content: relationships(["officeDocument", "word/document.xml"]) },
    { name: "word/_rels/document.xml.rels", content: relationships(["image", target, "External"]) },
    {
      name: "word/document.xml",
      content: `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}" xmlns:a="${DRAWING}/main" xmlns:wp="${DRAWING}/wordprocessingDrawing" xmlns:pic="${DRAWING}/picture"><w:body><w:p><w:r><w:t>plain</w:t><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="r0"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body></w:document>`,
    },
  ]);

const odtWith = (target: string): Buffer =>
  zipOf([
    {
      name: "content.xml",
      content: `<d xmlns:x="http://www.w3.org/1999/xlink"><body><text><p>plain</p><section><section-source x:href="${target}"/></section><image x:href="${target}"/></text></body></d>`,
    },
  ]);

const epubWith = (target: string): Buffer =>
  zipOf([
    { name: "META-INF/container.xml", content: '<c><rootfile full-path="b.opf"/></c>' },
    {
      name: "b.opf",
      content: `<p><item id="a" href="a.html"/><item id="b" href="${target}"/><itemref idref="a"/><itemref idref="b"/></p>`,
    },
    { name: "a.html", content: `<p>plain</p><iframe src="${target}"></iframe><object data="${target}"></object>` },
  ]);

const pptxWith = (target: string): Buffer =>
  zipOf([
    { name: "ppt/presentation.xml", content: `<p xmlns:r="${OFFICE}"><sldId r:id="r0"/><sldId r:id="r1"/></p>` },
    {
      name: "ppt/_rels/presentation.xml.rels",
      content: relationships(["slide", "slides/a.xml"], ["slide", target, "External"]),
    },
    { name: "ppt/slides/a.xml", content: "<sld><sp><txBody><p><r><t>plain</t></r></p></txBody></sp></sld>" },
  ]);

describe("what a document refers to", () => {
  it.each<[DocumentKind, (target: string) => Buffer]>([
    ["docx", docxWith],
    ["odt", odtWith],
    ["epub", epubWith],
    ["pptx", pptxWith],
    ["html", (target) => Buffer.from(`<link rel=stylesheet href="${target}"><img src="${target}"><p>plain</p>`)],
  ])("is not loaded for %s", async (kind, make) => {
    const { port } = server.address() as AddressInfo;
    const targets = [pathToFileURL(canaryFile).href, canaryFile, `../../../../../../../../../..${canaryFile}`];
    for (const target of [...targets, `http://127.0.0.1:${port}/canary`]) {
      const text = await pageOf(make(target), kind).then(
        (page) => textsOf(page).join("\n"),
        (error: unknown) => `refused: ${String(error)}`,
      );
      expect(text).toMatch(kind === "pptx" ? /plain|^refused: Fault: Cannot read the document/ : /plain/);
      expect(text).not.toContain(CANARY);
    }
    expect(requests).toBe(0);
  });

  it("is not unpacked where it is another document inside", async () => {
    const inner = epubWith("a.html").toString("latin1");
    const book = zipOf([
      { name: "META-INF/container.xml", content: '<c><rootfile full-path="b.opf"/></c>' },
      { name: "b.opf", content: '<p><item id="a" href="inner.epub"/><itemref idref="a"/></p>' },
      { name: "inner.epub", content: Buffer.from(inner, "latin1") },
    ]);
    const text = textsOf(await pageOf(book, "epub")).join("\n");
    expect(text).not.toContain("plain");
  });
});

const kindOf = (bytes: Buffer) =>
  binaryDocumentKind({ size: bytes.length, read: (into, position) => bytes.copy(into, 0, position) });

describe("files of two formats", () => {
  it.each<[string, () => Buffer, DocumentKind | undefined]>([
    ["a PDF that ends in a DOCX", () => Buffer.concat([corpusFile("report.pdf"), corpusFile("report.docx")]), "pdf"],
    ["a page of HTML with a PDF in it", () => Buffer.concat([Buffer.from("<p>"), corpusFile("report.pdf")]), "pdf"],
    [
      "an image that ends in a DOCX",
      () => Buffer.concat([Buffer.from("GIF89a"), corpusFile("report.docx")]),
      undefined,
    ],
    [
      "a program that ends in a DOCX",
      () => Buffer.concat([Buffer.from("\x7fELF"), corpusFile("report.docx")]),
      undefined,
    ],
    [
      "a document that is also a workbook",
      () =>
        zipOf([
          { name: "xl/workbook.xml", content: "" },
          { name: "word/document.xml", content: "" },
        ]),
      "docx",
    ],
  ])("%s has one kind", async (_, make, kind) => {
    expect(await kindOf(make())).toBe(kind);
  });

  it("a PDF that ends in a DOCX shows the text of the PDF", async () => {
    const both = Buffer.concat([corpusFile("report.pdf"), docxWith("x")]);
    const texts = textsOf(await pageOf(both, "pdf"));
    expect([texts.length, texts[1]]).toEqual([2, "Second page: café € <b>"]);
  });
});
