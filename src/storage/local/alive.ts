import { readFileSync, readlinkSync } from "node:fs";

/** Where a process's start is in its line, counted from the state, which follows the name in brackets. */
const START_FIELD = 19;

/**
 * Names this very process among all that share our state: the boot, the space its number counts in (a container has its
 * own), its number and when it began, so that a later process with the same number is another.
 */
export const SELF = [bootId(), pidSpace(), process.pid, startOf(process.pid)].join(".");

/** Whether a process has ended. One in another container cannot be seen: it counts as ended once it has been silent. */
export function isGone(owner: string, isSilent: boolean): boolean {
  const [boot, space, pid, start] = owner.split(".");
  const [ourBoot, ourSpace] = SELF.split(".");
  if (boot !== ourBoot) return true;
  if (space !== ourSpace) return isSilent;
  return startOf(Number(pid)) !== start;
}

function bootId(): string {
  return tried(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)) ?? "0";
}

function pidSpace(): string {
  return tried(() => readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")) ?? "0";
}

/** When a process began, in ticks since boot; without /proc only whether it is there. */
function startOf(pid: number): string {
  const stat = tried(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  if (stat !== undefined) return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_FIELD] ?? "0";
  if (tried(() => readlinkSync("/proc/self/ns/pid")) !== undefined) return "gone";
  return tried(() => process.kill(pid, 0)) ? "0" : "gone";
}

function tried<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
