import { deflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { editWorkbook } from "../../../src/content/cells/workbook-edit.ts";
import { openPackage } from "../../../src/content/cells/zip-package.ts";
import { makeZip } from "../archives/make-zip.ts";
import { unpackedFrom } from "../archives/unpacked.ts";
import { corpusFile } from "../documents/corpus.ts";
import { zipOf } from "../documents/zip-writer.ts";
import { makeWorkbook, peerValues } from "./made-workbook.ts";

/** More than all parts of a document may have. */
const BOMB = Buffer.alloc(300 * 1024 ** 2, " ");

const PARTS = [
  { name: "a.xml", content: "<a/>" },
  { name: "é.bin", content: Buffer.from([0, 1, 2, 255]), method: 0 },
  { name: "c.xml", content: "<c/>".repeat(100) },
];

const withPart = async (bytes: Buffer, changes: Record<string, string | null>): Promise<Buffer> =>
  (await openPackage(bytes)).withParts(new Map(Object.entries(changes)));

it("gives the same bytes as a zip that had the part from the start", async () => {
  const changed = await withPart(makeZip(PARTS, { comment: "hello" }), { "c.xml": "<d/>".repeat(100) });
  const whole = makeZip(
    PARTS.map((part) => (part.name === "c.xml" ? { ...part, content: "<d/>".repeat(100) } : part)),
    { comment: "hello" },
  );
  expect(changed.equals(whole)).toBe(true);
});

it("removes a part", async () => {
  const changed = await withPart(makeZip(PARTS), { "a.xml": null });
  expect(changed.equals(makeZip(PARTS.slice(1)))).toBe(true);
});

it("stores a part that packing would make longer", async () => {
  const changed = await withPart(makeZip(PARTS), { "c.xml": "<d/>" });
  expect(changed.equals(makeZip([...PARTS.slice(0, 2), { name: "c.xml", content: "<d/>", method: 0 }]))).toBe(true);
});

it.each([
  ["64-bit fields", makeZip(PARTS.map((part) => ({ ...part, isWide: true })))],
  [
    "a 64-bit end record",
    makeZip(
      PARTS.map((part) => ({ ...part, isWide: true })),
      { isWide: true, comment: "x" },
    ),
  ],
  ["the flag that sizes follow", makeZip(PARTS.map((part) => ({ ...part, flags: 0x808 })))],
])("reads and writes a zip with %s", async (_, bytes) => {
  const changed = await withPart(bytes, { "c.xml": "<new/>" });
  expect(await unpackedFrom(changed)).toMatchObject({ "a.xml": "file 644 <a/>", "c.xml": "file 644 <new/>" });
});

it("clears the flag that sizes follow only where they no longer do", async () => {
  const zip = await withPart(makeZip(PARTS.map((part) => ({ ...part, flags: 0x808 }))), { "c.xml": "<new/>" });
  const flags = (name: string): number => zip.readUInt16LE(zip.lastIndexOf(name) - 46 + 8);
  expect([flags("a.xml"), flags("c.xml")]).toEqual([0x808, 0x800]);
});

it("edits a workbook that was written to a pipe, with sizes behind each part", async () => {
  const { bytes } = await editWorkbook(new Uint8Array(corpusFile("streamed.xlsx")), [{ cell: "B2", newText: "9" }]);
  expect((await peerValues(bytes))[1]?.[1]).toBe(9);
  expect(Buffer.from(bytes).subarray(-8).toString()).toBe("streamed");
});

it.each<[string, Buffer, string, RegExp]>([
  ["nothing", Buffer.alloc(0), "not_text", /./],
  ["no zip", Buffer.from("x".repeat(100)), "not_text", /./],
  ["half a zip", makeWorkbook().subarray(0, 2000), "not_text", /./],
  ["parts that overlap", makeZip([PARTS[0]!, { ...PARTS[2]!, offset: 0 }]), "not_text", /overlap|not where/],
  ["a part outside of the file", makeZip([{ ...PARTS[0]!, offset: 0xfffffff0 }]), "not_text", /./],
  ["a part that is not there", makeZip([{ ...PARTS[0]!, offset: 7 }]), "not_text", /not where/],
  [
    "more parts than allowed",
    zipOf(Array.from({ length: 20_001 }, (_, nth) => ({ name: `${nth}`, content: "" }))),
    "too_large",
    /parts/,
  ],
  [
    "a sheet of 300 MB",
    makeWorkbook({
      packed: (part) => (String(part.name).endsWith("sheet1.xml") ? { ...part, content: BOMB } : part),
    }),
    "too_large",
    /unpacks/,
  ],
])("refuses %s", async (_, bytes, code, message) => {
  const failure = editWorkbook(new Uint8Array(bytes), [{ cell: "A1", newText: "1" }]);
  await expect(failure).rejects.toMatchObject({ name: "Fault", code, message: expect.stringMatching(message) });
});

it("refuses a part that lies about its size", async () => {
  const packed = deflateRawSync(Buffer.alloc(300 * 1024 ** 2, " "), { level: 1 });
  const bytes = zipOf([{ name: "[Content_Types].xml", content: "", packed, claimedBytes: 10 }]);
  const failure = editWorkbook(new Uint8Array(bytes), [{ cell: "A1", newText: "1" }]);
  await expect(failure).rejects.toMatchObject({ name: "Fault", code: expect.stringMatching(/too_large|not_text/) });
});
