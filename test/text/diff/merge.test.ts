import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Merge, merge3 } from "../../../src/text/diff/merge.ts";
import { runAtOnce } from "../run-at-once.ts";
import { workFromNow } from "../../work.ts";
import { needs } from "../../programs.ts";

const BASE = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
const merged = (text: string): Merge => ({ kind: "merged", text });
const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at}\n`);

const MERGED = [
  { name: "nothing", base: BASE, ours: BASE, theirs: BASE, text: BASE },
  { name: "one side", base: BASE, ours: "x\n", theirs: BASE, text: "x\n" },
  { name: "both ends", base: BASE, ours: `0\n${BASE}`, theirs: `${BASE}10\n`, text: `0\n${BASE}10\n` },
  {
    name: "two replaced lines",
    base: BASE,
    ours: BASE.replace("2", "a"),
    theirs: BASE.replace("7", "b"),
    text: "1\na\n3\n4\n5\n6\nb\n8\n9\n",
  },
  { name: "neighbours, each replaced", base: "1\n2\n", ours: "a\n2\n", theirs: "1\nb\n", text: "a\nb\n" },
  {
    name: "neighbours, two for two",
    base: "1\n2\n3\n4\n",
    ours: "a\nb\n3\n4\n",
    theirs: "1\n2\nc\nd\n",
    text: "a\nb\nc\nd\n",
  },
  {
    name: "a deletion and a change one line on",
    base: BASE,
    ours: "1\n3\n4\n5\n6\n7\n8\n9\n",
    theirs: BASE.replace("4", "x"),
    text: "1\n3\nx\n5\n6\n7\n8\n9\n",
  },
  {
    name: "the same change",
    base: BASE,
    ours: BASE.replace("5", "x"),
    theirs: BASE.replace("5", "x"),
    text: BASE.replace("5", "x"),
  },
  {
    name: "the same insertion and another change",
    base: BASE,
    ours: `0\n${BASE}`,
    theirs: `0\n${BASE.replace("9", "x")}`,
    text: `0\n${BASE.replace("9", "x")}`,
  },
  { name: "the same deletion", base: BASE, ours: "1\n9\n", theirs: "1\n9\n", text: "1\n9\n" },
  { name: "everything replaced alike", base: BASE, ours: "x", theirs: "x", text: "x" },
  { name: "a file emptied by one", base: "a\n", ours: "", theirs: "a\n", text: "" },
  {
    name: "the line feed at the end lost by one",
    base: BASE,
    ours: BASE.slice(0, -1),
    theirs: BASE.replace("1", "x"),
    text: BASE.replace("1", "x").slice(0, -1),
  },
  {
    name: "the line feed at the end never there",
    base: "a\nb\nc",
    ours: "x\nb\nc",
    theirs: "a\nb\ny",
    text: "x\nb\ny",
  },
  {
    name: "CRLF",
    base: "a\r\nb\r\nc\r\n",
    ours: "x\r\nb\r\nc\r\n",
    theirs: "a\r\nb\r\ny\r\n",
    text: "x\r\nb\r\ny\r\n",
  },
  {
    name: "a line ending changed by one",
    base: "a\nb\nc\n",
    ours: "a\r\nb\nc\n",
    theirs: "a\nb\ny\n",
    text: "a\r\nb\ny\n",
  },
  {
    name: "equal lines, each replaced in its place",
    base: "x\nx\nx\nx\n",
    ours: "x\na\nx\nx\n",
    theirs: "x\nx\nx\nb\n",
    text: "x\na\nx\nb\n",
  },
];

const CONFLICTS = [
  {
    name: "one line, two ways",
    base: BASE,
    ours: BASE.replace("5", "a"),
    theirs: BASE.replace("5", "b"),
    regions: [{ line: 5, base: "5\n", ours: "a\n", theirs: "b\n" }],
  },
  {
    name: "two insertions at one place",
    base: "1\n2\n",
    ours: "1\na\n2\n",
    theirs: "1\nb\n2\n",
    regions: [{ line: 2, base: "", ours: "a\n", theirs: "b\n" }],
  },
  {
    name: "two texts in an empty file",
    base: "",
    ours: "a",
    theirs: "b",
    regions: [{ line: 1, base: "", ours: "a", theirs: "b" }],
  },
  {
    name: "a line changed and deleted",
    base: "1\n2\n3\n",
    ours: "1\n3\n",
    theirs: "1\nx\n3\n",
    regions: [{ line: 2, base: "2\n", ours: "", theirs: "x\n" }],
  },
  {
    name: "an insertion before a changed line",
    base: "1\n2\n3\n",
    ours: "1\na\n2\n3\n",
    theirs: "1\nb\n3\n",
    regions: [{ line: 2, base: "2\n", ours: "a\n2\n", theirs: "b\n" }],
  },
  {
    name: "an insertion behind a deleted line",
    base: "1\n2\n3\n",
    ours: "1\n2\na\n3\n",
    theirs: "1\n3\n",
    regions: [{ line: 2, base: "2\n", ours: "2\na\n", theirs: "" }],
  },
  {
    name: "a deletion beside a changed line",
    base: "1\n2\n3\n4\n",
    ours: "1\n3\n4\n",
    theirs: "1\n2\nx\n4\n",
    regions: [{ line: 2, base: "2\n3\n", ours: "3\n", theirs: "2\nx\n" }],
  },
  {
    name: "a changed line before a deletion",
    base: "1\n2\n3\n4\n",
    ours: "1\nx\n3\n4\n",
    theirs: "1\n2\n4\n",
    regions: [{ line: 2, base: "2\n3\n", ours: "x\n3\n", theirs: "2\n" }],
  },
  {
    name: "a changed line before an insertion",
    base: "1\n2\n3\n",
    ours: "1\nx\n3\n",
    theirs: "1\n2\na\n3\n",
    regions: [{ line: 2, base: "2\n", ours: "x\n", theirs: "2\na\n" }],
  },
  {
    name: "two lines behind an end without a line feed",
    base: "1\n2",
    ours: "1\n2\na",
    theirs: "1\n2\nb",
    regions: [{ line: 2, base: "2", ours: "2\na", theirs: "2\nb" }],
  },
  {
    name: "a line ending and its line",
    base: "a\nb\n",
    ours: "a\r\nb\n",
    theirs: "x\nb\n",
    regions: [{ line: 1, base: "a\n", ours: "a\r\n", theirs: "x\n" }],
  },
  {
    name: "one of several equal lines deleted, one changed",
    base: "x\nx\nx\n",
    ours: "x\nx\n",
    theirs: "x\ny\nx\n",
    regions: [{ line: 1, base: "x\nx\nx\n", ours: "x\nx\n", theirs: "x\ny\nx\n" }],
  },
  {
    name: "two places, with one that merges between",
    base: BASE,
    ours: "a\n2\n3\n4\n5\n6\n7\n8\nb\n",
    theirs: "c\n2\n3\n4\nx\n6\n7\n8\nd\n",
    regions: [
      { line: 1, base: "1\n", ours: "a\n", theirs: "c\n" },
      { line: 9, base: "9\n", ours: "b\n", theirs: "d\n" },
    ],
  },
];

const mirrored = (merge: Merge): Merge =>
  merge.kind === "merged"
    ? merge
    : {
        kind: "conflict",
        regions: merge.regions.map(({ ours, theirs, ...rest }) => ({ ...rest, ours: theirs, theirs: ours })),
      };

describe("merging", () => {
  it.each(MERGED)("takes $name", ({ base, ours, theirs, text }) => {
    expect(runAtOnce(merge3(base, ours, theirs))).toEqual(merged(text));
    expect(runAtOnce(merge3(base, theirs, ours))).toEqual(merged(text));
  });

  it.each(CONFLICTS)("refuses $name", ({ base, ours, theirs, regions }) => {
    expect(runAtOnce(merge3(base, ours, theirs))).toEqual({ kind: "conflict", regions });
    expect(runAtOnce(merge3(base, theirs, ours))).toEqual(mirrored({ kind: "conflict", regions }));
  });

  it.each([
    ["aaaca", "abaaaa", "aacaca"],
    ["baa", "bacaba", "abaaa"],
    ["jaef", "jaedf", "jeaefef"],
    ["cabbabbcc", "cabcbabbcc", "ccabbbabbcc"],
    ["bbcababaa", "bbcabaaa", "bbbababac"],
    ["accaabbb", "accaaabbb", "accaaabbd"],
    ["abbcbbbc", "abcbbbbc", "abbcbabbcd"],
    ["xyz", "xyyz", "xyqz"],
  ])("refuses what could be read in two ways: %s as %s and %s", (...words) => {
    const [base, ours, theirs] = words.map((word) => word.replaceAll(/./g, "$&\n")) as [string, string, string];
    expect(runAtOnce(merge3(base, ours, theirs)).kind).toBe("conflict");
  });

  it("lets forty agents change forty lines that stand together, in any order", () => {
    const lines = numbers(40);
    const order = lines.map((_, at) => (at * 27) % 40);
    const final = order.reduce(
      (current, at) => textOf(runAtOnce(merge3(lines.join(""), lines.with(at, `agent ${at}\n`).join(""), current))),
      lines.join(""),
    );
    expect(final).toBe(lines.map((_, at) => `agent ${at}\n`).join(""));
  });
});

const textOf = (merge: Merge): string => (merge.kind === "merged" ? merge.text : JSON.stringify(merge.regions));

/** A base, and what two sides made of it by a few edits. */
function anyThree(line: fc.Arbitrary<string>): fc.Arbitrary<[base: string, ours: string, theirs: string]> {
  const edit = fc.record({ at: fc.nat(24), gone: fc.nat(2), come: fc.array(line, { maxLength: 2 }) });
  const side = fc.tuple(fc.array(edit, { maxLength: 3 }), fc.boolean());
  return fc.tuple(fc.array(line, { maxLength: 24 }), side, side).map(([lines, ...sides]) => {
    const [ours = "", theirs = ""] = sides.map(([edits, isOpen]) => {
      const text = edits.reduce((all, { at, gone, come }) => all.toSpliced(at, gone, ...come), lines).join("");
      return isOpen ? text.replace(/\n$/, "") : text;
    });
    return [lines.join(""), ours, theirs];
  });
}

const fewKinds = anyThree(fc.constantFrom("a\n", "b\n", "c\n"));
const likeCode = anyThree(
  fc.oneof(
    fc.constantFrom("\n", "}\n", "  end\r\n"),
    fc.nat(99_999).map((id) => `line ${id}\n`),
    fc.nat(99_999).map((id) => `call ${id}\n`),
  ),
);
const any = fc.oneof(fewKinds, likeCode);

describe("whatever the texts", () => {
  it("a side that changed nothing changes nothing", () => {
    fc.assert(
      fc.property(any, ([base, ours]) => {
        expect(runAtOnce(merge3(base, base, ours))).toEqual(merged(ours));
        expect(runAtOnce(merge3(base, ours, base))).toEqual(merged(ours));
        expect(runAtOnce(merge3(base, ours, ours))).toEqual(merged(ours));
      }),
      { numRuns: 1000 },
    );
  });

  it("neither side is preferred", () => {
    fc.assert(
      fc.property(any, ([base, ours, theirs]) => {
        expect(runAtOnce(merge3(base, theirs, ours))).toEqual(mirrored(runAtOnce(merge3(base, ours, theirs))));
      }),
      { numRuns: 2000 },
    );
  });

  it("regions stand in order, and each holds its part of the base and a real difference", () => {
    fc.assert(
      fc.property(any, ([base, ours, theirs]) => {
        const merge = runAtOnce(merge3(base, ours, theirs));
        let last = 0;
        for (const region of merge.kind === "conflict" ? merge.regions : []) {
          expect(region.line).toBeGreaterThan(last);
          last = region.line;
          const rest = base
            .split("\n")
            .slice(region.line - 1)
            .join("\n");
          expect(rest.slice(0, region.base.length)).toBe(region.base);
          expect(new Set([region.base, region.ours, region.theirs]).size).toBe(3);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("disjoint changes to lines of their own give what both wanted", () => {
    const kept = { remove: 0, add: 0 };
    const slot = fc.oneof(
      { weight: 3, arbitrary: fc.constant(kept) },
      fc.record({ remove: fc.nat(2), add: fc.nat(2) }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(slot, fc.boolean()), { maxLength: 30 }), (slots) => {
        const pieces = slots.map(([{ remove, add }, isOurs], at) => {
          const [old, own] = [named(`old ${at}`, remove), named(`new ${at}`, add)];
          const around = [`above ${at}\n`, `below ${at}\n`];
          const within = (text: string) => around.join(text);
          return {
            base: within(old),
            ours: within(isOurs ? own : old),
            theirs: within(isOurs ? old : own),
            both: within(own),
          };
        });
        const all = (side: "base" | "ours" | "theirs" | "both") => pieces.map((piece) => piece[side]).join("");
        expect(runAtOnce(merge3(all("base"), all("ours"), all("theirs")))).toEqual(merged(all("both")));
      }),
      { numRuns: 500 },
    );
  });
});

const named = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name} ${at}\n`).join("");

