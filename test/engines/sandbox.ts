import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Command } from "../../src/exec/command.ts";
import { createDockerSandbox, type DockerOptions } from "../../src/exec/sandbox/docker/docker-sandbox.ts";
import { connectEngine, type Engine } from "../../src/exec/sandbox/docker/engine.ts";
import type { Bounds, Sandbox, StartedCommand, Streams } from "../../src/exec/sandbox/sandbox.ts";
import { OWN_PROCESS } from "../../src/base/process-identity.ts";
import { needsEngine } from "./engine.ts";
import { IMAGE } from "./start-engine.ts";

/** Connects to the engine of the tests. */
export const testEngine = (): Engine => connectEngine(needsEngine().replace("unix://", ""));

/** Lists the containers of this process. */
export const ownContainers = async (): Promise<readonly string[]> =>
  (await testEngine().list([`holdfast.owner=${OWN_PROCESS}`])).map(({ Id }) => Id);

/** Makes a sandbox that is closed when the test ends. */
export function testSandbox(options: Partial<DockerOptions> = {}): Sandbox {
  process.env["DOCKER_HOST"] = needsEngine();
  const sandbox = createDockerSandbox({ image: IMAGE, closed: [], ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Bounds with one root that can be written, and nothing else. */
export const boundsOf = (root: string, extra: Partial<Bounds> = {}): Bounds => ({
  roots: [{ path: root, access: "rw" }],
  masked: [],
  readOnly: [],
  caches: [],
  network: "off",
  limits: { processes: 64, memoryBytes: 256 * 1024 * 1024 },
  ...extra,
});

export const bash = (directory: string, text: string, environment: Command["environment"] = {}): Command => ({
  argv: ["/bin/bash", "--noprofile", "--norc", "-c", text],
  directory,
  environment,
});

/** Runs a command to its end. */
export async function run(sandbox: Sandbox, command: Command, bounds: Bounds, input: Streams["input"] = "none") {
  const { started, output } = await start(sandbox, command, bounds, input);
  return { ...(await started.exited), output: output() };
}

/** Starts a command whose output goes to a file. */
export async function start(
  sandbox: Sandbox,
  command: Command,
  bounds: Bounds,
  input: Streams["input"] = "none",
): Promise<{ readonly started: StartedCommand; readonly output: () => string }> {
  const file = join(temporaryDirectory(), "output");
  const descriptor = openSync(file, "a");
  const started = await sandbox
    .start(command, bounds, { input, output: descriptor })
    .finally(() => onTestFinished(() => closeSync(descriptor)));
  return { started, output: () => readFileSync(file, "utf8") };
}

function temporaryDirectory(): string {
  const path = mkdtempSync(join(realpathSync(tmpdir()), "docker-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
