// Resident memory, as Linux tells it. Elsewhere nothing is known, and nothing is claimed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openServer, sampleOn } from "./rounds.mjs";

const SETTLE_MS = 300;

/** Can be measured on this machine. */
export const canMeasureMemory = () => !Number.isNaN(residentOf(process.pid));

/** Megabytes a new process holds after its first read, and how far the peak of a workload rises above that. */
export async function memoryOf(workload, firstRead, definition, corpus) {
  const server = await openServer(definition);
  try {
    await sampleOn(server, firstRead, definition, corpus);
    await sleep(SETTLE_MS);
    const idle = residentOf(server.pid);
    resetPeak(server.pid);
    await sampleOn(server, workload, definition, corpus);
    return { idle, growth: Math.max(0, peakOf(server.pid) - idle) };
  } finally {
    await server.stop();
  }
}

const residentOf = (pid) => megabytes(pid, "VmRSS");
const peakOf = (pid) => megabytes(pid, "VmHWM");

/** From here on the peak is that of what follows. */
function resetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Not a number where there is no such file. */
function megabytes(pid, field) {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, "latin1") : "";
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
}
