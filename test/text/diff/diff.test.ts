import { applyPatch } from "diff";
import * as fc from "fast-check";
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { type DiffOptions, unifiedDiff } from "../../../src/text/diff/diff.ts";
import { runAtOnce } from "../run-at-once.ts";
import { workFromNow } from "../../work.ts";
import { needs } from "../../programs.ts";

const WHOLE = { mostLines: Infinity, mostBytes: Infinity };
const numbers = (count: number, word = "line"): string[] => Array.from({ length: count }, (_, at) => `${word} ${at}\n`);
const upper = (text: string, line: string): string => text.replace(`${line}\n`, `${line.toUpperCase()}\n`);

describe("a unified diff", () => {
  it.each<{ name: string; before: string; after: string; options?: Partial<DiffOptions>; text: string[] }>([
    { name: "no change", before: "a\n", after: "a\n", text: [] },
    {
      name: "one line among three around it",
      before: "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      after: "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
      text: ["--- a/f", "+++ b/f", "@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"],
    },
    {
      name: "a lost line feed at the end",
      before: "a\n",
      after: "a",
      text: ["--- a/f", "+++ b/f", "@@ -1 +1 @@", "-a", "+a", "\\ No newline at end of file"],
    },
    {
      name: "a line behind one without a line feed",
      before: "a\nb",
      after: "a\nb\nc",
      text: [
        "--- a/f",
        "+++ b/f",
        "@@ -1,2 +1,3 @@",
        " a",
        "-b",
        "\\ No newline at end of file",
        "+b",
        "+c",
        "\\ No newline at end of file",
      ],
    },
    {
      name: "an empty first line kept",
      before: "\na\n",
      after: "\nb\n",
      text: ["--- a/f", "+++ b/f", "@@ -1,2 +1,2 @@", " ", "-a", "+b"],
    },
    {
      name: "an empty first line lost",
      before: "\nalpha\n",
      after: "alpha\n",
      text: ["--- a/f", "+++ b/f", "@@ -1,2 +1 @@", "-", " alpha"],
    },
    {
      name: "a new function below its like",
      before: "f {\n}\n\ng {\n}\n",
      after: "f {\n}\n\nh {\n}\n\ng {\n}\n",
      options: { contextLines: 1 },
      text: ["--- a/f", "+++ b/f", "@@ -3,2 +3,5 @@", " ", "+h {", "+}", "+", " g {"],
    },
    {
      name: "two changes that share their context",
      before: numbers(12).join(""),
      after: upper(upper(numbers(12).join(""), "line 3"), "line 6"),
      options: { contextLines: 1 },
      text: [
        "--- a/f",
        "+++ b/f",
        "@@ -3,6 +3,6 @@",
        " line 2",
        "-line 3",
        "+LINE 3",
        " line 4",
        " line 5",
        "-line 6",
        "+LINE 6",
        " line 7",
      ],
    },
    {
      name: "two changes one line too far apart for that",
      before: numbers(12).join(""),
      after: upper(upper(numbers(12).join(""), "line 3"), "line 7"),
      options: { contextLines: 1 },
      text: [
        "--- a/f",
        "+++ b/f",
        "@@ -3,3 +3,3 @@",
        " line 2",
        "-line 3",
        "+LINE 3",
        " line 4",
        "@@ -7,3 +7,3 @@",
        " line 6",
        "-line 7",
        "+LINE 7",
        " line 8",
      ],
    },
    {
      name: "a file that appears",
      before: "",
      after: "a\n",
      options: { kind: "create" },
      text: ["--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a"],
    },
    {
      name: "an empty file that goes",
      before: "",
      after: "",
      options: { kind: "delete" },
      text: ["diff --git a/f b/f", "deleted file mode 100644"],
    },
    {
      name: "a move alone",
      before: "a\n",
      after: "a\n",
      options: { fromPath: "old name" },
      text: ["diff --git a/old name b/f", "rename from old name", "rename to f"],
    },
    {
      name: "a name that would forge a line",
      before: "a\n",
      after: "b\n",
      options: { path: 'x\n+++ b/"y\u202E' },
      text: [
        '--- "a/x\\012+++ b/\\"y\\342\\200\\256"',
        '+++ "b/x\\012+++ b/\\"y\\342\\200\\256"',
        "@@ -1 +1 @@",
        "-a",
        "+b",
      ],
    },
  ])("$name", ({ before, after, options, text }) => {
    const result = runAtOnce(unifiedDiff(before, after, { path: "f", ...options }));
    expect(result.text).toBe(text.map((row) => `${row}\n`).join(""));
    expect(result.truncated).toBe(false);
  });
});

