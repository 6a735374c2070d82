import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appOn, callerOf, scratch } from "../runtime/scratch.ts";

const COMPOSED = "K\u00f6ln.txt";
const DECOMPOSED = "Ko\u0308ln.txt";
const NOTE = `"${DECOMPOSED}" looks the same as "K\\u00f6ln.txt", which is there already`;
const added = (path: string): string => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n`;

it.each([
  { tool: "write", input: { path: DECOMPOSED, content: "x" } },
  { tool: "write", input: { path: DECOMPOSED, content: "x", append: true } },
  { tool: "write", input: { path: DECOMPOSED, content: "x", dry_run: true } },
  { tool: "mkdir", input: { path: DECOMPOSED } },
  { tool: "move", input: { source: "a.txt", destination: DECOMPOSED } },
  { tool: "copy", input: { source: "a.txt", destination: DECOMPOSED } },
  { tool: "apply_patch", input: { input: added(DECOMPOSED) } },
])("$tool tells of a neighbour that looks like what it makes: $input", async ({ tool, input }) => {
  const root = scratch({ [COMPOSED]: "old", "a.txt": "A" });
  const { code, text, data } = await callerOf(appOn(root))(tool, input);
  expect([code, data["warnings"]]).toEqual(["ok", [NOTE]]);
  expect(text).toContain(`Note: ${NOTE}`);
  expect(existsSync(join(root, COMPOSED))).toBe(true);
});

it.each([
  { there: "Anna\u2019s.txt", made: "Anna's.txt", says: '"Anna\'s.txt" looks the same as "Anna\\u2019s.txt"' },
  { there: "Anna's.txt", made: "Anna\u2019s.txt", says: '"Anna\u2019s.txt" looks the same as "Anna\'s.txt"' },
  { there: "a\u00a0b.txt", made: "a b.txt", says: '"a b.txt" looks the same as "a\\u00a0b.txt"' },
  { there: `${COMPOSED}/a`, made: `${DECOMPOSED}/b/c`, says: `"${DECOMPOSED}" looks the same as "K\\u00f6ln.txt"` },
])("write tells that $made looks like $there", async ({ there, made, says }) => {
  const { data } = await callerOf(appOn(scratch({ [there]: "old" })))("write", { path: made, content: "x" });
  expect(data["warnings"]).toEqual([`${says}, which is there already`]);
});

it("what looks different, or leaves with the same call, is not told", async () => {
  const root = scratch({ [COMPOSED]: "old", "b c.txt": "B" });
  const caller = callerOf(appOn(root));
  const { data: moved } = await caller("move", { source: COMPOSED, destination: DECOMPOSED });
  const { data: written } = await caller("write", { path: "b d.txt", content: "x" });
  const { data: replaced } = await caller("write", { path: DECOMPOSED, content: "x", overwrite: true });
  expect([moved, written, replaced].map((data) => data["warnings"])).toEqual([undefined, undefined, undefined]);
  expect(readdirSync(root)).toContain(DECOMPOSED);
});
