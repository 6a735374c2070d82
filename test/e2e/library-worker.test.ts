import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { createReadAheadWorker } from "../../src/workspace/walk/worker/worker.ts";

const LIBRARY = resolve(import.meta.dirname, "../../dist/workspace/walk/worker/worker.js");

/** A worker whose file is missing comes online first, and dies a moment later. */
const SETTLED_MS = 500;

it("the library as it is built finds the file of its read-ahead worker", async () => {
  const library = (await import(LIBRARY)) as { createReadAheadWorker: typeof createReadAheadWorker };
  const worker = library.createReadAheadWorker();
  worker.wake();
  await sleep(SETTLED_MS);
  expect(worker.wake()).toBe(true);
});
