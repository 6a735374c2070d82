import { closeSync, openSync } from "node:fs";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { PipedProgram } from "../../base/program.ts";
import type { Command } from "../command.ts";
import type { Bounds, Sandbox, StartedCommand } from "./sandbox.ts";

/** Starts a program in a sandbox and exchanges bytes with it. What is written before it runs waits. */
export function startPipedIn(
  choosing: Promise<Sandbox>,
  command: Command,
  bounds: () => Promise<Bounds>,
  onOutput: (bytes: Buffer) => void,
): PipedProgram {
  const starting = choosing.then(async (sandbox) => start(sandbox, command, await bounds(), onOutput));
  const started = (use: (program: StartedCommand) => unknown): void => void starting.then(use).catch(() => {});
  return {
    write: (text) => started((program) => program.write(Buffer.from(text))),
    exited: starting
      .then((program) => program.exited)
      .then(
        ({ code }) => ({ code, stderr: "" }),
        // Every failure means the same: there is no program.
        (error: unknown) => ({ code: null, stderr: `${(error as Error).message}; ${SHOWN}` }),
      ),
    kill: () => started((program) => program.end(0)),
    stop: () =>
      started((program) => {
        program.write(null);
        return program.end(LIMITS.exitGraceMs);
      }),
  };
}

/** Names the usual reason: what the sandbox itself prints is not kept. */
const SHOWN = "a sandbox shows programs of the system, the home and the roots only";

async function start(
  sandbox: Sandbox,
  command: Command,
  bounds: Bounds,
  onOutput: (bytes: Buffer) => void,
): Promise<StartedCommand> {
  if (sandbox.rung === "docker" || sandbox.rung === "container")
    throw new Fault("io", "Cannot exchange bytes with a program in a container");
  const output = openSync("/dev/null", "a");
  try {
    return await sandbox.start(command, bounds, { input: "pipe", output, onOutput });
  } finally {
    closeSync(output);
  }
}
