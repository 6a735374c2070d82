import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { OpenDocument } from "./document.ts";
import { loadHtmlToMarkdown } from "./html-to-markdown.ts";
import { nodesNamed, parseXml, resolvePart } from "./xml.ts";
import { damaged, openZip, type ZipFile } from "./zip.ts";

/** Opens a book: its chapters in the order in which they are read. */
export async function openEpub(bytes: Uint8Array): Promise<OpenDocument> {
  const toMarkdown = await loadHtmlToMarkdown();
  const zip = await openZip(bytes);
  const [root] = nodesNamed(parseXml(zip.text("META-INF/container.xml") || "<empty/>"), "rootfile");
  const packageFile = root?.attributes["full-path"];
  if (packageFile === undefined) throw damaged("it does not name its contents");
  const book = parseXml(zip.text(packageFile) || "<empty/>");
  const parts = new Map(
    nodesNamed(book, "item").map(({ attributes: { id = "", href = "" } }) => [id, partNamed(packageFile, href)]),
  );
  const chapters = nodesNamed(book, "itemref").flatMap(({ attributes: { idref = "" } }) => parts.get(idref) ?? []);
  const isEncrypted = encryptedParts(zip);
  return {
    units: () => ({
      unit: "chapter",
      total: chapters.length,
      notes: [],
      part(number) {
        const { html, ...chapter } = chapterOf(zip, chapters[number - 1] ?? "", number, isEncrypted);
        return { ...chapter, text: toMarkdown(html).trim() };
      },
    }),
  };
}

function partNamed(packageFile: string, href: string): string {
  const path = href.replace(/#.*/, "");
  try {
    return resolvePart(packageFile, decodeURIComponent(path));
  } catch {
    // The name is no valid URL: it is meant as it is.
    return resolvePart(packageFile, path);
  }
}

/** Returns the parts that a store has encrypted; fonts often are, in books that can be read. */
function encryptedParts(zip: ZipFile): ReadonlySet<string> {
  const text = zip.text("META-INF/encryption.xml");
  if (text === "") return new Set();
  return new Set(nodesNamed(parseXml(text), "CipherReference").map(({ attributes }) => attributes["URI"] ?? ""));
}

function chapterOf(zip: ZipFile, part: string, number: number, encrypted: ReadonlySet<string>) {
  if (encrypted.has(part))
    throw new Fault("denied", "Cannot read the book: its text is encrypted", {
      hint: "Ask the user for a copy without copy protection",
    });
  const html = zip.text(part);
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim() ?? "";
  const isTitle = title !== "" && title.length <= LIMITS.quotedLineChars;
  return { number, title: isTitle ? title : undefined, html };
}
