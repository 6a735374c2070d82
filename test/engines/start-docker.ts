import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { startEngine } from "./start-engine.ts";

/** Starts a Docker engine for all tests of this folder, where none answers. */
export default function startDocker(project: TestProject): () => void {
  return startEngine(project, "docker-up.sh", usualEngine());
}

/** Uses the engine of the machine, if one answers. */
function usualEngine(): NodeJS.ProcessEnv {
  const host = process.env["DOCKER_HOST"] ?? "unix:///var/run/docker.sock";
  const isThere = existsSync(host.replace("unix://", ""));
  return { DOCKER_HOST: isThere && spawnSync("docker", ["-H", host, "version"]).status === 0 ? host : "" };
}
