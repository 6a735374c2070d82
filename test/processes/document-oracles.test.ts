import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { DocumentKind } from "../../src/content/documents/document.ts";
import { corpusFile, pageOf, textsOf } from "../content/documents/corpus.ts";
import { needs } from "../programs.ts";

const pathOf = (name: string): string => fileURLToPath(new URL(`../content/corpus/${name}`, import.meta.url));

const output = (program: string, ...words: readonly string[]): string => {
  const { stdout, stderr, status } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
};

const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Reads the text of XML parts, in their order, with nothing but the standard library of Python. */
const PYTHON = `
import json, sys, zipfile, csv, html.parser
import xml.etree.ElementTree as tree
path, *parts = sys.argv[1:]
def texts(xml):
    return [t for t in tree.fromstring(xml).itertext()]
class Texts(html.parser.HTMLParser):
    found = []
    tag = ""
    def handle_starttag(self, tag, _): self.tag = tag
    def handle_data(self, data): self.found += [] if self.tag == "title" else [data]
if path.endswith(".csv"):
    print(json.dumps(list(csv.reader(open(path, encoding="utf-8", newline=""), delimiter=";"))))
elif path.endswith(".html"):
    reader = Texts()
    reader.feed(open(path, encoding="utf-8").read())
    print(json.dumps(reader.found))
else:
    with zipfile.ZipFile(path) as archive:
        print(json.dumps([t for part in parts for t in texts(archive.read(part))]))
`;

const byPython = (name: string, ...parts: readonly string[]): unknown =>
  JSON.parse(output("python3", "-c", PYTHON, pathOf(name), ...parts));

const ourText = async (name: string, kind: DocumentKind): Promise<string> =>
  textsOf(await pageOf(corpusFile(name), kind, { isSearch: true })).join("\n");

describe("other programs find the same words", () => {
  it.each(["report.pdf", "scan.pdf"])("poppler in %s", async (name) => {
    needs("pdftotext");
    expect(wordsIn(await ourText(name, "pdf"))).toEqual(wordsIn(output("pdftotext", pathOf(name), "-")));
  });

  it.each<[string, DocumentKind, readonly string[]]>([
    ["report.docx", "docx", ["word/document.xml"]],
    ["report.odt", "odt", ["content.xml"]],
    ["report.html", "html", []],
    ["talk.pptx", "pptx", ["ppt/slides/slide1.xml", "ppt/slides/slide2.xml"]],
  ])("Python in %s", async (name, kind, parts) => {
    needs("python3");
    const theirs = wordsIn((byPython(name, ...parts) as readonly string[]).join(" "));
    // The target of a link is no text of the document.
    const ours = wordsIn((await ourText(name, kind)).replaceAll(/\]\(.*?\)/g, "]"));
    expect(ours).toEqual(theirs);
  });

  it("Python in the strings of a workbook", async () => {
    needs("python3");
    const strings = byPython("stock.xlsx", "xl/sharedStrings.xml") as readonly string[];
    const ours = (await ourText("stock.xlsx", "xlsx")).split(/[\t\n]/);
    expect(strings.filter((each) => !ours.includes(each))).toEqual([]);
    expect(strings.length).toBeGreaterThan(5);
  });

  it("Python in delimited text", async () => {
    needs("python3");
    const rows = (byPython("stock.csv") as readonly (readonly string[])[]).map((row) => row.join(" "));
    const ours = textsOf(await pageOf(corpusFile("stock.csv"), "csv")).map((row) => row.split("\t").slice(1).join(" "));
    expect(ours.map(wordsIn)).toEqual(rows.map(wordsIn));
  });
});
