import { applyFilePatch } from "../../../src/text/patch/apply.ts";
import { parsePatch } from "../../../src/text/patch/parse.ts";
import { applySplices } from "../../../src/text/edit/splice.ts";
import { runAtOnce } from "../run-at-once.ts";

/** The text after a patch of one file. */
export function patched(text: string, patch: string): string {
  const [file] = runAtOnce(parsePatch(patch));
  if (!file || file.kind === "add") throw new Error("No update");
  return applySplices(text, runAtOnce(applyFilePatch(text, file)).splices);
}

/** An envelope that updates the file "f". */
export const envelope = (...lines: string[]): string =>
  ["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch"].join("\n");

/** A unified diff of the file "f". */
export const diff = (...lines: string[]): string => ["--- a/f", "+++ b/f", ...lines].join("\n");

export const TWINS = "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 1\n    return x\n";
export const CLASSES = "class A:\n    def f(self):\n        go()\n\nclass B:\n    def f(self):\n        go()\n";
