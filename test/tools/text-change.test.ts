import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { change } from "../../src/tools/fs/changing/change-answer.ts";
import { planTextChange } from "../../src/tools/fs/changing/text-change.ts";
import { defineTool, DESTRUCTIVE } from "../../src/tools/tool.ts";
import { callerOn, type Caller, scratch } from "../runtime/scratch.ts";

type Make = (text: string | null) => string;

/** A tool of somebody's own that changes text. */
const toolOf = (make: Make) =>
  defineTool({
    name: "make",
    title: "Make",
    description: "Makes another text.",
    annotations: DESTRUCTIVE,
    input: z.strictObject({ path: z.string() }),
    output: z.object({ path: z.string() }),
    async plan({ path }, view) {
      const { changes, line, diff } = await planTextChange(view, path, make);
      return change({ isDryRun: false, changes, lines: [line], diff, data: () => ({ path }) });
    },
  });

const caller = (root: string, make: Make): Caller => callerOn(root, { tools: [toolOf(make)], loopDetection: false });

const upper: Make = (text) => text?.replace("two", "TWO 😀") ?? "fresh\n";

it.each([
  { name: "plain", before: Buffer.from("one\ntwo\n"), after: Buffer.from("one\nTWO 😀\n") },
  { name: "CRLF", before: Buffer.from("one\r\ntwo\r\n"), after: Buffer.from("one\r\nTWO 😀\r\n") },
  { name: "no last line feed", before: Buffer.from("one\ntwo"), after: Buffer.from("one\nTWO 😀") },
  {
    name: "UTF-16 with a mark",
    before: Buffer.from("\ufeffone\ntwo\n", "utf16le"),
    after: Buffer.from("\ufeffone\nTWO 😀\n", "utf16le"),
  },
])("keeps the manner of a file: $name", async ({ before, after }) => {
  const root = scratch({ "a.txt": before });
  const answer = await caller(root, upper)("make", { path: "a.txt" });
  expect(answer.text).toMatch(/^Changed a\.txt\n[^]*\+TWO 😀/);
  expect(readFileSync(join(root, "a.txt")).equals(after)).toBe(true);
});

it.each([
  { name: "creates what is not there, directories too", path: "b/c.txt", text: "Created b/c.txt", now: "fresh\n" },
  { name: "leaves alone what stays the same", path: "same.txt", text: "Left as it is: same.txt", now: "one\n" },
])("$name", async ({ path, text, now }) => {
  const root = scratch({ "same.txt": "one\n" });
  expect((await caller(root, upper)("make", { path })).text).toBe(text);
  expect(readFileSync(join(root, path), "utf8")).toBe(now);
});

it.each([
  { name: "what is no text", path: "a.bin", code: "not_text" },
  { name: "what the encoding cannot hold", path: "latin.txt", code: "cannot_encode" },
  { name: "what lies outside", path: "../a.txt", code: "outside_workspace" },
])("refuses $name", async ({ path, code }) => {
  const tree = { "a.bin": Buffer.from([0, 1, 2, 255]), "latin.txt": Buffer.from("zwölf two für schön\n", "latin1") };
  expect((await caller(scratch(tree), upper)("make", { path })).code).toBe(code);
});

it("is planned again when the file moves on meanwhile: nobody's change is lost", async () => {
  const root = scratch({ "a.txt": "one\ntwo\n" });
  let isFirst = true;
  const make: Make = (text) => {
    if (isFirst) writeFileSync(join(root, "a.txt"), "zero\none\ntwo\n");
    isFirst = false;
    return `${text}three\n`;
  };
  await caller(root, make)("make", { path: "a.txt" });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("zero\none\ntwo\nthree\n");
});

it("makes any text of any other", async () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "é", "😀", "😁", "🀀"), maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(texts, texts, async (before, after) => {
      const root = scratch({ "a.txt": before });
      expect((await caller(root, () => after)("make", { path: "a.txt" })).code).toBe("ok");
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(after);
    }),
    { numRuns: 60 },
  );
});
