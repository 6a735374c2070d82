// Workloads that watch a project of 100,000 files: time until ready, memory, time until a change is reported.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { callTool } from "./client.mjs";
import { median } from "./measure.mjs";

/** Leaves a server time to finish its work in the background, which counts in its memory. */
const AFTERWARDS_MS = 2500;
const PAUSE_MS = 50;

export const WATCHING = [
  {
    id: "watch",
    title: "watch 100,000 files: until it is ready, beside a native library",
    operation: "watch",
    asks: ({ grove }) => ({ path: grove }),
    isRight: ({ texts }) => /^watching /i.test(texts[0]),
    measure: untilReady,
    fresh: true,
    rounds: 7,
    growth: 40,
    bounds: [{ most: 1.5, server: "watcher" }],
  },
  {
    id: "notice",
    title: "  from a change to the answer that reports it (p50)",
    operation: "notice",
    asks: ({ grove }, _, previous) => ({ path: grove, id: previous?.data.watch_id }),
    isRight: ({ texts }) => /^(?:create|modify) /.test(texts[0]),
    measure: untilReported,
    fresh: true,
    repetitions: 40,
    rounds: 4,
    growth: 40,
    bounds: [{ most: 1, milliseconds: 60 }],
  },
];

async function untilReady(server, job) {
  const answer = await callTool(server, job.call(0));
  job.verify(answer, 0);
  await sleep(AFTERWARDS_MS);
  return answer.arrivedAt - answer.sentAt;
}

/** Measures the time to a report. A call waits for each change when it is made. Leaves the project as it was. */
async function untilReported(server, job) {
  const [, { path }] = job.call(0);
  const changed = Array.from({ length: job.repetitions }, (_, index) => join(path, `package-${index}`, "changed.txt"));
  const begun = await callTool(server, job.call(0));
  await sleep(AFTERWARDS_MS);
  try {
    const times = [];
    for (const [index, file] of changed.entries()) {
      const reported = callTool(server, job.call(index, begun));
      await sleep(PAUSE_MS);
      const changedAt = performance.now();
      writeFileSync(file, String(changedAt));
      const answer = await reported;
      job.verify(answer, index);
      times.push(answer.arrivedAt - changedAt);
    }
    return median(times);
  } finally {
    for (const file of changed) rmSync(file, { force: true });
  }
}