describe("beside git merge-file", () => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-merge-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    { name: "code", three: likeCode, runs: 120 },
    { name: "few kinds of lines", three: fewKinds, runs: 120 },
  ])("gives the same text or a conflict where git merges: $name", ({ three, runs }) => {
    needs("git");
    fc.assert(
      fc.property(three, (texts) => {
        const ours = runAtOnce(merge3(...texts));
        const git = gitMerge(folder, texts);
        expect(git === null || ours.kind === "conflict" ? git : ours.text).toBe(git);
      }),
      { numRuns: runs, seed: 20_260_101 },
    );
  });
});

/** Null where git sees a conflict. */
function gitMerge(folder: string, [base, ours, theirs]: readonly [string, string, string]): string | null {
  const files = Object.entries({ ours, base, theirs }).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const { status, stdout } = spawnSync("git", ["merge-file", "-p", "--diff3", ...files], { encoding: "utf8" });
  return status === 0 ? stdout : null;
}

describe("time", () => {
  const lines = Array.from({ length: 25_000 }, (_, at) => `a line of the usual length, number ${at}\n`);

  it("is short for few changes in 1 MB", () => {
    const ours = lines.with(3, "ours\n").with(24_990, "ours\n");
    const theirs = lines.with(9, "theirs\n").toSpliced(20_000, 0, "theirs\n");
    const spent = workFromNow();
    const both = runAtOnce(merge3(lines.join(""), ours.join(""), theirs.join("")));
    expect(spent()).toBeLessThan(1500);
    expect(both).toEqual(merged(ours.with(9, "theirs\n").toSpliced(20_000, 0, "theirs\n").join("")));
  });

  it("is bounded when both rewrote everything", () => {
    const [ours, theirs] = [lines.toReversed(), [...lines.slice(9000), ...lines.slice(0, 9000)]];
    const spent = workFromNow();
    expect(runAtOnce(merge3(lines.join(""), ours.join(""), theirs.join(""))).kind).toBe("conflict");
    expect(spent()).toBeLessThan(6000);
  });
});
