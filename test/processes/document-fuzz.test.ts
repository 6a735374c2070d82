import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFault } from "../../src/base/errors.ts";
import type { DocumentKind } from "../../src/content/documents/document.ts";
import { binaryDocumentKind } from "../../src/content/documents/document-kind.ts";
import { readInWorker } from "../../src/content/documents/worker/document-worker.ts";
import { corpusFile } from "../content/documents/corpus.ts";

const SEEDS: readonly (readonly [string, DocumentKind])[] = [
  ["report.pdf", "pdf"],
  ["encrypted.pdf", "pdf"],
  ["scan.pdf", "pdf"],
  ["report.docx", "docx"],
  ["report.odt", "odt"],
  ["report.epub", "epub"],
  ["report.html", "html"],
  ["talk.pptx", "pptx"],
  ["order.pptx", "pptx"],
  ["stock.xlsx", "xlsx"],
  ["ledger.xlsx", "xlsx"],
  ["plan.xlsx", "xlsx"],
  ["streamed.xlsx", "xlsx"],
  ["stock.xls", "xls"],
  ["stock.ods", "ods"],
  ["stock.csv", "csv"],
  ["plot.ipynb", "notebook"],
];
const KINDS = [...new Set(SEEDS.map(([, kind]) => kind)), "xlsb" as const];

/** Changes a few bytes, repeats a part, and sometimes cuts the end off. */
const damage = fc.record({
  edits: fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { minLength: 1, maxLength: 8 }),
  repeated: fc.option(fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 400 }) }), { freq: 3 }),
  cut: fc.option(fc.nat(), { freq: 4 }),
});

function damaged(seed: Buffer, { edits, repeated, cut }: typeof damage extends fc.Arbitrary<infer T> ? T : never) {
  const whole = Buffer.from(cut === null ? seed : seed.subarray(0, cut % seed.length));
  for (const { at, byte } of edits) if (whole.length > 0) whole[at % whole.length] = byte;
  if (!repeated || whole.length === 0) return whole;
  const at = repeated.at % whole.length;
  return Buffer.concat([whole.subarray(0, at), whole.subarray(at, at + repeated.length), whole.subarray(at)]);
}

let files = 0;

/** Reads a file in the worker, as a server does. Returns "read", or the code of the fault. */
async function outcomeOf(bytes: Buffer, kind: DocumentKind, asImages = false): Promise<string> {
  const source = { kind, key: `fuzz ${++files}`, bytes: async () => new Uint8Array(bytes), checkpoint: () => {} };
  return readInWorker(source, { chars: 10_000, asImages, isSearch: files % 2 === 0 }).then(
    ({ parts }) => (parts.every(({ text }) => typeof text === "string") ? "read" : "no text"),
    (error: unknown) => (isFault(error) ? error.code : String(error)),
  );
}

/** Detects the kind of a file, or returns the code of the fault. */
async function kindOf(bytes: Buffer): Promise<string> {
  const source = {
    size: bytes.length,
    read: (into: Uint8Array, position: number) => bytes.copy(into, 0, position),
  };
  return binaryDocumentKind(source).then(
    (kind) => kind ?? "none",
    (error: unknown) => (isFault(error) ? error.code : String(error)),
  );
}

const EXPECTED = ["read", "not_text", "denied", "too_large"];
const RUNS = { numRuns: 40, seed: 108 };

describe("damaged documents", () => {
  it.each(SEEDS)("%s is read or refused, by its own reader and by others", async (name, kind) => {
    const seed = corpusFile(name);
    await fc.assert(
      fc.asyncProperty(damage, fc.constantFrom(kind, kind, kind, ...KINDS), async (changes, reader) => {
        const bytes = damaged(seed, changes);
        expect(EXPECTED).toContain(await outcomeOf(bytes, reader, reader === "pdf"));
        expect([...KINDS, "ole", "none", "not_text", "too_large"]).toContain(await kindOf(bytes));
      }),
      RUNS,
    );
  });

  it.each(KINDS)("bytes of any kind are read as %s or refused", async (kind) => {
    const start = fc.constantFrom("PK\x03\x04", "%PDF-1.7\n", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "{", "<html>", "");
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 1500 }), async (head, rest) => {
        const bytes = Buffer.concat([Buffer.from(head, "latin1"), rest]);
        expect(EXPECTED).toContain(await outcomeOf(bytes, kind));
        expect([...KINDS, "ole", "none", "not_text", "too_large"]).toContain(await kindOf(bytes));
      }),
      RUNS,
    );
  });

  it("leave a worker that reads whole ones", async () => {
    expect(await outcomeOf(corpusFile("report.pdf"), "pdf")).toBe("read");
  });
});
