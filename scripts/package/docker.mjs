import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyProgram, packageJson } from "./program.mjs";

/**
 * Builds an image of the program with the Dockerfile. Words: its name, then flags for `docker build`.
 * @param {string} _
 * @param {string[]} words
 */
export async function buildImage(_, [image = `holdfast:${packageJson().version}`, ...flags]) {
  const context = mkdtempSync(join(tmpdir(), "holdfast-docker-"));
  try {
    copyProgram(join(context, "app"));
    for (const name of ["projects", "state"]) mkdirSync(join(context, name));
    cpSync("Dockerfile", join(context, "Dockerfile"));
    const label = `io.modelcontextprotocol.server.name=${packageJson().mcpName}`;
    const words = ["build", "--tag", image, "--label", label, ...flags, context];
    const { status } = spawnSync("docker", words, { stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0) throw new Error(`Cannot build ${image}: docker failed`);
    return image;
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}
