import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { createLock } from "../../src/storage/local/state/lock.ts";
import { layout } from "../layout.ts";
import { runTogether } from "./processes.ts";

interface LockReport {
  readonly held: number;
  readonly together: number;
  readonly ghosts: number;
}

const ROUNDS = 1500;

it("processes that break the locks of dead ones never hold it at the same time", async () => {
  const directory = dirname(layout([]));
  const options = [0, 1, 2].map((number) => ({ directory, rounds: ROUNDS, number }));
  const reports = await runTogether<LockReport>("test/races/fixtures/race-for-lock.ts", options);
  expect(reports.map(({ held, together }) => ({ held, together }))).toEqual(
    options.map(() => ({ held: ROUNDS, together: 0 })),
  );
  expect(reports.reduce((sum, { ghosts }) => sum + ghosts, 0)).toBeGreaterThan(100);
});

it("others can take the lock of a process that was killed", async () => {
  const directory = join(dirname(layout([])), "locks");
  const [killed] = await runUntilKilled(directory);
  expect(killed).toBe("SIGKILL");
  expect(readdirSync(directory)).toContain("lock");
  expect(await createLock(directory)(() => "mine")).toBe("mine");
  expect(readdirSync(directory)).toEqual([expect.stringMatching(/^owner-/)]);
});

async function runUntilKilled(directory: string): Promise<readonly unknown[]> {
  const script = `const { createLock } = await import(process.argv[1]);
    await createLock(process.argv[2])(() => process.kill(process.pid, "SIGKILL"));`;
  const outfile = join(dirname(layout([])), "lock.mjs");
  const { buildSync } = await import("esbuild");
  buildSync({
    entryPoints: ["src/storage/local/state/lock.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, outfile, directory]);
  const [, signal] = (await once(child, "exit")) as [unknown, unknown];
  return [signal];
}