const LONG = numbers(200);

interface Patch {
  readonly before: string;
  readonly after: string;
  readonly options?: Partial<DiffOptions>;
}

const PATCHES: readonly (Patch & { name: string; gitOnly?: boolean })[] = [
  { name: "a change", before: LONG.join(""), after: upper(upper(LONG.join(""), "line 5"), "line 150") },
  { name: "a change at both ends", before: LONG.join(""), after: `first\n${LONG.slice(0, -1).join("")}last\n` },
  { name: "an insertion", before: LONG.join(""), after: LONG.toSpliced(90, 0, "new\n", "new\n").join("") },
  { name: "a deletion", before: LONG.join(""), after: LONG.toSpliced(90, 7).join("") },
  { name: "everything", before: LONG.join(""), after: numbers(150, "other").join("") },
  { name: "a line feed lost", before: "a\nb\nc\n", after: "a\nb\nc" },
  { name: "a line feed gained", before: "a\nb\nc", after: "a\nb\nc\n" },
  { name: "an end without a line feed", before: "a\nb\nc", after: "x\nb\nc" },
  { name: "a tail without a line feed", before: "a\nb", after: "a\nb\nc" },
  { name: "an empty file filled", before: "", after: "a\nb" },
  { name: "a file emptied", before: "a\nb", after: "" },
  { name: "CRLF", before: "a\r\nb\r\nc\r\n", after: "a\r\nB\r\nc\r\n" },
  { name: "CRLF to LF", before: "a\r\nb\r\n", after: "a\nb\n" },
  { name: "a lone carriage return", before: "a\rb\nc\n", after: "a\rB\nc\n" },
  { name: "lines that look like a diff", before: "--- a\n+++ b\n@@ -1 +1 @@\n", after: "-- a\n++ b\n\\ No newline\n" },
  { name: "other line separators", before: "a\u2028b\x85c\fd\n", after: "a\u2028b\x85c\fe\n" },
  { name: "a byte-order mark", before: "\uFEFFa\nb\n", after: "\uFEFFa\nc\n" },
  { name: "a file that appears", before: "", after: "a\nb\n", options: { kind: "create" } },
  { name: "an empty file that appears", before: "", after: "", options: { kind: "create" } },
  { name: "a file that goes", before: "a\nb", after: "", options: { kind: "delete" } },
  { name: "an empty file that goes", before: "", after: "", options: { kind: "delete" }, gitOnly: true },
  { name: "a move", before: "a\nb\n", after: "a\nb\n", options: { path: "new/n", fromPath: "old/o" } },
  { name: "a move with a change", before: LONG.join(""), after: `${LONG.join("")}x\n`, options: { fromPath: "a b" } },
  ...[
    "with space",
    "sub/dir/f",
    ' "quoted" ',
    "back\\slash",
    "größe",
    "日本 語",
    "tab\tname",
    "new\nline",
    "b\u202Ea",
  ].map((path) => ({ name: `the name ${JSON.stringify(path)}`, before: "a\n", after: "b\n", options: { path } })),
  { name: "a created name with space", before: "", after: "b\n", options: { path: "x y", kind: "create" } },
  { name: "a moved name with a quote", before: "a\n", after: "b\n", options: { path: 'x"y', fromPath: "p\tq" } },
];

const GIT = ["git", "apply", "--whitespace=nowarn"];
const GNU = ["patch", "-p1", "--silent", "--binary"];

