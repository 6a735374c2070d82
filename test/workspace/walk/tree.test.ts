import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { callerOn, scratch } from "../../runtime/scratch.ts";

/** A directory with its children by name, or null for a file. */
type Planned = Readonly<Record<string, unknown>> | null;

const names = fc.constantFrom("a", "b", "c", "d", "e.txt", "f.txt", "g h", "\u00fc");
const { planned } = fc.letrec<{ planned: Planned; directory: Planned }>((tie) => ({
  planned: fc.oneof({ maxDepth: 4, depthSize: "medium" }, fc.constant(null), tie("directory")),
  directory: fc.dictionary(names, tie("planned"), { maxKeys: 8 }),
}));

function plant(path: string, what: Planned): void {
  if (what === null) return writeFileSync(path, "");
  mkdirSync(path, { recursive: true });
  for (const [name, child] of Object.entries(what)) plant(join(path, name), child as Planned);
}

const countOf = (what: Planned): number =>
  Object.values(what ?? {}).reduce<number>((sum, child) => sum + 1 + countOf(child as Planned), 0);

it("never shows more than its limit, counts what it folds, and folds nothing that fits", async () => {
  const root = scratch();
  const caller = callerOn(root, { loopDetection: false });
  const property = fc.asyncProperty(planned, fc.integer({ min: 1, max: 40 }), async (what, limit) => {
    plant(join(root, "top"), what ?? {});
    const all = countOf(what);
    const { data } = await caller("tree", { path: "top", limit });
    rmSync(join(root, "top"), { recursive: true });
    const [, ...lines] = String(data["tree"])
      .split("\n")
      .filter((line) => !line.startsWith("[Cut: "));
    const shown = lines.filter((line) => !/^ +\u2026 \d+ more$/.test(line)).length;
    expect(data).toMatchObject({ shown, total: all, truncated: shown < all });
    expect(shown).toBe(Math.min(all, limit));
    const weights = lines.flatMap((line) => / \u2026 (\d+) (?:more|entries)$/.exec(line)?.[1] ?? []);
    const known = weights.reduce((sum, weight) => sum + Number(weight), shown);
    expect(known).toBeLessThanOrEqual(all);
    expect(known > shown).toBe(shown < all);
  });
  await fc.assert(property, { numRuns: 60 });
});

it("does not let one huge directory crowd out the others", async () => {
  const many = Array.from({ length: 5000 }, (_, n) => [`aaa/file-${n}`, ""] as const);
  const few = ["bbb", "ccc", "ddd"].map((name) => [`${name}/inside`, ""] as const);
  const caller = callerOn(scratch(Object.fromEntries([...many, ...few])));
  const { data } = await caller("tree", {});
  const drawn = String(data["tree"]);
  expect(["bbb/", "ccc/", "ddd/"].map((name) => drawn.includes(`  ${name}\n    inside`))).toEqual([true, true, true]);
  expect(drawn).toMatch(/^ {4}\u2026 \d+ more$/m);
  expect(data).toMatchObject({ total: 5007, truncated: true });
  expect(data["shown"]).toBeLessThanOrEqual(400);
});

it("goes as deep as requested", async () => {
  const deep = Array.from({ length: 60 }, (_, n) => `d${n}`);
  const caller = callerOn(scratch({ [join(...deep, "bottom.txt")]: "" }));
  const { data } = await caller("tree", {});
  expect(String(data["tree"]).split("\n").at(-1)).toBe(`${"  ".repeat(61)}bottom.txt`);
  expect(data).toMatchObject({ total: 61, shown: 61, truncated: false });
});

it("reads only the beginning of an ignore file that never ends", async () => {
  const rules = `*.tmp\n${"#".repeat(200_000)}\n*.txt\n`;
  const caller = callerOn(scratch({ ".gitignore": rules, "a.tmp": "", "b.txt": "" }));
  expect((await caller("tree", {})).data["tree"]).toBe("./\n  b.txt");
});

it("ignores an ignore file that is binary, a directory or a link", async () => {
  const caller = callerOn(
    scratch({
      "a/.gitignore": Buffer.from([0, 255, 254]),
      "b/.gitignore": null,
      "c/.ignore": { link: "../../up" },
      "a/x": "",
    }),
  );
  expect((await caller("tree", {})).data["tree"]).toBe("./\n  a/\n    x\n  b/\n  c/");
});
