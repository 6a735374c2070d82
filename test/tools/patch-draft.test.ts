import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { callerOn, scratch } from "../runtime/scratch.ts";

const NAMES = ["a", "b", "c", "d"] as const;
const MODES = { a: 0o600, b: 0o640, c: 0o755 } as const;

type Name = (typeof NAMES)[number];
type Section = readonly ["add" | "update" | "move" | "delete", Name, Name];

/** Path → the one line of a file, and the mode it has since before the patch. */
type Files = Map<string, { readonly line: string; readonly mode?: number }>;

const section: fc.Arbitrary<Section> = fc.tuple(
  fc.constantFrom("add", "update", "move", "move", "delete"),
  fc.constantFrom(...NAMES),
  fc.constantFrom(...NAMES),
);

it("leaves what its sections leave one after the other, and undo leaves what was there", async () => {
  const sections = fc.array(section, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(sections, async (wanted) => {
      const root = scratch({ a: "0 a\n", b: "0 b\n", c: "0 c\n" });
      for (const [name, mode] of Object.entries(MODES)) chmodSync(join(root, name), mode);
      const before = filesIn(root);
      const after: Files = new Map(before);
      const lines = wanted.flatMap((each, nth) => made(after, each, nth + 1));
      if (lines.length === 0) return;
      const call = callerOn(root);
      const { isError, data } = await call("apply_patch", { input: patch(lines) });
      expect(isError).toBe(false);
      const now = filesIn(root);
      expect([...now.keys()]).toEqual([...after.keys()].toSorted());
      for (const [name, file] of after) expect(now.get(name)).toMatchObject(file);
      if (data["change_id"] === undefined) return;
      expect(await call("undo")).toMatchObject({ isError: false });
      expect(filesIn(root)).toEqual(before);
    }),
    { numRuns: 60 },
  );
});

/** The lines of a section that makes sense here; none otherwise. */
function made(files: Files, [kind, path, to]: Section, nth: number): readonly string[] {
  const file = files.get(path);
  if (kind === "add") {
    if (file) return [];
    files.set(path, { line: `${nth} new` });
    return [`*** Add File: ${path}`, `+${nth} new`];
  }
  if (!file || (kind === "move" && files.has(to))) return [];
  if (kind === "update") {
    files.set(path, { ...file, line: `${nth} edited` });
    return [`*** Update File: ${path}`, "@@", `-${file.line}`, `+${nth} edited`];
  }
  files.delete(path);
  if (kind === "delete") return [`*** Delete File: ${path}`];
  files.set(to, file);
  return [`*** Update File: ${path}`, `*** Move to: ${to}`];
}

const patch = (lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

const filesIn = (root: string): Files =>
  new Map(
    readdirSync(root)
      .toSorted()
      .map((name) => {
        const path = join(root, name);
        return [name, { line: readFileSync(path, "utf8").trimEnd(), mode: statSync(path).mode & 0o777 }];
      }),
  );
