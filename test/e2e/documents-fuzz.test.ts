import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isFault } from "../../src/base/errors.ts";
import type { DocumentKind } from "../../src/content/documents/document.ts";
import { readInWorker } from "../../src/content/documents/worker/document-worker.ts";
import { corpusFile, textsOf } from "../content/documents/corpus.ts";
import { needs } from "../programs.ts";

const read = (bytes: Uint8Array, kind: DocumentKind, key: string) =>
  readInWorker({ kind, key, bytes: async () => new Uint8Array(bytes), checkpoint: () => {} }, { chars: 100_000 });

/** Changes some bytes, or cuts the end off: the same for the same seed. */
function damagedCopy(bytes: Buffer, seed: number): Buffer {
  let state = seed * 2_654_435_761 + 1;
  const random = (below: number): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const copy = Buffer.from(seed % 5 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes);
  for (let left = 1 + random(8); left > 0 && copy.length > 0; left--) copy[random(copy.length)] = random(256);
  return copy;
}

const ROUNDS = 20;

describe("damaged documents", () => {
  it.each<[string, DocumentKind]>([
    ["report.pdf", "pdf"],
    ["scan.pdf", "pdf"],
    ["report.docx", "docx"],
    ["report.odt", "odt"],
    ["report.epub", "epub"],
    ["report.html", "html"],
    ["stock.xlsx", "xlsx"],
    ["stock.xls", "xls"],
    ["stock.ods", "ods"],
    ["stock.csv", "csv"],
    ["order.pptx", "pptx"],
    ["plot.ipynb", "notebook"],
  ])("gives a page or a fault for any copy of %s", async (name, kind) => {
    const bytes = corpusFile(name);
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const outcome = await read(damagedCopy(bytes, seed), kind, `${name} ${seed}`).catch((error: unknown) => error);
      expect([seed, isFault(outcome) || (outcome as object).hasOwnProperty("parts")]).toEqual([seed, true]);
    }
  });
});

it("finds the words that pdftotext finds", async () => {
  needs("pdftotext");
  const path = fileURLToPath(new URL("../content/corpus/report.pdf", import.meta.url));
  const peer = execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });
  const ours = textsOf(await read(corpusFile("report.pdf"), "pdf", "report.pdf")).join("\n");
  expect(wordsOf(ours)).toEqual(wordsOf(peer));
});

const wordsOf = (text: string): readonly string[] => text.split(/[\s\u00a0]+/).filter((word) => word !== "");
