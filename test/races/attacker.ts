import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { has } from "../programs.ts";

/** Another process that exchanges pairs of names until the test ends. Without a compiler it is slower. */
export async function attack(...names: readonly string[]): Promise<Attacker> {
  const compiled = compile();
  const child = compiled
    ? spawn(compiled, names, { stdio: ["ignore", "pipe", "inherit"] })
    : spawn(process.execPath, ["test/races/fixtures/swap.mjs", ...names], {
        stdio: ["ignore", "pipe", "inherit", "ipc"],
      });
  onTestFinished(() => stop(child));
  await once(child.stdout as NodeJS.EventEmitter, "data");
  return { isAlive: () => child.exitCode === null && child.signalCode === null, stop: () => stop(child) };
}

interface Attacker {
  isAlive(): boolean;
  /** Resolves once everything stays where it is. */
  stop(): Promise<void>;
}

function compile(): string | undefined {
  if (process.env["CC"] === undefined && !has("cc")) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "attacker-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const binary = join(folder, "swap");
  execFileSync(process.env["CC"] ?? "cc", ["-O2", "-o", binary, "test/races/fixtures/swap.c"]);
  return binary;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
