import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Starts another process that swaps pairs of names until the test ends. */
export async function attack(...names: readonly string[]): Promise<Attacker> {
  const child = spawn(process.execPath, ["test/races/fixtures/swap.mjs", ...names], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  onTestFinished(() => stop(child));
  await Promise.race([once(child.stdout as NodeJS.EventEmitter, "data"), once(child, "exit")]);
  return { isAlive: () => child.exitCode === null && child.signalCode === null, stop: () => stop(child) };
}

interface Attacker {
  isAlive(): boolean;
  /** Resolves once nothing is swapped any more. */
  stop(): Promise<void>;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
