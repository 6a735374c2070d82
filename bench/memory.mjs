// Measures resident memory, on Linux only.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openServer, sampleOn } from "./rounds.mjs";

const IDLE_DELAY_MS = 300;

/** Returns whether memory can be measured on this machine. */
export const canMeasureMemory = () => !Number.isNaN(residentOf(process.pid));

/** Returns the megabytes of a new process after its first read, and how far a workload's peak rises above them. */
export async function memoryOf(workload, firstRead, definition, corpus) {
  const server = await openServer(definition);
  try {
    await sampleOn(server, firstRead, definition, corpus);
    await sleep(IDLE_DELAY_MS);
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

/** Resets the peak, so that it is that of what follows. */
function resetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Returns NaN where there is no such file. */
export function megabytes(pid, field) {
  const file = `/proc/${pid}/status`;
  const status = existsSync(file) ? readFileSync(file, "latin1") : "";
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
}