describe("real programs take it", () => {
  it.each(PATCHES)("git apply: $name", (patch) => {
    needs("git");
    expect(applied(filesBefore(patch), patch, GIT)).toEqual(filesAfter(patch));
  });

  it.each(PATCHES)("git apply --reverse: $name", (patch) => {
    needs("git");
    expect(applied(filesAfter(patch), patch, [...GIT, "--reverse"])).toEqual(filesBefore(patch));
  });

  it.each(PATCHES.filter(({ gitOnly }) => !gitOnly))("patch: $name", (patch) => {
    needs("patch");
    expect(applied(filesBefore(patch), patch, GNU)).toEqual(filesAfter(patch));
  });

  it("git apply, whatever the texts", () => {
    needs("git");
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 1, max: 3 }), (before, after, contextLines) => {
        expect(applied({ f: before }, { before, after, options: { contextLines } }, GIT)).toEqual({ f: after });
      }),
      { numRuns: 40 },
    );
  });
});

const anyLine = fc.constantFrom("a", "b", "c", "", "}", "x\r", "\u2028", "🎉");
const anyText = fc
  .tuple(fc.array(anyLine, { maxLength: 14 }), fc.boolean())
  .map(([lines, ended]) => lines.join("\n") + (ended && lines.length > 0 ? "\n" : ""));

const isAdded = (row: string): boolean => row.startsWith("+");
const isRemoved = (row: string): boolean => row.startsWith("-");

