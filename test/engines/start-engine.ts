import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
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

/** Starts a Docker engine for all tests of this folder, where none answers, and ends it after them. */
export default function startEngine(project: TestProject): () => void {
  const home = mkdtempSync(join(tmpdir(), "engine-"));
  const { status, stdout, stderr } = runScript("docker-up.sh", [home, IMAGE], usualEngine());
  project.provide("engine", status === 0 ? { host: stdout.trim() } : { missing: stderr.trim() });
  return () => {
    const down = runScript("docker-down.sh", [home], {});
    if (down.status !== 0) throw new Error(down.stderr);
  };
}

const runScript = (name: string, words: readonly string[], extra: NodeJS.ProcessEnv) =>
  spawnSync(join(import.meta.dirname, name), words, { encoding: "utf8", env: { ...process.env, ...extra } });

/** Uses the engine of the machine, if one answers. */
function usualEngine(): NodeJS.ProcessEnv {
  const host = process.env["DOCKER_HOST"] ?? "unix:///var/run/docker.sock";
  const isThere = existsSync(host.replace("unix://", ""));
  return { DOCKER_HOST: isThere && spawnSync("docker", ["-H", host, "version"]).status === 0 ? host : "" };
}
