import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { callerOn, scratch } from "../../runtime/scratch.ts";

interface Match {
  readonly path: string;
  readonly type: string;
  readonly size?: number;
}

const names = fc.constantFrom("a", "b", "c.ts", "d.js", "e f", "\u00fc", "x\ny", "[z]");
const files = fc.dictionary(
  fc.array(names, { minLength: 1, maxLength: 4 }).map((path) => path.map((name, at) => `${at}${name}`).join("/")),
  fc.string({ maxLength: 20, unit: "grapheme-ascii" }),
  { maxKeys: 30 },
);

/** Drops files whose path is also a directory of other files. */
const possible = (given: Readonly<Record<string, string>>) =>
  Object.entries(given).filter(([path]) => !Object.keys(given).some((other) => other.startsWith(`${path}/`)));

it("finds what a naive search finds, in any order, page by page", async () => {
  const root = scratch();
  const caller = callerOn(root, { loopDetection: false });
  const sorts = fc.constantFrom("path", "-path", "size", "-size");
  const property = fc.asyncProperty(files, sorts, fc.integer({ min: 1, max: 7 }), async (given, sort_by, limit) => {
    const planted = possible(given);
    for (const [path, text] of planted) {
      mkdirSync(join(root, "top", dirname(path)), { recursive: true });
      writeFileSync(join(root, "top", path), text);
    }
    mkdirSync(join(root, "top"), { recursive: true });
    const found: Match[] = [];
    for (let cursor: unknown, more = true; more; more = cursor !== undefined) {
      const input = {
        pattern: "*.ts",
        path: "top",
        type: "file",
        sort_by,
        limit,
        ...(cursor !== undefined && { cursor }),
      };
      const { data } = await caller("find", input);
      found.push(...(data["matches"] as Match[]));
      expect(data["total_matches"]).toBe(planted.filter(([path]) => path.endsWith(".ts")).length);
      ({ cursor } = data);
    }
    rmSync(join(root, "top"), { recursive: true });
    const sign = sort_by.startsWith("-") ? -1 : 1;
    const byPath = (a: Match, b: Match) => (a.path < b.path ? -1 : 1);
    const expected = planted
      .filter(([path]) => path.endsWith(".ts"))
      .map(([path, text]) => ({ path: `top/${path}`, type: "file", size: text.length }))
      .toSorted((a, b) => (sort_by.endsWith("path") ? sign * byPath(a, b) : sign * (a.size - b.size) || byPath(a, b)));
    expect(found.map(({ path, type, size }) => ({ path, type, size }))).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 60 });
});

it("a cursor stays valid while files are added and deleted", async () => {
  const root = scratch({ "b.ts": "", "d.ts": "", "f.ts": "" });
  const caller = callerOn(root);
  const first = await caller("find", { pattern: "*.ts", limit: 2 });
  writeFileSync(join(root, "a.ts"), "");
  writeFileSync(join(root, "e.ts"), "");
  rmSync(join(root, "d.ts"));
  const { data } = await caller("find", { pattern: "*.ts", limit: 2, cursor: first.data["cursor"] });
  expect((data["matches"] as Match[]).map(({ path }) => path)).toEqual(["e.ts", "f.ts"]);
});

it("counts what it does not show, and keeps a long page short", async () => {
  const many = Object.fromEntries(Array.from({ length: 2500 }, (_, n) => [`d${n % 7}/f${n}.txt`, ""]));
  const caller = callerOn(scratch(many));
  const { data } = await caller("find", { pattern: "*.txt" });
  expect(data).toMatchObject({ total_matches: 2500, truncated: true });
  expect(data["matches"]).toHaveLength(LIMITS.findMatches);
  const all = await caller("find", { pattern: "*.txt", limit: 3000 });
  expect(all.data["matches"]).toHaveLength(2500);
  expect((all.data["matches"] as Match[])[0]).toEqual({ path: "d0/f0.txt", type: "file" });
});

it("searches every root when no path is given, a nested root only once", async () => {
  const first = scratch({ "a.ts": "", "inner/b.ts": "" });
  const second = scratch({ "c.ts": "" });
  const caller = callerOn(first, { roots: [first, second, join(first, "inner")] });
  const { data } = await caller("find", { pattern: "*.ts" });
  const paths = (data["matches"] as Match[]).map(({ path }) => path);
  expect(paths.toSorted()).toEqual([join(first, "a.ts"), join(first, "inner/b.ts"), join(second, "c.ts")].toSorted());
});

it("is also called glob", async () => {
  const caller = callerOn(scratch({ "a.ts": "" }));
  expect((await caller("glob", { pattern: "*.ts" })).text).toBe("a.ts");
});

it("does not compare files that are too large, and says how many", async () => {
  const root = scratch({ "a.bin": "same", "b.bin": "same", "c.big": "", "d.big": "" });
  for (const name of ["c.big", "d.big"]) truncateSync(join(root, name), LIMITS.duplicateBytes + 1);
  const { data, text } = await callerOn(root)("find", { pattern: "*", duplicates: true });
  expect(data["duplicates"]).toMatchObject([{ size: 4, count: 2, reclaim: 4, paths: ["a.bin", "b.bin"] }]);
  expect(data["not_compared"]).toBe(2);
  expect(text).toContain(`[Not compared: 2 files; at most ${LIMITS.duplicateBytes} bytes each]`);
});

it("an answer ends before it is too large, and its cursor continues with the rest", async () => {
  const name = "n".repeat(240);
  const deep = Array.from({ length: 14 }, () => "d".repeat(200)).join("/");
  const count = Math.ceil(LIMITS.findChars / (deep.length + name.length)) + 50;
  const caller = callerOn(
    scratch(Object.fromEntries(Array.from({ length: count }, (_, n) => [`${deep}/${name}${n}`, ""]))),
  );
  const first = await caller("find", { pattern: "n*", limit: LIMITS.findMatchesMost });
  const { data } = await caller("find", { pattern: "n*", limit: LIMITS.findMatchesMost, cursor: first.data["cursor"] });
  const [one, other] = [first.data["matches"] as Match[], data["matches"] as Match[]];
  expect(first.data["truncated"]).toBe(true);
  expect(new Set([...one, ...other].map(({ path }) => path)).size).toBe(count);
  expect(data["truncated"]).toBe(false);
});