describe("any two texts", () => {
  it("give a diff that turns one into the other, with exact counts", () => {
    fc.assert(
      fc.property(anyText, anyText, fc.nat(4), (before, after, contextLines) => {
        const { text, added, removed, truncated } = runAtOnce(
          unifiedDiff(before, after, { path: "f", contextLines, ...WHOLE }),
        );
        const rows = text.split("\n").slice(2);
        expect([added, removed, truncated]).toEqual([
          rows.filter(isAdded).length,
          rows.filter(isRemoved).length,
          false,
        ]);
        expect(text === "").toBe(before === after);
        expect(text === "" ? before : applyPatch(before, text, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: 1500 },
    );
  });

  it("give the smallest diff there is", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const [left, right] = [linesOf(before), linesOf(after)];
        const kept = mostInCommon(left, right);
        const { added, removed } = runAtOnce(unifiedDiff(before, after, { path: "f" }));
        expect({ added, removed }).toEqual({ added: right.length - kept, removed: left.length - kept });
      }),
      { numRuns: 1500 },
    );
  });

  it("give counts that no cut changes, and at most the lines and bytes asked for", () => {
    fc.assert(
      fc.property(anyText, anyText, fc.nat(12), fc.nat(60), (before, after, mostLines, mostBytes) => {
        const whole = runAtOnce(unifiedDiff(before, after, { path: "f", contextLines: 0, ...WHOLE }));
        const cut = runAtOnce(unifiedDiff(before, after, { path: "f", contextLines: 0, mostLines, mostBytes }));
        expect([cut.added, cut.removed]).toEqual([whole.added, whole.removed]);
        const shown = cut.truncated ? cut.text.replace(/\[Cut: .*\]\n$/, "") : cut.text;
        expect([shown, shown === whole.text]).toEqual([whole.text.slice(0, shown.length), !cut.truncated]);
        const body = shown.split("\n").slice(2, -1);
        expect(body.filter((row) => !row.startsWith("\\")).length).toBeLessThanOrEqual(mostLines);
        expect(Buffer.byteLength(body.join("\n"))).toBeLessThanOrEqual(mostBytes);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a cut", () => {
  const before = LONG.join("");
  const after = upper(upper(upper(before, "line 5"), "line 50"), "line 150");

  it.each([
    { name: "inside a hunk", most: { mostLines: 6 }, ends: "+LINE 5\n[Cut: 2 more hunks, 19 more lines]\n" },
    { name: "between hunks", most: { mostLines: 9 }, ends: " line 8\n[Cut: 2 more hunks, 16 more lines]\n" },
    {
      name: "behind a heading, which goes too",
      most: { mostLines: 10 },
      ends: " line 8\n[Cut: 2 more hunks, 16 more lines]\n",
    },
    { name: "in the last hunk", most: { mostLines: 26 }, ends: " line 152\n[Cut: 1 more line]\n" },
    { name: "before everything", most: { mostLines: 1 }, ends: "+++ b/f\n[Cut: 3 more hunks, 24 more lines]\n" },
    { name: "by bytes", most: { mostBytes: 50 }, ends: "-line 5\n[Cut: 2 more hunks, 20 more lines]\n" },
  ])("$name", ({ most, ends }) => {
    const { text, ...rest } = runAtOnce(unifiedDiff(before, after, { path: "f", ...most }));
    expect(text.slice(-ends.length)).toBe(ends);
    expect(rest).toEqual({ added: 3, removed: 3, truncated: true });
  });

  it("happens by itself when nobody sets a limit", () => {
    const { text, ...rest } = runAtOnce(unifiedDiff("", numbers(50_000).join(""), { path: "f" }));
    expect(text.length).toBeLessThan(30_000);
    expect(rest).toEqual({ added: 50_000, removed: 0, truncated: true });
  });
});

describe("time", () => {
  const lines = numbers(20_000, "a line of the usual length");
  const shuffled = lines.toSorted((a, b) => hash(a) - hash(b));
  const few = lines.map((line) => `${Math.abs(hash(line)) % 8}\n`);

  it.each([
    { name: "two texts without a common line", before: lines, after: numbers(20_000, "other"), removed: 20_000 },
    { name: "the same lines in another order", before: lines, after: shuffled, removed: 20_000 },
    { name: "few kinds of lines", before: few, after: few.toReversed(), removed: 20_000 },
    {
      name: "every second line changed",
      before: lines,
      after: lines.map((line, at) => (at % 2 ? line : `x${line}`)),
      removed: 10_000,
    },
    { name: "a common head and tail", before: lines, after: ["x\n", ...lines, "y\n"].toSpliced(9000, 1), removed: 1 },
  ])("is bounded for $name", ({ before, after, removed }) => {
    const spent = workFromNow();
    const stats = runAtOnce(unifiedDiff(before.join(""), after.join(""), { path: "f" }));
    expect(spent()).toBeLessThan(3000);
    expect(stats.removed).toBeGreaterThan(removed * 0.99);
    expect(stats.removed).toBeLessThanOrEqual(removed);
  });

  it("of one line in 5 MB goes into that line", () => {
    const before = numbers(200_000, "a line of the usual length").join("");
    const spent = workFromNow();
    const after = upper(before, "a line of the usual length 100000");
    expect(runAtOnce(unifiedDiff(before, after, { path: "f" }))).toMatchObject({ added: 1, removed: 1 });
    expect(spent()).toBeLessThan(300);
  });
});

const hash = (text: string): number =>
  Array.from(text).reduce((sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0, 7);

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function mostInCommon(left: readonly string[], right: readonly string[]): number {
  let row = right.map(() => 0);
  for (const line of left) {
    row = row.reduce<number[]>((next, above, at) => {
      const diagonal = line === right[at] ? (row[at - 1] ?? 0) + 1 : 0;
      return [...next, Math.max(above, next.at(-1) ?? 0, diagonal)];
    }, []);
  }
  return row.at(-1) ?? 0;
}

type Files = Readonly<Record<string, string>>;

function filesBefore({ before, options = {} }: Patch): Files {
  const { path = "f", fromPath = path, kind } = options;
  return kind === "create" ? {} : { [fromPath]: before };
}

function filesAfter({ after, options = {} }: Patch): Files {
  const { path = "f", kind } = options;
  return kind === "delete" ? {} : { [path]: after };
}

/** Returns the content of a directory after a real program has applied the diff. */
function applied(files: Files, { before, after, options }: Patch, [program = "", ...args]: readonly string[]): Files {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-diff-"));
  try {
    for (const [path, text] of Object.entries(files)) put(join(folder, path), text);
    const { text: input } = runAtOnce(unifiedDiff(before, after, { path: "f", ...options, ...WHOLE }));
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
    if (input !== "") execFileSync(program, args, { cwd: folder, input, env });
    return filesIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function filesIn(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}
