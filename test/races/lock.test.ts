import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { createLock } from "../../src/storage/local/state/lock.ts";
import { layout } from "../layout.ts";
import { runTogether } from "./processes.ts";

interface Told {
  readonly held: number;
  readonly together: number;
  readonly ghosts: number;
}

const ROUNDS = 1500;

it("processes that break the lock of those that are gone never hold it together", async () => {
  const directory = dirname(layout([]));
  const orders = [0, 1, 2].map((number) => ({ directory, rounds: ROUNDS, number }));
  const told = await runTogether<Told>("test/races/fixtures/race-for-lock.ts", orders);
  expect(told.map(({ held, together }) => ({ held, together }))).toEqual(
    orders.map(() => ({ held: ROUNDS, together: 0 })),
  );
  expect(told.reduce((sum, { ghosts }) => sum + ghosts, 0)).toBeGreaterThan(100);
});

it("a process that is killed while it holds the lock does not keep others from it", async () => {
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
