// Pins client and server to different processors. Small calls end before the scheduler moves a process, so sharing a
// processor would be chance, and it costs more than a whole call of the floor (55 instead of 26 µs).
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const BINDER = "taskset";

/** Takes the sample while the client has a processor to itself, if the machine allows that. */
export const apart = (measure) => async (server, job) => {
  const [first, ...others] = processors();
  if (others.length === 0) return measure(server, job);
  bind(process.pid, [first]);
  bind(server.pid, others);
  try {
    return await measure(server, job);
  } finally {
    for (const pid of [process.pid, server.pid]) bind(pid, [first, ...others]);
  }
};

/** Returns the processors of this machine. They are known only on Linux. */
function processors() {
  if (process.platform !== "linux") return [];
  const [, list = ""] = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/self/status", "latin1")) ?? [];
  return list.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
  });
}

/** Pins all threads of a process. Does nothing where the program for that is missing. */
const bind = (pid, list) =>
  spawnSync(BINDER, ["--all-tasks", "--cpu-list", "--pid", list.join(","), String(pid)], { stdio: "ignore" });
