import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** The image that tests run containers of. */
export const IMAGE = "holdfast-test:1";

declare module "vitest" {
  interface ProvidedContext {
    /** Holds the URL of the engine's socket, or why there is none. */
    readonly engine: { readonly host: string } | { readonly missing: string };
  }
}

/** Starts an engine by a script for all tests of a project. Returns what ends it after them. */
export function startEngine(project: TestProject, script: string, extra: NodeJS.ProcessEnv): () => void {
  const home = mkdtempSync(join(tmpdir(), "engine-"));
  const { status, stdout, stderr } = runScript(script, [home, IMAGE], extra);
  project.provide("engine", status === 0 ? { host: stdout.trim() } : { missing: stderr.trim() });
  return () => {
    const down = runScript("engine-down.sh", [home], {});
    if (down.status !== 0) throw new Error(down.stderr);
  };
}

const runScript = (name: string, words: readonly string[], extra: NodeJS.ProcessEnv) =>
  spawnSync(join(import.meta.dirname, name), words, { encoding: "utf8", env: { ...process.env, ...extra } });
