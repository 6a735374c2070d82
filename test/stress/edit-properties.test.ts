import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFault } from "../../src/base/errors.ts";
import { type Edit, type EditOptions, planEdits } from "../../src/text/edit/edit.ts";
import { applySplices, type Splice } from "../../src/text/edit/splice.ts";
import { faultOf } from "../text/fault-of.ts";
import { workFromNow } from "../work.ts";
import { runAtOnce } from "../text/run-at-once.ts";

/** Few characters, so that matches, look-alikes and white space of every kind are frequent. */
const ALPHABET = [
  "a",
  "b",
  " ",
  "  ",
  "\t",
  "\n",
  "\r\n",
  "\n\n",
  "“",
  '"',
  "’",
  "'",
  "—",
  "-",
  "\u00A0",
  "é",
  "e\u0301",
  "🎉",
];
const someText = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 40 });

function plan(text: string, edits: readonly Edit[], options?: EditOptions): readonly Splice[] | null {
  try {
    return runAtOnce(planEdits(text, edits, options)).splices;
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** The text between the splices. */
function outside(text: string, splices: readonly Splice[]): string[] {
  const starts = [0, ...splices.map(({ end }) => end)];
  return starts.map((start, index) => text.slice(start, splices[index]?.start ?? text.length));
}

const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

const indented = (lines: readonly string[]): string =>
  lines.map((line) => (line === "" ? "\n" : `  ${line}\n`)).join("");

describe("for any text and edit", () => {
  it("changes nothing outside the match, and throws nothing but a Fault", () => {
    fc.assert(
      fc.property(someText, someText, someText, fc.boolean(), (text, oldText, newText, replaceAll) => {
        const splices = plan(text, [{ oldText, newText }], { replaceAll });
        if (splices === null) return;
        const after = applySplices(text, splices);
        let at = 0;
        for (const [index, piece] of outside(text, splices).entries()) {
          expect(after.slice(at, at + piece.length)).toBe(piece);
          at += piece.length + (splices[index]?.text.length ?? 0);
        }
        expect(at).toBe(after.length);
        expect(splices.every(({ start, end }, index) => start >= (splices[index - 1]?.end ?? 0) && end >= start)).toBe(
          true,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("finds what is there exactly once, exactly", () => {
    fc.assert(
      fc.property(someText, someText, someText, (before, middle, behind) => {
        const text = before + middle + behind;
        const isOnce = middle !== "" && text.indexOf(middle) === text.lastIndexOf(middle);
        if (!isOnce || splitsCharacter(text, before.length) || splitsCharacter(text, before.length + middle.length))
          return;
        expect(plan(text, [{ oldText: middle, newText: "X" }])).toEqual([
          { start: before.length, end: before.length + middle.length, text: "X", tier: "exact" },
        ]);
      }),
    );
  });

  it("splits no character and no line break", () => {
    fc.assert(
      fc.property(someText, someText, (text, oldText) => {
        const splices = plan(text, [{ oldText, newText: "X" }], { replaceAll: true }) ?? [];
        for (const { start, end } of splices) {
          expect([splitsCharacter(text, start), splitsCharacter(text, end)]).toEqual([false, false]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("does the same to a file with CRLF", () => {
    const plain = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "\n\n", "é"), maxLength: 30 });
    fc.assert(
      fc.property(plain, plain, plain, plain, (before, oldText, behind, newText) => {
        const text = before + oldText + behind;
        const splices = text.includes("\n") ? plan(text, [{ oldText, newText }]) : null;
        if (splices?.[0]?.tier !== "exact") return;
        const twin = plan(crlf(text), [{ oldText, newText }]) ?? [];
        expect(applySplices(crlf(text), twin)).toBe(crlf(applySplices(text, splices)));
      }),
      { numRuns: 1000 },
    );
  });

  it("moves a block by its indentation and nothing else", () => {
    const block = fc.array(fc.constantFrom("a", "  b", "    c", "", "d {", "}"), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(block, block, (old, fresh) => {
        const text = `x\n${indented(["start", ...old])}y\n`;
        const edit = { oldText: ["start", ...old, ""].join("\n"), newText: ["start", ...fresh, ""].join("\n") };
        const splices = plan(text, [edit]);
        if (splices?.[0]?.tier !== "indentation") return;
        expect(applySplices(text, splices)).toBe(`x\n${indented(["start", ...fresh])}y\n`);
      }),
      { numRuns: 1000 },
    );
  });

  it("leaves a text alone that says the same again", () => {
    fc.assert(
      fc.property(someText, someText, (text, oldText) => {
        expect(faultOf(() => runAtOnce(planEdits(text, [{ oldText, newText: oldText }]))).code).toMatch(
          /no_change|invalid_input/,
        );
      }),
    );
  });

  it("throws nothing but a Fault for any regular expression", () => {
    const pattern = fc.string({
      unit: fc.constantFrom("a", "(", ")", "[", "]", "\\", "^", "$", "|", "?", "\n", "{", "2", "}", "-"),
      maxLength: 8,
    });
    fc.assert(
      fc.property(someText, pattern, someText, (text, oldText, newText) => {
        const splices = plan(text, [{ oldText, newText }], { regex: true, replaceAll: true });
        expect(splices?.length).not.toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

/** Told by another means than the code under test. */
function splitsCharacter(text: string, at: number): boolean {
  const pair = text.slice(Math.max(0, at - 1), at + 1);
  return at > 0 && (pair === "\r\n" || pair === "e\u0301" || /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair));
}

const LINE = "    const value = compute(item, options);\n";
const MEGABYTE = Array.from({ length: 25_000 }, (_, index) => LINE.replace("value", `value${index}`)).join("");
const THOUSAND = Array.from({ length: 1000 }, (_, index) => LINE.replace("value", `value${index + 9000}`)).join("");

const SLOW = [
  { name: "a thousand lines, the last one wrong", text: MEGABYTE, old: `${THOUSAND}wrong\n` },
  { name: "a thousand lines, all a little wrong", text: MEGABYTE, old: THOUSAND.replaceAll("compute", "conpute") },
  { name: "a thousand equal lines", text: LINE.repeat(25_000), old: `${LINE.repeat(1000)}x` },
  {
    name: "a thousand equal lines, unequally indented",
    text: LINE.repeat(25_000),
    old: `${LINE.repeat(999)}  ${LINE}`,
  },
  { name: "one long line", text: "ab".repeat(500_000), old: `${"ab".repeat(20_000)}x` },
  { name: "one letter all over", text: "a".repeat(500_000), old: `${"a".repeat(25_000)}b${"a".repeat(25_000)}` },
  { name: "lines of one letter", text: "x\n".repeat(250_000), old: `${"x\n".repeat(5000)}y\n${"x\n".repeat(5000)}` },
  { name: "blanks without end", text: `a${" ".repeat(500_000)}b`, old: `a${" ".repeat(50_000)}\nb` },
  { name: "quotes without end", text: "“".repeat(500_000), old: `${'"'.repeat(10_000)}x` },
  { name: "a thousand blank lines", text: "\n".repeat(500_000), old: `${"\n".repeat(1000)}x` },
  { name: "half a letter a million times", text: "e\u0301".repeat(200_000), old: "e" },
  { name: "half a break a million times", text: "\r\n".repeat(250_000), old: `${"\n\r".repeat(20_000)}x` },
];

it.each(SLOW)("is quick to refuse $name", ({ text, old: oldText }) => {
  const spent = workFromNow();
  const { message } = faultOf(() => runAtOnce(planEdits(text, [{ oldText, newText: "y" }])));
  expect(spent()).toBeLessThan(15_000);
  expect(message.length).toBeLessThan(8000);
});

it("replaces a hundred thousand places", () => {
  const text = "a,b\r\n".repeat(100_000);
  const { splices } = runAtOnce(planEdits(text, [{ oldText: ",", newText: ";\n" }], { replaceAll: true }));
  expect(applySplices(text, splices)).toBe("a;\r\nb\r\n".repeat(100_000));
});
