import { existsSync, linkSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OWN_PROCESS } from "../../../src/base/process-identity.ts";
import { notePlaceholders, notedPlaceholders } from "../../../src/exec/sandbox/placeholder-notes.ts";
import { heldPlaceholder, makePlaceholders, type Placeholder } from "../../../src/exec/sandbox/placeholders.ts";
import { layout } from "../../layout.ts";

const placeholder = (path: string): Placeholder => ({ kind: "placeholder", path, isDirectory: true });

it("leaves none where one of them cannot be made, and those of other commands alone", () => {
  const root = layout([]);
  const notes = join(root, "notes");
  const [ours, shared, impossible] = [join(root, "ours"), join(root, "shared"), join(root, "missing", "inner")];
  const release = makePlaceholders([placeholder(shared)], notes);
  expect(() => makePlaceholders([ours, impossible, shared].map(placeholder), notes)).toThrow("ENOENT");
  expect([existsSync(ours), heldPlaceholder(ours)]).toEqual([false, undefined]);
  expect([existsSync(shared), notedPlaceholders(notes)]).toEqual([true, [shared]]);
  release();
  expect(readdirSync(root)).toEqual(["notes"]);
  expect(readdirSync(notes)).toEqual([]);
});

it("replaces a note as a whole: a process that is killed meanwhile leaves the one before", () => {
  const notes = join(layout([]), "notes");
  notePlaceholders(notes, ["/a"]);
  const before = join(notes, "..", "before");
  linkSync(join(notes, OWN_PROCESS), before);
  notePlaceholders(notes, ["/a", "/b"]);
  expect([readFileSync(before, "utf8"), notedPlaceholders(notes)]).toEqual(['["/a"]', ["/a", "/b"]]);
});
