// Small calls are over sooner than the system decides who runs where. Whether client and server share a processor would
// be chance, and is worth more than a whole call of the floor (26 or 55 µs): here they never do.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const BINDER = "taskset";

/** Takes the sample while the client has a processor for itself. Where that cannot be had, takes it as it is. */
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

/** Linux tells; elsewhere none are known. */
function processors() {
  if (process.platform !== "linux") return [];
  const [, list = ""] = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/self/status", "latin1")) ?? [];
  return list.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
  });
}

/** All its threads. Without the program for it, nothing happens. */
const bind = (pid, list) =>
  spawnSync(BINDER, ["--all-tasks", "--cpu-list", "--pid", list.join(","), String(pid)], { stdio: "ignore" });
