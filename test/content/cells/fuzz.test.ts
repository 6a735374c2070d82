import fc from "fast-check";
import { expect, it } from "vitest";
import { isFault } from "../../../src/base/errors.ts";
import { editCells } from "../../../src/content/cells/edit-cells.ts";
import { formulaProblem, shiftedFormula, storedFormula } from "../../../src/content/cells/formula.ts";
import { attributesOf, tagsIn, withAttribute, xmlText } from "../../../src/content/cells/xml-tags.ts";
import { corpusFile } from "../documents/corpus.ts";
import { makeWorkbook, partOf, peerValues, ROWS } from "./made-workbook.ts";

/** Changes a few bytes, and sometimes cuts the end off. */
const damage = fc.record({
  edits: fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { minLength: 1, maxLength: 6 }),
  cut: fc.option(fc.nat(), { freq: 4 }),
});

const SEEDS = [
  ["xlsx", makeWorkbook()],
  ["xlsx", makeWorkbook({ packed: (part) => ({ ...part, method: 0 }) })],
  ["xlsx", corpusFile("streamed.xlsx")],
  ["notebook", corpusFile("plot.ipynb")],
] as const;

it.each(SEEDS)("a damaged %s (%#) gives a file or a fault", async (kind, seed) => {
  const edits = [{ cell: kind === "xlsx" ? "B2" : "1", newText: "=1+1" }];
  await fc.assert(
    fc.asyncProperty(damage, async ({ edits: changes, cut }) => {
      const bytes = Buffer.from(cut === null ? seed : seed.subarray(0, cut % seed.length));
      for (const { at, byte } of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      const outcome = await editCells(new Uint8Array(bytes), kind, edits).catch((error: unknown) => error);
      expect(isFault(outcome) || (outcome as { bytes?: unknown }).bytes instanceof Uint8Array).toBe(true);
    }),
    { numRuns: 200, seed: 107 },
  );
});

const cellText = fc.string({ unit: fc.constantFrom("a", "<", "&", '"', "'", "]]>", "\n", "é", "😀", "_x0041_", " ") });

it("any text is read back as it was written", async () => {
  await fc.assert(
    fc.asyncProperty(cellText, async (text) => {
      const { bytes } = await editCells(makeWorkbook(), "xlsx", [{ cell: "C7", newText: `'t${text}` }]);
      expect((await peerValues(bytes))[6]?.[2]).toBe(`t${text}`);
    }),
    { numRuns: 100, seed: 107 },
  );
});

it("any cells keep all others as they are", async () => {
  const place = fc.record({ row: fc.integer({ min: 1, max: 8 }), column: fc.constantFrom("A", "B", "C", "D") });
  const places = fc.uniqueArray(place, {
    minLength: 1,
    maxLength: 8,
    selector: ({ row, column }) => `${column}${row}`,
  });
  const before = await peerValues(makeWorkbook());
  await fc.assert(
    fc.asyncProperty(places, async (found) => {
      const edits = found.map(({ row, column }, nth) => ({ cell: `${column}${row}`, newText: `n${nth}` }));
      const { bytes } = await editCells(makeWorkbook(), "xlsx", edits);
      const after = await peerValues(bytes);
      for (let row = 1; row <= 8; row++)
        for (const [index, column] of ["A", "B", "C", "D"].entries()) {
          const nth = found.findIndex((each) => each.row === row && each.column === column);
          const expected = nth >= 0 ? `n${nth}` : (before[row - 1]?.[index] ?? null);
          expect(after[row - 1]?.[index] ?? null).toEqual(expected);
        }
    }),
    { numRuns: 100, seed: 107 },
  );
});

it("a cell that is changed and changed back has the text that it had", async () => {
  const once = await editCells(makeWorkbook(), "xlsx", [{ cell: "B1", newText: "5" }]);
  const twice = await editCells(once.bytes, "xlsx", [{ cell: "B1", newText: "1" }]);
  const rows = await partOf(twice.bytes, "xl/worksheets/sheet1.xml");
  expect(rows).toContain(ROWS.replace(' t="str"', "").replace("<v>1x</v>", ""));
});

const piece = fc.constantFrom(
  "<",
  ">",
  "/",
  "a",
  " ",
  '"',
  "'",
  "=",
  "!",
  "--",
  "?",
  "[CDATA[",
  "]]>",
  "&",
  ";",
  "#x41",
  ":",
);

it("tags of any text are found, or it is refused", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const xml = pieces.join("");
      const outcome = tried(() => {
        for (const tag of tagsIn(xml)) attributesOf(xml, tag);
        return xmlText(xml) + withAttribute(`<a ${xml.replace(/[<>]/g, "")}>`, "b", "c");
      });
      expect(typeof outcome === "string" || isFault(outcome)).toBe(true);
    }),
    { numRuns: 500, seed: 107 },
  );
});

function tried(work: () => string): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

it.each([
  ["quotes that are not closed", `<a ${'b="c" '.repeat(20_000)}"`],
  ["slashes", `<a ${"/ ".repeat(100_000)}`],
  ["an element without an end", `<${"a".repeat(1_000_000)}`],
  ["openings", "<".repeat(100_000)],
])("takes no longer for %s", (_, xml) => {
  const start = performance.now();
  expect(() => [...tagsIn(xml)]).toThrow(/broken/);
  expect(performance.now() - start).toBeLessThan(2000);
});

it("any formula is refused or written, and stays one when it is moved", () => {
  const token = fc.constantFrom(
    "A1",
    "$B$2",
    "SUM(",
    ")",
    ",",
    "+",
    '"x"',
    "1",
    " ",
    ":",
    "'a b'!",
    "Name",
    "[",
    "]",
    "{",
    "}",
    ";",
    "#REF!",
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const formula = tokens.join("");
      if (formulaProblem(formula) !== undefined) return;
      expect(storedFormula(formula)).toBe(formula);
      expect(formulaProblem(shiftedFormula(formula, 1, 1))).toBeUndefined();
    }),
    { numRuns: 1000, seed: 107 },
  );
});
