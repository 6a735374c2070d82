import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { makeTar, paxPart } from "./make-tar.ts";
import { makeZip } from "./make-zip.ts";
import { unpackedFrom } from "./unpacked.ts";

const PARTS = [
  { name: "d/", mode: 0o40755 },
  { name: "d/a.txt", content: "some text ".repeat(20) },
  { name: "link", content: "d/a.txt", mode: 0o120777 },
];
const SEEDS = {
  zip: makeZip(PARTS),
  "wide zip": makeZip(
    PARTS.map((part) => ({ ...part, isWide: true })),
    { isWide: true, comment: "end" },
  ),
  tar: makeTar([{ name: "a", content: "x".repeat(700) }, paxPart({ path: "long/name" }), { name: "b", content: "y" }]),
  "packed tar": gzipSync(makeTar([{ name: "a", content: "x" }])),
};

/** Changes a few bytes, and sometimes cuts the end off. */
const damage = fc.record({
  edits: fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { minLength: 1, maxLength: 6 }),
  cut: fc.option(fc.nat(), { freq: 4 }),
});

it.each(Object.entries(SEEDS))("a damaged %s gives entries with safe names, or a fault", async (_, seed) => {
  await fc.assert(
    fc.asyncProperty(damage, async ({ edits, cut }) => {
      const bytes = Buffer.from(cut === null ? seed : seed.subarray(0, cut % seed.length));
      for (const { at, byte } of edits) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      expect(wrongIn(await unpackedFrom(bytes))).toEqual([]);
    }),
    { numRuns: 200, seed: 104 },
  );
});

it("bytes of any kind are no archive, or a fault", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("PK\x03\x04", "\x1f\x8b\x08", "\x28\xb5\x2f\xfd", ""),
      fc.uint8Array({ maxLength: 2000 }),
      async (start, rest) => {
        const found = await unpackedFrom(Buffer.concat([Buffer.from(start, "latin1"), rest]));
        expect(typeof found === "string" || start !== "").toBe(true);
      },
    ),
    { numRuns: 300, seed: 104 },
  );
});

/** Returns faults of other kinds, and names that are not safe. */
function wrongIn(found: Awaited<ReturnType<typeof unpackedFrom>>): readonly string[] {
  if (typeof found === "string")
    return [found].filter((text) => !/^(?:io|too_large): Cannot|^not an archive$/.test(text));
  const paths = Object.keys(found).filter((name) => !name.startsWith("!"));
  return paths.filter((path) => path.split("/").some((name) => ["..", "."].includes(name)) || /^\/|\/\/|\\/.test(path));
}
