import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";

/** Path → text. */
export type Tree = Readonly<Record<string, string>>;

/** A temporary folder with these files, gone when the test ends. */
export function plant(tree: Tree): string {
  const root = mkdtempSync(join(tmpdir(), "planted-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Runs one of our scripts in a folder; tells whether it passed and what it said. */
export function run(script: string, cwd: string, ...args: readonly string[]): { passed: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("scripts", script), ...args], {
    cwd,
    encoding: "utf8",
  });
  return { passed: status === 0, output: stdout + stderr };
}
